#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/id.h"
#include "isoscope/history/small_integers.h"

namespace isoscope {

struct ValueTag;
/// A value of the pool: equal ids are equal values, so checkers compare integers and never look
/// inside.
using ValueId = Id<ValueTag>;

enum class ValueKind : std::uint8_t {
  nil,         ///< no value: a register never written, a row that does not exist
  unreported,  ///< a read whose result the client never learned; it says nothing
  integer,
  string,  ///< valid UTF-8, compared bytewise
  row,     ///< named columns, each nil, an integer or a string
  list,    ///< what list appends build
};

/// One column of a row: its name (a string value) and what it holds (nil, integer or string).
struct Column {
  ValueId name;
  ValueId value;

  bool operator==(const Column&) const = default;
};

/// The names of a row's columns, for many rows that have the same ones: what depends only on the
/// names is done once. Made by ValuePool::row_shape().
class RowShape {
 public:
  std::size_t size() const { return columns_.size(); }

 private:
  friend class ValuePool;

  struct NamedPlace {
    ValueId name;
    std::uint32_t place;  // in the order in which the values of a row are given
  };
  std::vector<NamedPlace> columns_;   // sorted by name
  std::vector<std::uint32_t> ranks_;  // in columns_, by place
};

/// Every value of a history, each stored once.
///
/// A list is stored as its longest proper prefix and its last element. The lists that readers of
/// one key see are mostly prefixes of each other, so a thousand reads of a thousand-element list
/// cost a thousand entries and not a million; and "is a prefix of" is a walk.
///
/// Keys and values are mostly small integers, given out one after the other, so these are found in
/// a table by their number, with one look; everything else by hashing.
///
/// Costs 15 to 30 bytes a distinct value while building, 9 after freeze().
class ValuePool {
 public:
  static constexpr ValueId nil = ValueId(0);
  static constexpr ValueId unreported = ValueId(1);
  static constexpr ValueId empty_list = ValueId(2);

  ValuePool();
  /// A pool for add_all() of another one: it does not look whether it has an integer or a row
  /// already, so equal ones, and the lists of them, have different ids.
  static ValuePool draft();
  bool is_draft() const { return is_draft_; }

  ValueId integer(std::int64_t value);
  /// A hint that integer(value) will be asked soon: where there are many, it mostly waits for
  /// memory.
  void prefetch_integer(std::int64_t value) const {
    const auto number = static_cast<std::uint64_t>(value);
    if (small_integers_.covers(number)) {
      small_integers_.prefetch(number);
    } else {
      prefetch_large_integer(value);
    }
  }
  /// `text` must be valid UTF-8 (readers check it).
  ValueId string(std::string_view text);
  /// Columns in any order, names distinct; they are kept sorted by name, so equal rows are equal
  /// ids.
  ValueId row(std::span<const Column> columns);
  /// For rows with these columns; names distinct.
  RowShape row_shape(std::span<const ValueId> names) const;
  /// The row of that shape whose columns hold these integers, in the order of the shape's names.
  /// As if each was asked for with integer() and then the row, but a row that is there is found
  /// without looking for its integers.
  ValueId row(const RowShape& shape, std::span<const std::int64_t> integers);
  /// Hints that this row will be asked for soon: first where to look for it, then, some time later,
  /// what is there.
  void prefetch_row(const RowShape& shape, std::span<const std::int64_t> integers) const;
  void prefetch_row_content(const RowShape& shape, std::span<const std::int64_t> integers) const;
  /// The list `prefix` (which must be one) with one more element.
  ValueId list_with(ValueId prefix, ValueId element);
  /// Every value of another pool, in that one's order: the ids they have here, by their id there.
  std::vector<ValueId> add_all(const ValuePool& other);

  std::size_t size() const { return kinds_.size(); }
  ValueKind kind(ValueId value) const { return kinds_[value.index()]; }
  bool is_scalar(ValueId value) const {
    const ValueKind k = kind(value);
    return k == ValueKind::nil || k == ValueKind::integer || k == ValueKind::string;
  }

  // Each may be asked only of a value of its kind.
  std::int64_t integer_of(ValueId value) const;
  std::string_view string_of(ValueId value) const;
  std::span<const Column> row_of(ValueId value) const;
  std::size_t list_size(ValueId list) const;
  /// Of a list that is not empty.
  ValueId list_prefix(ValueId list) const;
  ValueId list_last(ValueId list) const;
  /// All elements in order; costs the list's length.
  std::vector<ValueId> list_elements(ValueId list) const;

  /// No value will be added any more: drops the index that finds duplicates.
  void freeze();
  std::size_t memory() const;

 private:
  /// The id of the value with this kind and content, which `same` recognises among the candidates
  /// and `payload` makes when there is none.
  template <class Same, class MakePayload>
  ValueId intern(ValueKind kind, std::uint64_t hash, const Same& same, const MakePayload& payload);
  /// Where in the index the value is, or the free place where it would be.
  template <class Same>
  std::size_t find_slot(ValueKind kind, std::uint64_t hash, const Same& same) const;
  std::size_t first_slot(std::uint64_t hash) const { return hash >> 32 & (index_.size() - 1); }
  ValueId id_in(std::size_t slot) const;
  void fill_slot(std::size_t slot, std::uint64_t hash, ValueId id);
  ValueId add(ValueKind kind, std::uint64_t payload);
  static std::uint64_t hash_row(const RowShape& shape, std::span<const std::int64_t> integers);
  void prefetch_large_integer(std::int64_t value) const;
  void grow_index();
  void widen_small_integers(std::uint64_t integer);

  std::vector<ValueKind> kinds_;
  // integer: itself; string: offset << 28 | size; row: offset << 28 | count; list: prefix << 32 |
  // last.
  std::vector<std::uint64_t> payloads_;
  std::vector<char> text_;
  std::vector<Column> columns_;
  std::vector<std::uint64_t> index_;  // open addressing, of hashes and ids
  std::size_t indexed_ = 0;           // how many are in it
  SmallIntegers small_integers_;      // their ids; 0, which is nil's: not seen yet
  bool is_draft_ = false;
};

}  // namespace isoscope
