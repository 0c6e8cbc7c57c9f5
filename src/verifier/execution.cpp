#include "verifier/execution.h"

#include <algorithm>
#include <string>

#include "isoscope/base/contract.h"

namespace isoscope::verifier {

Execution::Execution(const History& of, const Certificate& certificate)
    : rules(rules_of(certificate.level)),
      history(of),
      sessions(of, certificate),
      writes(of),
      places(of, certificate),
      certificate_(certificate),
      all_reads_(of, writes),
      listed_(certificate.sources),
      versions_(of.key_count()),
      ranks_(writes.size(), 0),
      lists_(of.key_count()),
      session_before_(of.transaction_count()) {
  std::ranges::sort(listed_, {}, &ReadSource::read);
}

Status Execution::make() {
  ISOSCOPE_REQUIRE(read_starts_.size() == 1);  // to be called once
  ISOSCOPE_TRY_STATUS(places.choose());
  for (const TransactionId t : history.transactions()) {
    if (places.is_taken(t) && std::ranges::any_of(writes.of(t), [&](const Writes::Write& write) {
          return writes.use(write.key) == KeyUse::both;
        })) {
      return Error{text_of(t) + ": a key is both appended to and written: not supported"};
    }
  }
  if (rules.shape == Shape::versions) {
    ISOSCOPE_TRY_STATUS(place_versions());
  } else {
    ISOSCOPE_TRY_STATUS(places.place());
    for (const Event event : certificate_.order) {
      const TransactionId t(event.transaction - 1);
      for (const Writes::Write& write : writes.of(t)) add_version(t, write);
    }
  }
  for (const SessionId session : history.sessions()) {
    std::optional<TransactionId> before;
    for (const TransactionId t : history.session(session)) {
      if (before && sessions.before(*before, t)) session_before_[t.index()] = before;
      if (history.outcome(t) == Outcome::committed) before = t;
    }
  }
  return find_sources();
}

void Execution::add_version(TransactionId t, const Writes::Write& write) {
  ISOSCOPE_REQUIRE(ranks_[writes.number(write)] == 0);  // a version has one place
  std::vector<TransactionId>& its = versions_[write.key.index()];
  its.push_back(t);
  ranks_[writes.number(write)] = static_cast<std::uint32_t>(its.size());
}

/// Versions of keys that one transaction writes need not be in the order.
Status Execution::place_versions() {
  const KeyNumbers numbers(history);
  for (const Event event : certificate_.order) {
    const auto key = event.is_version() ? numbers.key(event.key) : std::nullopt;
    const bool is_there = event.transaction != 0 &&
                          event.transaction <= history.transaction_count() &&
                          places.is_taken(TransactionId(event.transaction - 1));
    const Writes::Write* write =
        key && is_there ? writes.find(TransactionId(event.transaction - 1), *key) : nullptr;
    if (write == nullptr) return Error{"event " + text_of(event) + " does not belong to the order"};
    if (ranks_[writes.number(*write)] != 0) {
      return Error{"event " + text_of(event) + " is there twice"};
    }
    add_version(TransactionId(event.transaction - 1), *write);
  }
  for (const TransactionId t : history.transactions()) {
    if (!places.is_taken(t)) continue;
    for (const Writes::Write& write : writes.of(t)) {
      if (ranks_[writes.number(write)] != 0) continue;
      if (!versions_[write.key.index()].empty()) {
        return Error{"versions of a key are missing in the order, such as that of " + text_of(t)};
      }
      add_version(t, write);
    }
  }
  return Done{};
}

std::uint32_t Execution::rank(std::uint32_t t, KeyId key) const {
  if (t == 0) return 0;
  const Writes::Write* write = writes.find(TransactionId(t - 1), key);
  ISOSCOPE_REQUIRE(write != nullptr);
  return ranks_[writes.number(*write)];
}

Status Execution::find_sources() {
  for (const TransactionId t : history.transactions()) {
    if (places.is_taken(t)) {
      ISOSCOPE_TRY_STATUS(all_reads_.for_each(t, [&](const Read& read) -> Status {
        ISOSCOPE_TRY(source, source_of(read));
        reads_.push_back({read.number, t, read.key, source, read.is_item});
        return Done{};
      }));
    }
    read_starts_.push_back(reads_.size());
  }
  ISOSCOPE_ENSURE(read_starts_.size() == history.transaction_count() + 1);
  if (listed_used_ == listed_.size()) return Done{};
  return Error{"a source is listed twice, or of what is no read of what others left"};
}

Status Execution::check_bases() const {
  for (const SourcedRead& read : reads_) {
    if (!history.reads_base(read.reader, read.number.operation - 1)) continue;
    if (rank(read.source, read.key) + 1 == rank(number_of(read.reader), read.key)) continue;
    return Error{text_of(read.reader) + ", operation " + std::to_string(read.number.operation) +
                 ": the update was not applied to the version before its own"};
  }
  return Done{};
}

bool Execution::may_be_from(const Read& read, std::uint32_t writer) const {
  if (std::ranges::count(read.candidates, writer) == 0) return false;
  if (writer == 0) return true;
  const TransactionId t(writer - 1);
  // Nobody knows whether it fits with what else was read of it.
  if (!places.is_taken(t) || !writes.is_reported(t, read.key)) return false;
  return rules.shape == Shape::versions || places.commit(t) < places.commit(read.reader);
}

Result<std::uint32_t> Execution::source_of(const Read& read) {
  std::optional<std::uint32_t> source;
  const auto at = std::ranges::lower_bound(listed_, read.number, {}, &ReadSource::read);
  if (at != listed_.end() && at->read == read.number) {
    ++listed_used_;
    if (may_be_from(read, at->writer)) source = at->writer;
  } else {
    for (const std::uint32_t writer : read.candidates) {
      if (!may_be_from(read, writer)) continue;
      if (!source || rank(*source, read.key) < rank(writer, read.key)) source = writer;
    }
  }
  if (!source) return Error{"by this order the read cannot be from such a transaction"};
  ISOSCOPE_ENSURE(*source == 0 || places.is_taken(TransactionId(*source - 1)));
  if (writes.use(read.key) != KeyUse::list) return *source;
  const bool own = writes.find(read.reader, read.key) != nullptr;
  if (own && rank(number_of(read.reader), read.key) <= rank(*source, read.key)) {
    return Error{"the list has the reader's own appends in it"};
  }
  if (read.list && !list_fits(read, *source)) {
    return Error{"something else was read than the list that is there by this order"};
  }
  return *source;
}

/// Compares the list with the versions up to the source. What a version holds is worked out once:
/// equal lists have equal ids.
bool Execution::list_fits(const Read& read, std::uint32_t source) {
  ISOSCOPE_REQUIRE(read.list && writes.use(read.key) == KeyUse::list);
  const ValuePool& values = history.values();
  auto& known = lists_[read.key.index()];
  known.resize(versions(read.key).size() + 1);
  ValueId list = *read.list;
  if (values.kind(list) != ValueKind::list) return false;
  for (std::uint32_t at = rank(source, read.key); at > 0; --at) {
    if (known[at]) return *known[at] == list;
    known[at] = list;
    std::vector<ValueId> appended;
    for (const Operation& operation : history.operations(versions(read.key)[at - 1])) {
      if (operation.kind() == OperationKind::append && operation.key() == read.key) {
        appended.push_back(operation.value());
      }
    }
    if (!take_end(values, list, appended)) return false;
  }
  const auto initial = history.initial_value(read.key);
  const bool has_initial = initial && values.kind(*initial) == ValueKind::list;
  return list == (has_initial ? *initial : ValuePool::empty_list);
}

}  // namespace isoscope::verifier
