#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "isoscope/history/history.h"
#include "shrink/part.h"
#include "shrink/source_times.h"
#include "shrink/write_index.h"

namespace isoscope::shrinking {

/// What must stay in a part of a history for one of its reads to stay, too.
struct Needs {
  /// The read says nothing, so it need not stay.
  bool says_nothing = false;
  std::vector<WriteAt> all = {};
  /// At least one of these must stay, if there are any.
  std::vector<WriteAt> one_of = {};
  /// From each of these, all must stay or none.
  std::vector<std::vector<WriteAt>> together = {};
};

/// Says for each read of a history what it needs (isoscope/shrink/shrink.h has the rule and why it
/// is right). A read is named by transaction, place and key: a predicate operation reads many.
class ReadNeeds {
 public:
  explicit ReadNeeds(const History& history)
      : history_(history), index_(std::make_shared<WriteIndex>(history)) {}

  /// The same needs, except that sources which real time rules out need not stay. If it rules out
  /// all of them, one must stay, so that the read has a source.
  ReadNeeds with_times(const SourceTimes& times) const;

  const WriteIndex& index() const { return *index_; }
  Needs of(TransactionId reader, std::uint32_t place, KeyId key) const;
  /// About how many transactions the read may be from, without looking at each.
  std::size_t source_count(TransactionId reader, std::uint32_t place, KeyId key) const;

  /// Does the part have all that the read needs?
  bool is_met(const Part& part, TransactionId reader, std::uint32_t place, KeyId key) const;

  /// Does the predicate select what the key holds?
  bool selects(const Predicate& predicate, KeyId key, ValueId value) const;

 private:
  struct Reader {
    TransactionId id;
    std::uint32_t place;
  };
  /// What a read of a register may have returned.
  struct Versions {
    explicit Versions(bool initial) : initial_fits(initial) {}
    void add(TransactionId reader, const WriteIndex::Write& write);

    bool initial_fits;
    std::vector<WriteAt> clean = {};
    std::vector<WriteAt> dirty = {};  // of aborted transactions, or overwritten by their own
  };
  void value_read(Reader reader, KeyId key, ValueId value, Needs& needs) const;
  void list_read(Reader reader, KeyId key, ValueId value, Needs& needs) const;
  void version_read(Reader reader, KeyId key, Versions& versions, Needs& needs) const;
  void sources(Reader reader, KeyId key, const Versions& versions, Needs& needs) const;
  /// What was written to the key that the predicate selects, and what it does not.
  struct RowWrites {
    std::vector<const WriteIndex::Write*> selected;
    std::vector<const WriteIndex::Write*> unselected;
  };
  const RowWrites& row_writes(PredicateId predicate, KeyId key) const;
  void row_choice(Reader reader, KeyId key, PredicateId predicate, bool selected,
                  Needs& needs) const;
  void add_unreported(Reader reader, KeyId key, Needs& needs) const;
  void add_every_write(KeyId key, Needs& needs) const;
  void add_appends(KeyId key, ValueId element, Needs& needs) const;
  /// The reader's own writes of the key before, in their order.
  std::vector<WriteAt> own_writes(Reader reader, KeyId key) const;

  const History& history_;
  std::shared_ptr<const WriteIndex> index_;
  const SourceTimes* times_ = nullptr;                               // none: time rules nothing out
  mutable std::unordered_map<std::uint64_t, RowWrites> row_writes_;  // by predicate and key
};

}  // namespace isoscope::shrinking
