#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/id.h"
#include "isoscope/base/prefetch.h"
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

/// The columns of a row, sorted by name.
class RowColumns {
 public:
  class Iterator {
   public:
    using value_type = Column;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const Column* at, std::uint32_t first) : at_(at), first_(first) {}
    Column operator*() const { return {at_->name, ValueId(at_->value.value + first_)}; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++at_;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const Column* at_ = nullptr;
    std::uint32_t first_ = 0;
  };

  /// As they stand in `columns`, but with values that are counted from `first` on.
  RowColumns(std::span<const Column> columns, std::uint32_t first)
      : columns_(columns), first_(first) {}

  std::size_t size() const { return columns_.size(); }
  Column operator[](std::size_t rank) const { return *Iterator(&columns_[rank], first_); }
  Iterator begin() const { return {columns_.data(), first_}; }
  Iterator end() const { return {columns_.data() + columns_.size(), first_}; }

 private:
  std::span<const Column> columns_;
  std::uint32_t first_;
};

/// The names of a row's columns, for many rows of integers that have the same ones: what depends
/// only on the names is done once. Made by ValuePool::row_shape(), and of use only there.
class RowShape {
 public:
  std::size_t size() const { return size_; }

 private:
  friend class ValuePool;
  RowShape() = default;
  RowShape(std::size_t first_column, std::size_t size) : first_column_(first_column), size_(size) {}

  std::size_t first_column_ = 0;
  std::size_t size_ = 0;
};

/// Every value of a history, each stored once.
///
/// The only exception are integers in rows that were made by a shape: these rows have integers of
/// their own, which nobody looks for. So equal integers in such rows may have different ids.
///
/// A list is stored as its longest proper prefix and its last element. The lists that readers of
/// one key see are mostly prefixes of each other, so a thousand reads of a thousand-element list
/// cost a thousand entries and not a million; and "is a prefix of" is a walk.
///
/// Keys and values are mostly small integers, given out one after the other, so these are found in
/// a table by their number, with one look; everything else by hashing.
///
/// Costs 15 to 30 bytes a distinct value while building, 5 or 9 after freeze().
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
  /// Makes room for this many values, whose strings have `text` bytes in all. Growing step by step
  /// would touch twice as much memory.
  void reserve(std::size_t values, std::size_t text);

  ValueId integer(std::int64_t value) {
    const std::uint32_t known = small_integers_.at(static_cast<std::uint64_t>(value));
    return known != 0 ? ValueId(known) : find_integer(value);
  }
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
  ValueId string(std::string_view text) { return string(text, string_hash(text)); }
  /// The same in steps, which lets the memory come that there is to wait for: what the string is
  /// looked for by, then a hint that it will be asked for soon.
  static std::uint64_t string_hash(std::string_view text);
  void prefetch_string(std::uint64_t hash) const { prefetch(&index_[first_slot(hash)]); }
  ValueId string(std::string_view text, std::uint64_t hash);
  /// Columns in any order, names distinct; they are kept sorted by name, so equal rows are equal
  /// ids.
  ValueId row(std::span<const Column> columns);
  /// For rows with these columns; names distinct.
  RowShape row_shape(std::span<const ValueId> names);
  /// The row of that shape whose columns hold these integers, in the order of the shape's names.
  /// The same as a row made of columns that hold them.
  ValueId row(const RowShape& shape, std::span<const std::int64_t> integers) {
    return row(shape, integers, row_hash(shape, integers));
  }
  /// The same in steps, which lets the memory come that there is to wait for: what the row is
  /// looked for by, then hints that it will be asked for soon: first where to look for it, some
  /// time later what is there.
  std::uint64_t row_hash(const RowShape& shape, std::span<const std::int64_t> integers) const;
  void prefetch_row(std::uint64_t hash) const { prefetch(&index_[first_slot(hash)]); }
  void prefetch_row_content(std::uint64_t hash) const;
  ValueId row(const RowShape& shape, std::span<const std::int64_t> integers, std::uint64_t hash);
  /// The list `prefix` (which must be one) with one more element.
  ValueId list_with(ValueId prefix, ValueId element);
  /// Every value of another pool, in that one's order: the ids they have here, by their id there.
  /// nil for integers that rows have of their own.
  std::vector<ValueId> add_all(const ValuePool& other);

  std::size_t size() const { return kinds_.size(); }
  /// May equal integers have different ids?
  bool has_integers_of_rows() const { return has_integers_of_rows_; }
  ValueKind kind(ValueId value) const { return kinds_[value.index()]; }
  bool is_scalar(ValueId value) const {
    const ValueKind k = kind(value);
    return k == ValueKind::nil || k == ValueKind::integer || k == ValueKind::string;
  }

  // Each may be asked only of a value of its kind.
  std::int64_t integer_of(ValueId value) const;
  std::string_view string_of(ValueId value) const;
  RowColumns row_of(ValueId value) const;
  std::size_t list_size(ValueId list) const;
  /// The list must not be empty.
  ValueId list_prefix(ValueId list) const;
  ValueId list_last(ValueId list) const;
  /// All elements in order; costs the list's length.
  std::vector<ValueId> list_elements(ValueId list) const;

  /// No value will be added any more: drops the index that finds duplicates, and half of each
  /// integer if all of them are small.
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
  std::uint64_t payload(ValueId value) const {
    return narrow_payloads_.empty() ? payloads_[value.index()] : narrow_payloads_[value.index()];
  }
  ValueId find_integer(std::int64_t value);
  std::span<const Column> columns_of(const RowShape& shape) const {
    return std::span(columns_).subspan(shape.first_column_, shape.size_);
  }
  bool is_same_scalar(ValueId a, ValueId b) const;
  /// How many of the values right behind this one are a row's own integers.
  std::size_t own_integers(std::size_t id) const;
  void prefetch_large_integer(std::int64_t value) const;
  void resize_index(std::size_t size);
  void widen_small_integers(std::uint64_t integer);

  std::vector<ValueKind> kinds_;
  // integer: itself; string: offset << 28 | size; row: offset << 28 | count; list: prefix << 32 |
  // last.
  std::vector<std::uint64_t> payloads_;
  // Instead of them after freeze(), if all of them fit: values are mostly small integers.
  std::vector<std::uint32_t> narrow_payloads_;
  std::vector<char> text_;
  // The columns of rows hold the ids of values. The columns of shapes hold places among the
  // integers that a row is given. Such a row has the highest bit of its payload set, and these
  // integers stand right behind it.
  std::vector<Column> columns_;
  RowShape latest_shape_;
  std::vector<std::uint64_t> index_;  // open addressing, of hashes and ids
  std::size_t indexed_ = 0;           // how many are in it
  SmallIntegers small_integers_;      // their ids; 0, which is nil's: not seen yet
  bool is_draft_ = false;
  bool has_integers_of_rows_ = false;
};

}  // namespace isoscope
