#pragma once

#include "level/small_history.h"

namespace isoscope::small {

/// What follows from a history, with session order or without, before any level is asked for.
struct Facts {
  struct Read {
    int reader;
    int place;  ///< among the reader's operations
    int key;
    int source;
  };

  Facts(const History& from, bool session_order) : history(from), size(from.size()) {
    for (int t = 1; t < size; ++t) {
      if (aborted(t)) continue;
      so.add(0, t);
      const Transaction& transaction = history.transactions[t];
      for (int s = 1; s < size; ++s) {
        const Transaction& other = history.transactions[s];
        if (s == t || other.aborted) continue;
        if (session_order && s < t && other.session == transaction.session) so.add(s, t);
        if (other.end < transaction.begin) real_time.add(s, t);
      }
      for (int i = 0; i < static_cast<int>(transaction.operations.size()); ++i) {
        const Operation& operation = transaction.operations[i];
        if (operation.is_write) {
          updates |= only(t);
        } else if (aborted(operation.source)) {
          valid_reads = false;
        } else {
          reads.push_back({t, i, operation.key, operation.source});
          wr.add(operation.source, t);
        }
      }
    }
    for (const std::vector<int>& versions : history.versions) {
      auto& of_key = later.emplace_back();
      for (std::size_t i = 0; i < versions.size(); ++i) {
        for (std::size_t j = i + 1; j < versions.size(); ++j) {
          of_key[versions[i]] |= only(versions[j]);
          ww.add(versions[i], versions[j]);
        }
      }
    }
    for (const Read& read : reads) rw.to[read.reader] |= newer_than(read) & ~only(read.reader);
    dependencies = so | wr | ww;
  }

  bool aborted(int t) const { return history.transactions[t].aborted; }
  bool writes(int t, int key) const {
    return !aborted(t) && (t == 0 || history.transactions[t].writes(key));
  }
  Set newer_than(const Read& read) const { return later[read.key][read.source]; }

  const History& history;
  int size;
  Relation so;         ///< session order; the initial transaction before all
  Relation wr;         ///< reads-from
  Relation ww;         ///< version orders
  Relation rw;         ///< anti-dependencies
  Relation real_time;  ///< ended before the other began
  Relation dependencies;
  std::vector<Read> reads;                               ///< of committed transactions and writers
  std::vector<std::array<Set, max_transactions>> later;  ///< of each key and writer: later writers
  Set updates = only(0);                                 ///< transactions that write
  bool valid_reads = true;
};

}  // namespace isoscope::small
