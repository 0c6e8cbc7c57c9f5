#include <algorithm>
#include <string>

#include "isoscope/base/contract.h"
#include "verifier/axioms.h"

// The steps that say what a reader knew: by which hops others led to it, and which hops count at
// the level.

namespace isoscope::verifier {

namespace {

constexpr std::string_view letters = "srwao";

ProofLiteral before(std::uint32_t t, std::uint32_t u) {
  return ProofLiteral::order(Event::commit(t), Event::commit(u));
}

bool has_candidate(const Read& read, std::uint32_t writer) {
  return read.silent == nullptr && std::ranges::count(read.candidates, writer) != 0;
}

std::string letters_of(std::span<const Hop> hops) {
  std::string result;
  for (const Hop& hop : hops) result.push_back(letters[static_cast<std::size_t>(hop.kind)]);
  return result;
}

}  // namespace

/// Adds to the clause that the hop is not there. Returns where it leads.
Result<std::uint32_t> Axioms::follow(const Hop& hop, std::uint32_t present, Clause& clause) {
  ISOSCOPE_REQUIRE(present != 0);
  ISOSCOPE_TRY_STATUS(require_transaction(hop.transaction));
  if (hop.transaction == present) return Error{"a hop leads from a transaction to itself"};
  const TransactionId from(present - 1);
  const TransactionId to(hop.transaction - 1);
  switch (hop.kind) {
    case Hop::Kind::session:
      if (!sessions_.before(from, to)) return Error{"the session has no such hop"};
      break;
    case Hop::Kind::read: {
      ISOSCOPE_TRY(read, reads_.find(hop.read));
      if (hop.read.elements != ReadNumber::whole || hop.read.transaction != hop.transaction ||
          !has_candidate(*read, present)) {
        return Error{"a hop is by a read that is not from the transaction before it"};
      }
      clause.push_back(!ProofLiteral::selection(hop.read, present));
      break;
    }
    case Hop::Kind::overwrite:
      if (!writes_.share_key(from, to)) return Error{"the two write no common key"};
      clause.push_back(!before(present, hop.transaction));
      break;
    case Hop::Kind::antidependency: {
      ISOSCOPE_TRY(read, reads_.find(hop.read));
      if (hop.read.elements != ReadNumber::whole || hop.read.transaction != present ||
          writes_.of(from).empty() || !has_candidate(*read, hop.writer)) {
        return Error{"a hop is by no such read of a transaction that writes"};
      }
      ISOSCOPE_TRY_STATUS(require_writer(hop.transaction, read->key));
      if (hop.transaction == hop.writer) return Error{"expected another writer"};
      clause.push_back(!ProofLiteral::selection(hop.read, hop.writer));
      clause.push_back(!before(hop.writer, hop.transaction));
      break;
    }
    case Hop::Kind::earlier:
      clause.push_back(!before(present, hop.transaction));
      break;
  }
  return hop.transaction;
}

/// The last hop, which starts at `present`, must count for the read.
Status Axioms::require_last(const Read& read, const Hop& hop, std::uint32_t present) const {
  ISOSCOPE_REQUIRE(present != 0 && read.number.operation != 0);
  const Rules& rules = rules_at(read.reader);
  if (hop.transaction != read.number.transaction)
    return Error{"the hops do not lead to the reader"};
  if (hop.kind == Hop::Kind::read) {
    const std::uint32_t place = hop.read.operation;
    bool counts = rules.own == OwnReads::any || place < read.number.operation;
    if (rules.own == OwnReads::by_then) counts |= hop.read == read.number;
    if (rules.own == OwnReads::same_operation) counts |= place == read.number.operation;
    if (!counts) return Error{"the reader had not made that read by then"};
  }
  if (hop.kind != Hop::Kind::overwrite) return Done{};
  bool counts = rules.overwritten == Overwritten::any;
  if (rules.overwritten == Overwritten::key_read) {
    counts = writes_.find(read.reader, read.key) != nullptr;
  }
  if (rules.overwritten == Overwritten::written_before) {
    const auto operations = history_.operations(read.reader).first(read.number.operation - 1);
    counts = writes_.share_key_before(TransactionId(present - 1), history_, operations);
  }
  if (!counts) return Error{"the reader had not overwritten that by then"};
  return Done{};
}

Result<Clause> Axioms::sees(const ProofStep& step) {
  ISOSCOPE_TRY(found, reads_.find(step.read));
  const Read read = *found;
  const Rules& rules = rules_at(read.reader);
  if (step.read.elements != ReadNumber::whole) return Error{"the step is about whole reads"};
  if (read.silent != nullptr) return Error{read.silent};
  if (!has_candidate(read, step.writer)) {
    return Error{"the read cannot have returned what this transaction left"};
  }
  if (rules.looks == Looks::items && !read.is_item) return Error{"the read is of no item"};
  ISOSCOPE_TRY_STATUS(require_writer(step.other, read.key));
  const bool is_reader = step.other == step.read.transaction;
  if (step.other == step.writer || (is_reader && rules_.shape != Shape::versions)) {
    return Error{"expected another writer than the two"};
  }
  if (!rules.counts(letters_of(step.hops))) return Error{"such hops do not count at this level"};
  ISOSCOPE_ENSURE(!step.hops.empty());  // no level counts a way without hops
  const Hop& first = step.hops.front();
  if (rules.by_version && first.kind == Hop::Kind::read) {
    ISOSCOPE_TRY(its, reads_.find(first.read));
    if (its->key != read.key) return Error{"the first hop is by a read of another key"};
  }
  Clause clause = {!ProofLiteral::selection(step.read, step.writer)};
  std::uint32_t present = step.other;
  std::uint32_t last = 0;
  for (const Hop& hop : step.hops) {
    last = present;
    ISOSCOPE_TRY(next, follow(hop, present, clause));
    present = next;
  }
  ISOSCOPE_TRY_STATUS(require_last(read, step.hops.back(), last));
  clause.push_back(ProofLiteral::order(left(step.other, read.key), left(step.writer, read.key)));
  return clause;
}

Result<Clause> Axioms::follows(const ProofStep& step) {
  ISOSCOPE_TRY(read, reads_.find(step.read));
  if (step.read.elements != ReadNumber::whole) return Error{"the step is about whole reads"};
  if (!has_candidate(*read, step.writer)) {
    return Error{"the read cannot have returned what this transaction left"};
  }
  ISOSCOPE_TRY_STATUS(require_writer(step.other, read->key));
  const TransactionId writer(step.other - 1);
  if (step.other == step.writer ||
      (writer != read->reader && !sessions_.before(read->reader, writer))) {
    return Error{"the session does not write the key after the read"};
  }
  return Clause{!ProofLiteral::selection(step.read, step.writer),
                ProofLiteral::order(left(step.writer, read->key), left(step.other, read->key))};
}

Result<Clause> Axioms::circle(const ProofStep& step) {
  if (letters_of(step.hops).find_first_not_of("sr") != std::string::npos || step.hops.empty()) {
    return Error{"expected hops by sessions and reads"};
  }
  ISOSCOPE_TRY_STATUS(require_transaction(step.writer));
  Clause clause;
  std::uint32_t present = step.writer;
  for (const Hop& hop : step.hops) {
    ISOSCOPE_TRY(next, follow(hop, present, clause));
    present = next;
  }
  if (present != step.writer) return Error{"the hops lead to another transaction"};
  return clause;
}

/// An update is applied to the version right before the one that its transaction leaves.
Result<Clause> Axioms::base(const ProofStep& step) {
  ISOSCOPE_TRY(read, reads_.find(step.read));
  if (step.read.elements != ReadNumber::whole) return Error{"the step is about whole reads"};
  if (read->silent != nullptr) return Error{read->silent};
  if (!history_.reads_base(read->reader, step.read.operation - 1)) {
    return Error{"the read is not of what an update was applied to"};
  }
  if (!has_candidate(*read, step.writer)) {
    return Error{"the read cannot have returned what this transaction left"};
  }
  ISOSCOPE_TRY_STATUS(require_writer(step.other, read->key));
  if (step.other == step.writer) return Error{"expected another writer"};
  const auto before = [&](std::uint32_t t, std::uint32_t u) {
    return ProofLiteral::order(left(t, read->key), left(u, read->key));
  };
  const std::uint32_t reader = step.read.transaction;
  Clause clause = {!ProofLiteral::selection(step.read, step.writer)};
  if (step.other == reader) {
    clause.push_back(before(step.writer, reader));
  } else {
    clause.push_back(before(step.other, step.writer));
    clause.push_back(before(reader, step.other));
  }
  return clause;
}

/// Whatever their reads are from, none of the transactions can be the first to commit.
Result<Clause> Axioms::stuck(const ProofStep& step) {
  std::vector<std::uint32_t> all;
  bool has_committed = false;
  for (const Event event : step.events) {
    ISOSCOPE_TRY_STATUS(require_transaction(event.transaction));
    has_committed |= !is_indeterminate(event.transaction);
    all.push_back(event.transaction);
  }
  if (!has_committed) return Error{"none of the transactions is committed"};
  std::ranges::sort(all);
  const auto is_member = [&](std::uint32_t t) { return std::ranges::binary_search(all, t); };
  for (const std::uint32_t t : all) {
    const TransactionId id(t - 1);
    bool waits = std::ranges::any_of(all, [&](std::uint32_t other) {
      const TransactionId before(other - 1);
      return sessions_.before(before, id) || sessions_.before_in_time(before, id);
    });
    const auto look = [&](const Read& read) -> Status {
      waits |= std::ranges::all_of(read.candidates, is_member);
      return Done{};
    };
    if (!waits) ISOSCOPE_TRY_STATUS(reads_.for_each(id, look));
    if (!waits) return Error{"transaction " + std::to_string(t) + " need not wait for the others"};
  }
  return Clause{};
}

}  // namespace isoscope::verifier
