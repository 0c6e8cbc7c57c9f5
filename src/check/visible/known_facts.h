#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "check/reads/accesses.h"
#include "check/strong/problem/order_problem.h"
#include "check/strong/proof/proof_writer.h"
#include "check/strong/proof/ruled_out.h"
#include "check/visible/problem.h"
#include "check/weak/certain_commits.h"
#include "isoscope/certificate/verdict.h"

namespace isoscope::visible {

/// Writes steps of a certificate that say what is known without any choice: what reads with one
/// candidate are from, that transactions committed, and the known order of commits.
///
/// The verifier counts transactions that the first pass ruled out as candidates, and lists as
/// unclear to which such a one appended an element that somebody else appended, too. So it takes
/// steps to rule them out, and some things cannot be shown.
class KnownFacts {
 public:
  /// All must outlive the object.
  KnownFacts(const Problem& problem, const KeyAccesses& accesses, const Verdict& verdict);

  /// False once something could not be shown. Then what was written proves nothing.
  bool could_show_all() const { return could_show_all_; }

  /// Says so.
  std::uint32_t fail();

  std::uint32_t number(Txn t) const { return t == 0 ? 0 : number_of(p_.sources().id(t)); }
  Event commit(Txn t) const { return Event::commit(number(t)); }
  Event version(Txn t, KeyId key) const { return Event::version(number(t), keys_.number(key)); }
  ReadNumber read_number(std::uint32_t read);
  strong::ProofWriter& writer() { return writer_; }

  // Each returns the number of a step.

  /// The read is from one of its candidates, unless its reader is out. If there is one only, and
  /// the reader committed for certain, the source is known from then on.
  std::uint32_t read(std::uint32_t read);
  std::uint32_t from(std::uint32_t read, Txn source);
  std::uint32_t took(std::uint32_t read, Txn source);
  /// What a list says that the reader read: in which order two appended, or that one committed.
  std::uint32_t list(Txn reader, Txn earlier, Txn later);
  std::uint32_t member(Txn reader, Txn appender);

  /// The initial state, or a key's initial version, comes first.
  void initial_first(Event initial, Event other);
  /// Says that a transaction comes before another one, as the known order has it: right behind it,
  /// or through points in time.
  void known_before(Txn earlier, Txn later, bool by_time);

  /// The same for versions of the key.
  void known_version_before(Txn earlier, Txn later, KeyId key);
  /// A read of the later one whose only candidate is the earlier one; there must be one.
  std::uint32_t known_read(Txn reader, Txn source) const;

  /// The order that hops and statements are about goes from commit to commit. Adds the events
  /// between the earlier one's commit and the later one's, where a transaction has two events and
  /// the later one begins after the earlier one.
  void add_begin(Txn later, std::vector<Event>& path);
  /// Whether sessions, times or a read, and not a list, say so.
  bool is_before_begin(Txn earlier, Txn later, bool by_time) const;

  std::uint32_t path(std::vector<Event> events);

 private:
  using Kind = ProofStep::Kind;

  std::uint32_t add_once(const ProofStep& step);
  void know_committed(Txn t);
  std::optional<std::uint32_t> find_known_read(Txn reader, Txn source) const;
  void known_by_list(Txn earlier, Txn later, std::optional<KeyId> key);
  std::uint32_t list_of(std::uint32_t read, Txn earlier, Txn later);
  bool is_unclear(KeyId key);

  const Problem& p_;
  const KeyAccesses& accesses_;
  const bool one_event_;
  const bool keeps_session_order_;
  bool could_show_all_ = true;
  const strong::OrderProblem no_problem_ = {};
  strong::ProofWriter writer_;
  KeyNumbers keys_;
  strong::RuledOut ruled_out_;
  weak::CertainCommits commits_;
  std::unordered_set<Txn> known_committed_;
  std::unordered_map<KeyId, bool> unclear_;
  std::unordered_map<KeyId, std::vector<std::uint32_t>> list_reads_;  // of certain readers
  std::map<std::vector<std::uint32_t>, std::uint32_t> written_;
};

}  // namespace isoscope::visible
