#include "report/explain/anomaly_name.h"

#include <algorithm>
#include <set>

#include "report/proof/writes.h"

namespace isoscope::report {

namespace {

using enum FactKind;

constexpr Anomaly cycles[] = {Anomaly::g0,
                              Anomaly::g1c,
                              Anomaly::g_single_item,
                              Anomaly::g_single,
                              Anomaly::g_nonadjacent_item,
                              Anomaly::g_nonadjacent,
                              Anomaly::g2_item,
                              Anomaly::g2};

class Namer {
 public:
  Namer(const Reads& reads, Level level, const CycleToName& cycle)
      : reads_(reads),
        history_(reads.history()),
        level_(level),
        class_level_(level),
        cycle_(cycle),
        edges_(cycle.edges),
        told_(cycle.edges.begin(), cycle.edges.end()) {
    if (level.id == LevelId::prefix_consistency) class_level_.id = LevelId::snapshot_isolation;
    for (NamedEdge& edge : told_) {
      if (!edge.overwritten) continue;
      edge.kind = overwrite;
      edge.key = edge.overwritten;
    }
  }

  CycleName name() const {
    CycleName result;
    result.levels = levels_violated();
    result.anomaly = result.cycle_class = proven_class(result.levels);
    for (const Anomaly story : stories()) {
      if (!forbids(class_level_, story) || !is_proven(story, result.levels)) continue;
      if (cycle_.uses_predicates && implies(story, Anomaly::g2_item)) continue;
      result.anomaly = story;
      break;
    }
    return result;
  }

 private:
  std::size_t count(FactKind kind) const {
    return static_cast<std::size_t>(std::ranges::count(told_, kind, &NamedEdge::kind));
  }
  const NamedEdge& next(std::size_t i) const { return told_[(i + 1) % told_.size()]; }

  /// A name says that every level is violated that forbids the anomaly, at least every such level
  /// that has an order of versions with which dependencies agree.
  static bool is_proven(Anomaly name, const std::vector<LevelId>& violated) {
    return std::ranges::all_of(isoscope::levels(), [&](const LevelEntry& row) {
      const Level level{row.id};
      return !forbids(level, name) || !forbids(level, Anomaly::g1c) ||
             std::ranges::count(violated, row.id) != 0;
    });
  }

  /// The name that the edges give; if what these rest on does not allow that name, one that says
  /// less.
  Anomaly proven_class(const std::vector<LevelId>& violated) const {
    const Anomaly name = plain_name();
    const auto is_it = [&](Anomaly one) { return variant(one) == name; };
    for (auto one = std::ranges::find_if(cycles, is_it); one != std::end(cycles); ++one) {
      if (cycle_.uses_predicates && implies(*one, Anomaly::g2_item)) continue;
      if (forbids(class_level_, variant(*one)) && is_proven(variant(*one), violated)) {
        return variant(*one);
      }
    }
    // What every refutation of the level shows.
    return variant(has_one_event(level_.id) ? Anomaly::g2 : Anomaly::g_nonadjacent);
  }

  Anomaly variant(Anomaly name) const {
    const Anomaly variant = cycle_.uses_real_time       ? with_real_time(name)
                            : cycle_.uses_session_order ? with_session_order(name)
                                                        : name;
    return forbids(class_level_, variant) ? variant : name;
  }

  /// The name that the edges alone give.
  Anomaly plain_name() const {
    const bool item = !cycle_.uses_predicates;
    const Anomaly g2 = item ? Anomaly::g2_item : Anomaly::g2;
    const Anomaly nonadjacent = item ? Anomaly::g_nonadjacent_item : Anomaly::g_nonadjacent;
    Anomaly name = g2;
    bool adjacent = false;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      adjacent = adjacent || (edges_.size() > 1 && told_[i].kind == anti_dependency &&
                              next(i).kind == anti_dependency);
    }
    const std::size_t anti = count(anti_dependency);
    if (count(supposed) != 0) {
      name = has_one_event(level_.id) ? g2 : nonadjacent;
    } else if (anti == 0) {
      name = count(read_dependency) == 0 ? Anomaly::g0 : Anomaly::g1c;
    } else if (anti == 1) {
      name = item ? Anomaly::g_single_item : Anomaly::g_single;
    } else if (!adjacent) {
      name = nonadjacent;
    }
    return variant(name);
  }

  /// The names of special anomalies that fit, most specific first.
  std::vector<Anomaly> stories() const {
    std::vector<Anomaly> found;
    if (edges_.size() == 2) two_transactions(found);
    if (edges_.size() == 3 && is_non_monotonic_read()) {
      found.push_back(Anomaly::non_monotonic_reads);
    }
    if (lists_disagree()) found.push_back(Anomaly::incompatible_order);
    if (is_long_fork()) found.push_back(Anomaly::long_fork);
    if (is_causal()) found.push_back(Anomaly::causality_violation);
    return found;
  }

