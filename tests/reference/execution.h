#pragma once

#include <vector>

#include "reference/relation.h"

namespace isoscope::reference {

/// What happened, of which a history shows only a part: which transaction read from which, and in
/// which order the versions of each key replaced each other. The definitions of levels are about
/// executions.
///
/// Example: T1 w(x,1) | T2 r(x,1) is the execution in which x has the versions 0 (the initial one),
/// 1, and transaction 2 reads x from 1.
///
/// Invariants: transactions are numbered from 0, the initial one, which has a version of every key;
/// the relations are what their comments say about the reads and versions added so far. It grows by
/// adding, and never shrinks: callers that want to try something try it on a copy. No relation, and
/// none of the facts that definitions look at, ever gets smaller by adding; so what is forbidden
/// already stays forbidden.
struct Execution {
  struct Read {
    int reader;
    int place;  ///< among the reader's operations; what one predicate reads is at one place
    int key;
    int source;  ///< the transaction whose version it returned, or `nobody`
    bool item;   ///< of a key, or a row that a predicate returned; not a row it did not return
    bool base = false;  ///< of what an update was applied to
  };
  struct Write {
    int writer;
    int place;  ///< of the transaction's first write of the key
    int key;
  };
  /// The source of a read that returned no version: an aborted read, for example.
  static constexpr int nobody = -1;

  Execution() = default;
  Execution(int transactions, int keys, const Relation& session_order, const Relation& time)
      : size(transactions), so(session_order), real_time(time) {
    for (int key = 0; key < keys; ++key) {
      versions.push_back({0});
      later.emplace_back();
    }
  }

  /// A new last version of the key.
  void add_version(const Write& write) {
    std::vector<int>& of_key = versions[write.key];
    for (const int older : of_key) {
      ww.add(older, write.writer);
      later[write.key].add(older, write.writer);
    }
    for (const Read& read : reads) {
      if (read.key == write.key) add_anti_dependencies(read);
    }
    of_key.push_back(write.writer);
    writes.push_back(write);
    updates |= only(write.writer);
  }

  /// A read of a version that was added before (the initial one is always there). One of nobody's
  /// is only remembered as not valid.
  void add_read(const Read& read) {
    if (read.source == nobody) {
      valid_reads = false;
      return;
    }
    reads.push_back(read);
    wr.add(read.source, read.reader);
    add_anti_dependencies(read);
  }

  /// The writers of versions of the same key that are newer than the one read.
  Set newer_than(const Read& read) const { return later[read.key].after(read.source); }

  int size = 1;
  Relation so;         ///< session order, if it counts; the initial transaction before all
  Relation real_time;  ///< ended before the other began
  Relation wr;         ///< read dependencies: reads-from
  Relation ww;         ///< write dependencies: version orders
  Relation rw;         ///< anti-dependencies
  Relation item_rw;    ///< those of item reads
  std::vector<Read> reads;
  std::vector<Write> writes;               ///< those of the initial transaction are not listed
  std::vector<std::vector<int>> versions;  ///< of each key: the writers, in version order
  std::vector<Relation> later;             ///< the same as relations
  Set updates = 0;                         ///< transactions that write
  bool valid_reads = true;

 private:
  void add_anti_dependencies(const Read& read) {
    const Set newer = newer_than(read) & ~only(read.reader);
    rw.to[read.reader] |= newer;
    if (read.item) item_rw.to[read.reader] |= newer;
  }
};

}  // namespace isoscope::reference
