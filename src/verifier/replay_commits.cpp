#include <algorithm>
#include <map>
#include <set>

#include "isoscope/base/contract.h"
#include "verifier/execution.h"
#include "verifier/reachability.h"
#include "verifier/replay.h"

// Replays an order of commits with sources: does a read miss a writer that its reader knows?

namespace isoscope::verifier {

namespace {

using SourcedRead = Execution::SourcedRead;

/// Judges the reads of the transactions that some rules are for.
class CommitReplay {
 public:
  /// All must outlive the object.
  CommitReplay(const Execution& execution, const Certificate& certificate, const Rules& rules)
      : e_(execution), order_(certificate.order), claim_(certificate.level), rules_(rules) {}

  Status run() {
    if (rules_.last.empty()) return Done{};
    follows_paths_ = !rules_.inner.empty() && rules_.inner != "o";
    if (has('a')) ISOSCOPE_TRY_STATUS(check_updates());
    if (follows_paths_) add_nodes();
    for (const SourcedRead& read : e_.reads()) {
      const bool is_ours = &rules_of(claim_, e_.history, read.reader) == &rules_;
      if (is_ours) ISOSCOPE_TRY_STATUS(judge(read));
    }
    if (const auto set = paths_.find_forbidden()) return missed(*asked_[*set]);
    return Done{};
  }

 private:
  using Node = Reachability::Node;

  bool has(char hop) const { return rules_.last.find(hop) != rules_.last.npos; }
  std::size_t place(TransactionId t) const { return e_.places.commit(t); }

  static Error missed(const SourcedRead& read) {
    return Error{text_of(read.reader) + ", operation " + std::to_string(read.number.operation) +
                 ": the read misses a newer version of which its transaction knew"};
  }

  /// The versions of the read's key that are newer than the one read, up to the reader.
  std::span<const TransactionId> newer(const SourcedRead& read) const {
    ISOSCOPE_REQUIRE(e_.rank(read.source, read.key) <= e_.versions(read.key).size());
    const auto all = e_.versions(read.key).subspan(e_.rank(read.source, read.key));
    const auto end = std::ranges::lower_bound(all, place(read.reader), {},
                                              [&](TransactionId t) { return place(t); });
    return {all.begin(), end};
  }

  /// Where anti-dependencies of updates count, commits are in their order, too.
  Status check_updates() const {
    for (const SourcedRead& read : e_.reads()) {
      if (!e_.writes.of(read.reader).empty() && !newer(read).empty()) return missed(read);
    }
    return Done{};
  }

  /// By which of its reads, up to this one, does the reader know their sources?
  bool counts(const SourcedRead& other, const SourcedRead& read) const {
    if (rules_.own == OwnReads::any || other.number.operation < read.number.operation) return true;
    if (rules_.own == OwnReads::by_then) return other.number == read.number;
    return rules_.own == OwnReads::same_operation &&
           other.number.operation == read.number.operation;
  }

  /// Calls visit for the transactions from which a last hop leads to the read; where hops come
  /// before it, only the latest of those that are known by one another.
  template <class Visit>
  void for_each_direct(const SourcedRead& read, const Visit& visit) const {
    if (has('s')) {
      if (const auto before = e_.session_before(read.reader)) visit(*before);
    }
    if (has('r')) {
      for (const SourcedRead& other : e_.reads_of(read.reader)) {
        if (other.source != 0 && counts(other, read)) visit(TransactionId(other.source - 1));
      }
    }
    if (!has('w')) return;
    const auto earlier = e_.history.operations(read.reader).first(read.number.operation - 1);
    for (const Writes::Write& write : e_.writes.of(read.reader)) {
      const std::uint32_t rank = e_.rank(number_of(read.reader), write.key);
      if (rank < 2) continue;
      if (rules_.overwritten == Overwritten::written_before && !writes_key(earlier, write.key)) {
        continue;
      }
      visit(e_.versions(write.key)[rank - 2]);
    }
  }

  bool writes_key(std::span<const Operation> operations, KeyId key) const {
    return std::ranges::any_of(operations, [&](const Operation& operation) {
      if (operation.is_item_write()) return operation.key() == key;
      if (operation.kind() != OperationKind::predicate_write) return false;
      const auto rows = e_.history.predicate_access(operation).rows;
      return std::ranges::find(rows, key, &RowVersion::key) != rows.end();
    });
  }

  Status judge(const SourcedRead& read) {
    if (rules_.looks == Looks::items && !read.is_item) return Done{};
    const auto others = newer(read);
    if (others.empty()) return Done{};
    if (follows_paths_) return ask(read, others);
    if (rules_.inner == "o") {
      std::size_t limit = 0;
      for_each_direct(read, [&](TransactionId t) { limit = std::max(limit, place(t)); });
      return place(others.front()) <= limit ? Status(missed(read)) : Done{};
    }
    for (const TransactionId t : others) {
      if (knows(read, t)) return missed(read);
    }
    return Done{};
  }

