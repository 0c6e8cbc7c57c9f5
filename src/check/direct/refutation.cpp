#include "check/direct/refutation.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::direct {

void Refutation::add(ProofStep step) {
  if (std::ranges::find(steps_, step) == steps_.end()) steps_.push_back(std::move(step));
}

ReadNumber Refutation::number_of(const CertainRead& read) const {
  ISOSCOPE_REQUIRE(read.reader != 0);
  ReadNumber number{read.reader, read.operation + 1};
  const Operation& operation =
      overwrites_.reads().history().operations(TransactionId(read.reader - 1))[read.operation];
  if (operation.is_predicate()) number.key = keys_.number(read.key);
  return number;
}

void Refutation::read_from(const CertainRead& read) {
  ISOSCOPE_REQUIRE(read.source != read.reader);
  add({.kind = Kind::read, .read = number_of(read)});
  add({.kind = Kind::from, .read = number_of(read), .writer = read.source});
}

void Refutation::known_order(Number a, Number b) {
  ISOSCOPE_REQUIRE(overwrites_.order().in_session(a, b) || overwrites_.order().in_time(a, b));
  add({.kind = Kind::order, .events = {Event::commit(a), begin(b)}});
}

void Refutation::through(Number a, Number middle, Number b) {
  ISOSCOPE_REQUIRE(a != middle && middle != b);
  if (one_event_) {
    return add({.kind = Kind::path,
                .events = {Event::commit(a), Event::commit(middle), Event::commit(b)}});
  }
  add({.kind = Kind::order, .events = {begin(middle), Event::commit(middle)}});
  add({.kind = Kind::path,
       .events = {Event::commit(a), begin(middle), Event::commit(middle), begin(b)}});
}

/// Adds that `a` commits before `b` commits, where begin and commit are two moments. It follows
/// from the step that `a` committed before `b` began.
void Refutation::commits_before(Number a, Number b) {
  if (one_event_) return;
  add({.kind = Kind::order, .events = {begin(b), Event::commit(b)}});
  add({.kind = Kind::path, .events = {Event::commit(a), begin(b), Event::commit(b)}});
}

void Refutation::overwritten(const CertainRead& read, Number other) {
  switch (overwrites_.newer(read, other)) {
    case Newer::no:
      ISOSCOPE_REQUIRE(false);
      break;
    case Newer::initial:
      add({.kind = Kind::order, .events = {Event::commit(0), Event::commit(other)}});
      break;
    case Newer::list:
      add({.kind = Kind::list, .read = number_of(read), .writer = read.source, .other = other});
      break;
    case Newer::read_it: {
      const CertainRead* its = overwrites_.reads().find(other, read.key);
      ISOSCOPE_ENSURE(its != nullptr && its->source == read.source);
      read_from(*its);
      commits_before(read.source, other);
      break;
    }
    case Newer::in_session:
    case Newer::in_time:
      known_order(read.source, other);
      commits_before(read.source, other);
      break;
  }
  add({.kind = Kind::read, .read = number_of(read)});
  add({.kind = Kind::between, .read = number_of(read), .writer = read.source, .other = other});
}

void Refutation::conflict(Number a, Number b) {
  ISOSCOPE_REQUIRE(overwrites_.reads().write_a_common_key(a, b));
  add({.kind = Kind::conflict, .writer = a, .other = b});
}

}  // namespace isoscope::direct