  void two_transactions(std::vector<Anomaly>& found) const {
    const auto same_source = [&](const NamedEdge& edge) {
      return edge.same_source && edge.value && final_write(history_, edge.from, *edge.key);
    };
    const bool of_writers = std::ranges::all_of(edges_, [](const NamedEdge& edge) {
      return edge.kind == anti_dependency || edge.kind == overwrite;
    });
    if (of_writers && (shows_lost_update() || std::ranges::any_of(edges_, same_source))) {
      found.push_back(Anomaly::lost_update);
    }
    for (const std::size_t i : {0, 1}) {
      const NamedEdge& one = told_[i];
      const NamedEdge& other = told_[1 - i];
      const bool same_key = one.key && one.key == other.key;
      if (other.kind == anti_dependency) {
        if (one.kind == read_dependency) {
          if (is_repeated_query(*one.read, *other.read)) found.push_back(Anomaly::phantom);
          if (one.read->operation < other.read->operation) {
            found.push_back(Anomaly::observed_transaction_vanishes);
          }
          found.push_back(Anomaly::fractured_read);
          if (reads_.operation(*other.read).is_predicate()) {
            found.push_back(Anomaly::predicate_many_preceders);
          }
        }
        if (one.kind == session_order) found.push_back(Anomaly::missing_your_writes);
        // It must be known which of the two versions is the older one.
        const bool known = one.kind == overwrite && !one.overwritten;
        if (known && same_key) found.push_back(Anomaly::g_cursor);
      }
      if (one.kind == session_order && other.kind == overwrite && !other.overwritten) {
        found.push_back(Anomaly::non_monotonic_writes);
      }
    }
    if (count(anti_dependency) != 2) return;
    const bool items = edges_[0].value && edges_[1].value;
    if (!items) found.push_back(Anomaly::predicate_write_skew);
    // Its cycle is shown as one of items.
    if (!cycle_.uses_predicates) found.push_back(Anomaly::write_skew);
  }

  /// Two predicate reads of one transaction with the same predicate, that returned different rows.
  bool is_repeated_query(ReadNumber a, ReadNumber b) const {
    const Operation& one = reads_.operation(a);
    const Operation& other = reads_.operation(b);
    if (one.kind() != OperationKind::predicate_read || other.kind() != one.kind()) return false;
    const PredicateAccess first = history_.predicate_access(one);
    const PredicateAccess second = history_.predicate_access(other);
    if (first.table != second.table || reads_.predicate(a) != reads_.predicate(b)) return false;
    const auto keys_of = [](const PredicateAccess& access) {
      std::set<KeyId> keys;
      for (const RowVersion& row : access.rows) keys.insert(row.key);
      return keys;
    };
    return keys_of(first) != keys_of(second);
  }

  /// Both read one version of a key and both write it, as anybody can see.
  bool shows_lost_update() const {
    for (const NamedEdge& edge : edges_) {
      if (edge.kind != anti_dependency || !edge.sole_source || !edge.value) continue;
      const std::uint32_t reader = edge.read->transaction;
      const std::uint32_t other = edge.from == reader ? edge.to : edge.from;
      if (!committed(reader) || !committed(other)) continue;
      const bool is_list = history_.values().kind(*edge.value) == ValueKind::list;
      const ValueId value = is_list ? reads_.list(*edge.read) : *edge.value;
      if (!overwrites(reader, *edge.key, value) || !overwrites(other, *edge.key, value)) continue;
      if (first_read(other, *edge.key) == value) return true;
    }
    return false;
  }