  /// Does one hop lead from the writer to the read?
  bool knows(const SourcedRead& read, TransactionId t) const {
    if (has('o')) return true;
    if (has('s') && e_.sessions.before(t, read.reader)) return true;
    if (has('w')) {
      const bool own = rules_.overwritten == Overwritten::key_read;
      if (own ? e_.writes.find(read.reader, read.key) != nullptr
              : e_.writes.share_key(t, read.reader)) {
        return true;
      }
    }
    return has('r') && std::ranges::any_of(e_.reads_of(read.reader), [&](const SourcedRead& other) {
             return other.source == number_of(t) && counts(other, read);
           });
  }

  /// Makes a graph of the hops that can be followed by others. Behind updates that read a key are
  /// nodes which lead to all later writers of the key.
  void add_nodes() {
    const auto follows = [&](char hop) { return rules_.inner.find(hop) != rules_.inner.npos; };
    nodes_.resize(e_.history.transaction_count());
    std::map<KeyId, Node> readers;
    for (const Event event : order_) {
      const TransactionId t(event.transaction - 1);
      std::vector<Node> before;
      if (const auto session = e_.session_before(t)) before.push_back(nodes_[session->index()]);
      for (const SourcedRead& read : e_.reads_of(t)) {
        if (read.source != 0) before.push_back(nodes_[read.source - 1]);
      }
      for (const Writes::Write& write : e_.writes.of(t)) {
        const std::uint32_t rank = e_.rank(number_of(t), write.key);
        if (follows('w') && rank > 1) {
          before.push_back(nodes_[e_.versions(write.key)[rank - 2].index()]);
        }
        const auto reader = readers.find(write.key);
        if (reader != readers.end()) before.push_back(reader->second);
      }
      nodes_[t.index()] = paths_.add(before);
      if (!follows('a') || e_.writes.of(t).empty()) continue;
      for (const SourcedRead& read : e_.reads_of(t)) {
        std::vector<Node> both = {nodes_[t.index()]};
        const auto [at, is_first] = readers.try_emplace(read.key, 0);
        if (!is_first) both.push_back(at->second);
        at->second = paths_.add(both);
      }
    }
    if (!rules_.by_version) return;
    for (const SourcedRead& read : e_.reads()) {
      if (read.source != 0) readers_[{read.key, read.source}].push_back(read.reader);
    }
    for (const TransactionId t : e_.history.transactions()) {
      const auto before = e_.session_before(t);
      if (before && e_.places.is_taken(t)) session_after_[*before].push_back(t);
    }
  }

  Status ask(const SourcedRead& read, std::span<const TransactionId> others) {
    ISOSCOPE_REQUIRE(follows_paths_ && !others.empty());
    std::vector<Node> direct;
    for_each_direct(read, [&](TransactionId t) { direct.push_back(nodes_[t.index()]); });
    // Where every hop counts, what leads to the reader is known to it.
    if (rules_.own == OwnReads::any) direct = {nodes_[read.reader.index()]};
    const std::size_t set = paths_.add_set(direct);
    asked_.push_back(&read);
    ISOSCOPE_ENSURE(asked_.size() == set + 1);
    for (const TransactionId t : others) {
      if (!rules_.by_version) {
        paths_.forbid(nodes_[t.index()], set);
        continue;
      }
      if (e_.sessions.before(t, read.reader)) return missed(read);
      for (const TransactionId next : session_after_[t]) {
        if (next != read.reader) paths_.forbid(nodes_[next.index()], set);
      }
      for (const TransactionId next : readers_[{read.key, number_of(t)}]) {
        if (next != read.reader) paths_.forbid(nodes_[next.index()], set);
      }
    }
    return Done{};
  }

  const Execution& e_;
  const std::vector<Event>& order_;
  const Level claim_;
  const Rules& rules_;
  bool follows_paths_ = false;
  Reachability paths_;
  std::vector<Node> nodes_;                // by transaction
  std::vector<const SourcedRead*> asked_;  // by set of paths_
  std::map<std::pair<KeyId, std::uint32_t>, std::vector<TransactionId>> readers_;  // of a version
  std::map<TransactionId, std::vector<TransactionId>> session_after_;
};

}  // namespace

Status check_commits(const History& history, const Certificate& certificate) {
  Execution execution(history, certificate);
  ISOSCOPE_TRY_STATUS(execution.make());
  ISOSCOPE_TRY_STATUS(execution.check_bases());
  std::set<const Rules*> rules;  // usually one, but each transaction may have its own level
  for (const TransactionId t : history.transactions()) {
    if (execution.places.is_taken(t)) rules.insert(&rules_of(certificate.level, history, t));
  }
  for (const Rules* its : rules) {
    ISOSCOPE_TRY_STATUS(CommitReplay(execution, certificate, *its).run());
  }
  return Done{};
}

}  // namespace isoscope::verifier
