#pragma once

#include <optional>

#include "isoscope/level/anomaly.h"
#include "level/small_history.h"

namespace isoscope::small {

using reference::Execution;
using reference::has;
using reference::Relation;

/// Is there a cycle of `all` that has an edge of `some`?
inline bool cycle_through(const Relation& some, const Relation& all) {
  const Relation reach = closure(all);
  for (int a = 0; a < reference::max_transactions; ++a) {
    for (int b = 0; b < reference::max_transactions; ++b) {
      if (some.holds(a, b) && (a == b || reach.holds(b, a))) return true;
    }
  }
  return false;
}

/// Whether a history shows an anomaly; nothing for those that small histories cannot show
/// (predicates, lists, start points, several writes of a key). `counted` is with session order or
/// without: the anomalies that look at sessions look at what it counts.
inline std::optional<bool> shows(const Execution& plain, const Execution& counted,
                                 Anomaly anomaly) {
  const Relation& rw = plain.rw;
  const Relation dependencies = plain.so | plain.wr | plain.ww;
  const Relation with_sessions = counted.so | plain.wr | plain.ww;
  const Relation with_time = with_sessions | plain.real_time;
  const auto single = [&](const Relation& d) { return !irreflexive(closure(d) * rw); };
  const auto nonadjacent = [&](const Relation& d) { return cycle_through(d * rw, d | d * rw); };
  const auto g2 = [&](const Relation& d) { return cycle_through(rw, d | rw); };
  const auto some_read = [&](auto bad) {
    return std::any_of(plain.reads.begin(), plain.reads.end(), bad);
  };
  switch (anomaly) {
    case Anomaly::g1a:
      return !plain.valid_reads;
    case Anomaly::non_repeatable_read:
      return some_read([&](const Execution::Read& a) {
        return some_read([&](const Execution::Read& b) {
          return a.reader == b.reader && a.key == b.key && a.source != b.source;
        });
      });
    case Anomaly::g0:
      return !acyclic(plain.ww);
    case Anomaly::g0_process:
      return !acyclic(plain.ww | counted.so);
    case Anomaly::g0_realtime:
      return !acyclic(plain.ww | counted.so | plain.real_time);
    case Anomaly::g1c:
      return !acyclic(dependencies);
    case Anomaly::g1c_process:
      return !acyclic(with_sessions);
    case Anomaly::g1c_realtime:
      return !acyclic(with_time);
    case Anomaly::g1:
      return !plain.valid_reads || !acyclic(dependencies);
    case Anomaly::g1_process:
      return !plain.valid_reads || !acyclic(with_sessions);
    case Anomaly::g1_realtime:
      return !plain.valid_reads || !acyclic(with_time);
    case Anomaly::g_single_item:
    case Anomaly::g_single:
      return single(dependencies);
    case Anomaly::g_single_item_process:
    case Anomaly::g_single_process:
      return single(with_sessions);
    case Anomaly::g_single_item_realtime:
    case Anomaly::g_single_realtime:
      return single(with_time);
    case Anomaly::g_nonadjacent_item:
    case Anomaly::g_nonadjacent:
      return nonadjacent(dependencies);
    case Anomaly::g_nonadjacent_item_process:
    case Anomaly::g_nonadjacent_process:
      return nonadjacent(with_sessions);
    case Anomaly::g_nonadjacent_item_realtime:
    case Anomaly::g_nonadjacent_realtime:
      return nonadjacent(with_time);
    case Anomaly::g2_item:
    case Anomaly::g2:
      return g2(dependencies);
    case Anomaly::g2_item_process:
    case Anomaly::g2_process:
      return g2(with_sessions);
    case Anomaly::g2_item_realtime:
    case Anomaly::g2_realtime:
      return g2(with_time);
    case Anomaly::g_cursor:
      return some_read([&](const Execution::Read& read) {
        for (int t = 1; t < plain.size; ++t) {
          if (t != read.reader && has(plain.newer_than(read), t) &&
              plain.later[read.key].holds(t, read.reader)) {
            return true;
          }
        }
        return false;
      });
    case Anomaly::g_update:
      for (int t = 1; t < plain.size; ++t) {
        Relation some;
        for (int from = 1; from < plain.size; ++from) {
          if (from == t || has(plain.updates, from)) some.to[from] = rw.to[from];
        }
        if (cycle_through(some, dependencies | some)) return true;
      }
      return false;
    case Anomaly::observed_transaction_vanishes:
      return some_read([&](const Execution::Read& read) {
        return some_read([&](const Execution::Read& earlier) {
          return earlier.reader == read.reader && earlier.place < read.place &&
                 has(plain.newer_than(read), earlier.source);
        });
      });
    case Anomaly::fractured_read:
      return !irreflexive(plain.wr * rw);
    case Anomaly::causality_violation:
      return !irreflexive(closure(counted.so | counted.wr) * rw);
    case Anomaly::lost_update:
      return some_read([&](const Execution::Read& a) {
        return some_read([&](const Execution::Read& b) {
          return a.reader != b.reader && a.key == b.key && a.source == b.source &&
                 has(plain.newer_than(a), a.reader) && has(plain.newer_than(b), b.reader);
        });
      });
    case Anomaly::write_skew:
      return !irreflexive(rw * rw);
    case Anomaly::long_fork:
      return !irreflexive(plain.wr * rw * plain.wr * rw);
    case Anomaly::missing_your_writes:
      return !irreflexive(counted.so * rw);
    case Anomaly::non_monotonic_reads:
      return some_read([&](const Execution::Read& read) {
        return some_read([&](const Execution::Read& earlier) {
          return counted.so.holds(earlier.reader, read.reader) && earlier.key == read.key &&
                 has(plain.newer_than(read), earlier.source);
        });
      });
    case Anomaly::non_monotonic_writes:
      return !irreflexive(counted.so * plain.ww);
    default:
      return std::nullopt;
  }
}

}  // namespace isoscope::small
