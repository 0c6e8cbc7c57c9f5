#include <algorithm>
#include <map>

#include "isoscope/base/contract.h"
#include "verifier/execution.h"
#include "verifier/reachability.h"
#include "verifier/replay.h"

// Replays the session guarantees: each key has an order of its versions.

namespace isoscope::verifier {

namespace {

using SourcedRead = Execution::SourcedRead;

class VersionReplay {
 public:
  VersionReplay(const History& history, const Certificate& certificate)
      : e_(history, certificate), rules_(e_.rules) {}

  Status run() {
    ISOSCOPE_TRY_STATUS(e_.make());
    ISOSCOPE_TRY_STATUS(e_.check_bases());
    for (const SourcedRead& read : e_.reads()) {
      readers_[{read.key, read.source}].push_back(read.reader);
    }
    if (rules_.keeps_order) ISOSCOPE_TRY_STATUS(check_session_writes());
    if (rules_.follows) ISOSCOPE_TRY_STATUS(check_follows());
    if (!rules_.last.empty()) return check_writers_reads();
    for (const SessionId session : e_.history.sessions()) ISOSCOPE_TRY_STATUS(judge(session));
    return Done{};
  }

 private:
  using Node = Reachability::Node;
  /// What was seen of parts of sessions: one more than the place of the latest transaction.
  using Seen = std::map<std::uint32_t, std::uint32_t>;

  static Error missed(const SourcedRead& read) {
    return Error{text_of(read.reader) + ", operation " + std::to_string(read.number.operation) +
                 ": the read misses a newer version of which its session knew"};
  }

  bool is_path(std::string_view path) const { return rules_.counts(path); }

  std::span<const TransactionId> newer(const SourcedRead& read) const {
    return e_.versions(read.key).subspan(e_.rank(read.source, read.key));
  }

  /// Goes from the newest version to the oldest. Behind a transaction's version must be none that
  /// its session wrote before.
  Status check_session_writes() const {
    for (const KeyId key : e_.history.keys()) {
      Seen earliest;
      const auto versions = e_.versions(key);
      for (std::size_t i = versions.size(); i-- > 0;) {
        const TransactionId t = versions[i];
        const auto at = earliest.find(e_.sessions.part(t));
        if (at != earliest.end() && at->second < e_.sessions.place(t)) {
          return Error{text_of(t) + " has an older version than its session wrote before"};
        }
        if (e_.history.outcome(t) == Outcome::indeterminate) continue;
        earliest[e_.sessions.part(t)] = e_.sessions.place(t);
      }
    }
    return Done{};
  }

  Status check_follows() const {
    for (const SourcedRead& read : e_.reads()) {
      const auto older = e_.versions(read.key).first(e_.rank(read.source, read.key));
      for (const TransactionId t : older) {
        if (number_of(t) == read.source) continue;
        if (t != read.reader && !e_.sessions.before(read.reader, t)) continue;
        return Error{text_of(t) + " has an older version than its session has read"};
      }
    }
    return Done{};
  }

  Status judge(SessionId session) const {
    Seen by_session;
    std::uint32_t part = 0;
    for (const TransactionId t : e_.history.session(session)) {
      if (!e_.places.is_taken(t)) continue;
      if (e_.sessions.part(t) != part) by_session.clear();
      part = e_.sessions.part(t);
      for (const SourcedRead& read : e_.reads_of(t)) {
        Seen seen;
        if (is_path("srs")) seen = by_session;
        for (const SourcedRead& other : e_.reads_of(t)) {
          if (is_path("sr") && made_by_then(other, read)) see(other.source, seen);
        }
        for (const TransactionId other : newer(read)) {
          if (knows(read, other, seen)) return missed(read);
        }
      }
      if (e_.history.outcome(t) == Outcome::indeterminate) continue;
      for (const SourcedRead& read : e_.reads_of(t)) see(read.source, by_session);
    }
    return Done{};
  }

