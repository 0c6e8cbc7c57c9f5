#pragma once

#include <deque>
#include <vector>

#include "isoscope/history/history_builder.h"
#include "store/footprint.h"
#include "store/versions.h"

namespace isoscope {

/// What the latest commits have read and written, for stores that decide at commit whether a
/// transaction fits. Old commits are forgotten as soon as no running transaction can conflict with
/// them, so the log is about as long as the run is concurrent.
class CommitLog {
 public:
  struct Entry {
    Sequence upto = 0;  ///< what the transaction saw
    Footprint footprint = {};
  };

  CommitLog(const HistoryBuilder& names, const Versions& versions)
      : names_(names), versions_(versions) {}

  /// Commits come in order, every one of them.
  void add(Sequence commit, Entry entry);
  /// No transaction that runs or will run is concurrent with these.
  void forget_up_to(Sequence commit);

  /// Did a commit after the transaction's reads change what it has read? `past_begin`: only what
  /// was committed after this counts; `written` and `unwritten`: whether keys that the transaction
  /// writes itself (does not write) count; `scans`: whether predicates do.
  struct Looked {
    Sequence past_begin = 0;
    bool written = true;
    bool unwritten = true;
    bool scans = true;
  };
  bool reads_are_current(const Footprint& footprint, const Looked& looked) const;

  /// If a transaction that saw `upto` commits next, do all anti-dependencies between concurrent
  /// transactions stay alone? That is so if no transaction both has one and stands at the end of
  /// another. Then every execution of a store with snapshots is serializable (Cahill, Roehm,
  /// Fekete: Serializable isolation for snapshot databases, SIGMOD 2008), and as the log flags only
  /// committed transactions, none of them ever has to be taken back. The flags are set if the
  /// answer is yes.
  bool has_no_pivot(const Footprint& footprint, Sequence upto, bool with_scans);

 private:
  struct Flags {
    bool read_before_another = false;   // it read what a concurrent transaction overwrote
    bool written_after_a_read = false;  // it overwrote what a concurrent transaction had read
  };

  Flags& flags(Sequence commit);
  Sequence end() const { return first_ + static_cast<Sequence>(entries_.size()); }
  /// Can the write change what the scan returned to a transaction that saw `upto`?
  bool matters(const Footprint::Scan& scan, const Footprint::Write& write, Sequence upto) const;
  bool changed_since(const Footprint::Scan& scan) const;
  bool selects(const Footprint::Scan& scan, KeyId key, ValueId value) const;

  const HistoryBuilder& names_;
  const Versions& versions_;
  std::deque<Entry> entries_;
  std::deque<Flags> flags_;                     // of each entry, and of the next one that may come
  Sequence first_ = 1;                          // the commit of entries_.front()
  std::vector<std::vector<Sequence>> readers_;  // of each key: commits that read it
};

}  // namespace isoscope