  /// What a transaction's first item read of the key returned, if it had not written it before.
  std::optional<ValueId> first_read(std::uint32_t transaction, KeyId key) const {
    for (const Operation& first : history_.operations(TransactionId(transaction - 1))) {
      if (!first.is_predicate()) {
        if (first.key() != key) continue;
        return first.is_item_read() ? std::optional(first.value()) : std::nullopt;
      }
      for (const RowVersion& row : history_.predicate_access(first).rows) {
        if (row.key != key) continue;
        const bool is_read = first.kind() == OperationKind::predicate_read;
        return is_read ? std::optional(row.value) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  /// The transaction overwrites it with something else: a third transaction that reads the value
  /// cannot have it from this one.
  bool overwrites(std::uint32_t transaction, KeyId key, ValueId value) const {
    const auto write = final_write(history_, transaction, key);
    if (!write) return false;
    const ValuePool& values = history_.values();
    if (!write->is_append() || values.kind(value) != ValueKind::list) return write->value != value;
    return values.list_size(value) == 0 || values.list_last(value) != write->value;
  }

  bool committed(std::uint32_t transaction) const {
    return std::ranges::any_of(edges_, [&](const NamedEdge& edge) {
      return edge.from == transaction && edge.from_committed;
    });
  }

  bool is_non_monotonic_read() const {
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const NamedEdge& seen = told_[i];
      const NamedEdge& then = next(i);
      const NamedEdge& missed = next((i + 1) % edges_.size());
      if (seen.kind == read_dependency && then.kind == session_order &&
          missed.kind == anti_dependency && seen.key == missed.key) {
        return true;
      }
    }
    return false;
  }

  /// Lists show versions of one key in orders that exclude each other.
  bool lists_disagree() const {
    return std::ranges::all_of(edges_, [&](const NamedEdge& edge) {
      return edge.kind == overwrite && edge.grounds == Grounds::plain && edge.read &&
             edge.key == edges_.front().key;
    });
  }

  bool is_long_fork() const {
    if (edges_.size() != 4 || count(read_dependency) != 2 || count(anti_dependency) != 2) {
      return false;
    }
    std::vector<std::uint32_t> distinct;
    for (const NamedEdge& edge : edges_) distinct.push_back(edge.from);
    std::ranges::sort(distinct);
    return told_[0].kind == told_[2].kind && std::ranges::adjacent_find(distinct) == distinct.end();
  }

  /// One version is older than one that causally precedes its reader.
  bool is_causal() const {
    return count(anti_dependency) == 1 &&
           count(session_order) + count(read_dependency) + 1 == edges_.size();
  }

  std::vector<LevelId> levels_violated() const {
    Grounds worst = Grounds::plain;
    for (const NamedEdge& edge : edges_) {
      worst = std::max(worst, edge.grounds);
      // A transaction that was read from did commit.
      if (!edge.from_committed && edge.kind != read_dependency) worst = Grounds::level;
    }
    std::vector<Anomaly> sure;
    if (edges_.size() == 2 && shows_lost_update()) sure.push_back(Anomaly::lost_update);
    if (worst <= Grounds::dependency) {
      sure.push_back(plain_name());
      for (const Anomaly story : stories()) {
        if (!cycle_.uses_predicates || !implies(story, Anomaly::g2_item)) sure.push_back(story);
      }
    }
    if (worst == Grounds::causal && is_causal()) sure.push_back(Anomaly::causality_violation);
    if (worst <= Grounds::single) {
      const Anomaly one = cycle_.uses_predicates ? Anomaly::g_single : Anomaly::g_single_item;
      sure.push_back(count(anti_dependency) + count(supposed) <= 1 ? variant(one) : plain_name());
    }
    // A history that is not serializable by items alone is not at repeatable read.
    if (!cycle_.uses_predicates && !cycle_.uses_real_time) sure.push_back(Anomaly::g2_item);
    std::vector<LevelId> all;
    for (const LevelEntry& row : isoscope::levels()) {
      const Level level{row.id};
      const bool sees_edges = worst == Grounds::plain || forbids(level, Anomaly::g1c);
      const auto refuted = [&](Anomaly one) { return sees_edges && forbids(level, one); };
      if (implies(level, level_) || std::ranges::any_of(sure, refuted)) all.push_back(row.id);
    }
    return all;
  }

  const Reads& reads_;
  const History& history_;
  Level level_;
  /// The level whose forbidden cycles give the name. Prefix consistency forbids no class of cycles,
  /// so its refutations are named as those of snapshot isolation, which each of them refutes, too.
  Level class_level_;
  const CycleToName& cycle_;
  std::span<const NamedEdge> edges_;
  /// The same with anti-dependencies as overwrites where they are told so. This is sound. Let T ->
  /// U be such an edge, where both write a key. If T's version is the older one, U overwrote it. If
  /// not, U -> T is an overwrite, and with T -> U there is a cycle with one anti-dependency, which
  /// is as bad.
  std::vector<NamedEdge> told_;
};

}  // namespace

CycleName name_of(const Reads& reads, Level level, const CycleToName& cycle) {
  return Namer(reads, level, cycle).name();
}

std::optional<Anomaly> common_name(Level level, std::span<const Anomaly> anomalies) {
  const auto fits = [&](Anomaly name) {
    return forbids(level, name) &&
           std::ranges::all_of(anomalies, [&](Anomaly one) { return implies(one, name); });
  };
  if (!anomalies.empty() && fits(anomalies.front())) return anomalies.front();
  for (const auto variant : {+[](Anomaly a) { return a; }, &with_session_order, &with_real_time}) {
    for (const Anomaly name : cycles) {
      if (fits(variant(name))) return variant(name);
    }
  }
  return std::nullopt;
}

}  // namespace isoscope::report