  static bool made_by_then(const SourcedRead& other, const SourcedRead& read) {
    return other.number == read.number || other.number.operation < read.number.operation;
  }

  void see(std::uint32_t writer, Seen& seen) const {
    if (writer == 0) return;
    std::uint32_t& latest = seen[e_.sessions.part(TransactionId(writer - 1))];
    latest = std::max(latest, e_.sessions.place(TransactionId(writer - 1)) + 1);
  }

  bool knows(const SourcedRead& read, TransactionId t, const Seen& seen) const {
    if (is_path("s") && e_.sessions.before(t, read.reader)) return true;
    const auto latest = seen.find(e_.sessions.part(t));
    if (latest != seen.end() && e_.history.outcome(t) != Outcome::indeterminate &&
        e_.sessions.place(t) + 1 < latest->second) {
      return true;
    }
    if (!is_path("rs")) return false;
    const auto readers = readers_.find({read.key, number_of(t)});
    return readers != readers_.end() &&
           std::ranges::any_of(readers->second, [&](TransactionId reader) {
             return e_.sessions.before(reader, read.reader);
           });
  }

  /// What a seen writer has read, and the writers of that, and so on. Sessions and reads-from must
  /// have no circle.
  Status check_writers_reads() {
    std::vector<Node> nodes(e_.history.transaction_count());
    ISOSCOPE_TRY(order, topological());
    Reachability paths;
    for (const TransactionId t : order) {
      std::vector<Node> before;
      if (const auto session = e_.session_before(t)) before.push_back(nodes[session->index()]);
      for (const SourcedRead& read : e_.reads_of(t)) {
        if (read.source != 0) before.push_back(nodes[read.source - 1]);
      }
      nodes[t.index()] = paths.add(before);
    }
    std::vector<const SourcedRead*> asked;
    for (const SourcedRead& read : e_.reads()) {
      std::vector<Node> direct;
      for (const SourcedRead& other : e_.reads_of(read.reader)) {
        if (other.source == 0 || !made_by_then(other, read)) continue;
        direct.push_back(nodes[other.source - 1]);
      }
      asked.push_back(&read);
      const std::size_t set = paths.add_set(direct);
      ISOSCOPE_ENSURE(asked.size() == set + 1);
      for (const TransactionId other : newer(read)) {
        for (const TransactionId reader : readers_[{read.key, number_of(other)}]) {
          paths.forbid(nodes[reader.index()], set);
        }
      }
    }
    if (const auto set = paths.find_forbidden()) return missed(*asked[*set]);
    return Done{};
  }

  Result<std::vector<TransactionId>> topological() const {
    std::vector<std::uint32_t> missing(e_.history.transaction_count(), 0);
    std::map<TransactionId, std::vector<TransactionId>> after;
    std::vector<TransactionId> order;
    std::size_t count = 0;
    for (const TransactionId t : e_.history.transactions()) {
      if (!e_.places.is_taken(t)) continue;
      ++count;
      const auto add = [&](TransactionId before) {
        after[before].push_back(t);
        ++missing[t.index()];
      };
      if (const auto session = e_.session_before(t)) add(*session);
      for (const SourcedRead& read : e_.reads_of(t)) {
        if (read.source != 0) add(TransactionId(read.source - 1));
      }
      if (missing[t.index()] == 0) order.push_back(t);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const TransactionId next : after[order[i]]) {
        if (--missing[next.index()] == 0) order.push_back(next);
      }
    }
    if (order.size() == count) return order;
    return Error{"transactions read from each other in a circle"};
  }

  Execution e_;
  const Rules& rules_;
  std::map<std::pair<KeyId, std::uint32_t>, std::vector<TransactionId>> readers_;  // of a version
};

}  // namespace

Status check_versions(const History& history, const Certificate& certificate) {
  ISOSCOPE_REQUIRE(rules_of(certificate.level).shape == Shape::versions);
  return VersionReplay(history, certificate).run();
}

}  // namespace isoscope::verifier
