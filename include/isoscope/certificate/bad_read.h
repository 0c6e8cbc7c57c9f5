#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

/// An operation of a history, by its transaction and its place among the transaction's operations.
struct OperationRef {
  TransactionId transaction;
  std::uint32_t operation = 0;

  auto operator<=>(const OperationRef&) const = default;
};

/// A set of kinds of findings.
class ReadFindings {
 public:
  constexpr ReadFindings() = default;
  constexpr ReadFindings(std::initializer_list<ReadFinding> kinds) {
    for (const ReadFinding kind : kinds) add(kind);
  }
  /// Every kind that `level` forbids.
  static ReadFindings forbidden_by(Level level);

  constexpr void add(ReadFinding kind) { bits_ |= bit(kind); }
  constexpr void remove(ReadFinding kind) { bits_ &= static_cast<std::uint8_t>(~bit(kind)); }
  constexpr bool has(ReadFinding kind) const { return (bits_ & bit(kind)) != 0; }
  constexpr bool has_all(ReadFindings others) const { return (others.bits_ & ~bits_) == 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool operator==(const ReadFindings&) const = default;

 private:
  static constexpr std::uint8_t bit(ReadFinding kind) {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(kind));
  }

  std::uint8_t bits_ = 0;
};

/// What exactly is wrong with a bad read: the finding's kind says which law is broken, this says
/// how. After the colon, each comment names the operations that are involved.
enum class ReadProblem : std::uint8_t {
  /// Not what the transaction itself wrote last: that write.
  own_write,
  /// The list does not end in the transaction's own appends: the last one not in its place.
  own_append,
  /// A predicate lacks a row that the transaction itself wrote: that write.
  own_row_missing,
  /// A predicate write changed a row that the transaction itself had written so that the predicate
  /// does not select it: that write.
  own_row_unselected,
  /// A predicate read returned a row its predicate does not select: nothing.
  row_not_selected,
  /// Only aborted transactions wrote the value (appended the element): their writes.
  aborted_writer,
  /// Its writers themselves overwrote the value: their writes of it.
  overwritten,
  /// Some of a transaction's appends without the others, or out of order: two of them.
  torn_appends,
  /// Elements were appended more than once, and in no way do the appends make this list: nothing.
  unexplained_list,
  /// Only the reader itself writes the value (appends the element), later: that write.
  own_later_write,
  /// Nobody wrote the value (appended the element): nothing.
  never_written,
  /// The list has an element more often than it was appended: its append.
  repeated_element,
  /// The list does not start as the key's initial list does: nothing.
  lost_initial,
  /// A predicate left out a row though it selects every version: writes it does not select that
  /// cannot excuse it, being aborted, overwritten by their own transaction, or the reader's later
  /// ones.
  row_missing,
  /// A predicate write changed a row of which the predicate selects no version: writes it selects
  /// that cannot excuse it.
  changed_unselected,
  /// Differs from the transaction's first read of the key: that read.
  changed,
};

/// A read that breaks a law every sane history obeys: evidence against each level that forbids its
/// kind.
///
/// A predicate read that returned several rows can be bad for several keys, and a list for several
/// elements: each is a BadRead of its own.
struct BadRead {
  ReadFinding kind = ReadFinding::thin_air_read;
  ReadProblem problem = ReadProblem::never_written;
  /// Every kind this read could be, `kind` included. Where values repeat, one read can be explained
  /// in several ways (an aborted and an overwritten write of the same value); it is evidence
  /// against a level only when the level forbids all of them.
  ReadFindings possible;
  OperationRef read;
  KeyId key;
  /// What was returned. It is nil for a missing row, and for a row that a predicate write changed,
  /// because such a write does not say what it found.
  ValueId value;
  /// For a list this is the element at fault, or unreported if no particular element is. Otherwise
  /// it is the value.
  ValueId element;

  static constexpr std::size_t max_involved = 3;

  /// The other operations that are involved, at most max_involved of them.
  std::span<const OperationRef> involved() const {
    return std::span(involved_).first(involved_count_);
  }
  /// How many more operations are involved.
  std::uint32_t involved_left_out() const { return left_out_; }
  void involve(OperationRef operation) {
    if (involved_count_ == max_involved) {
      ++left_out_;
    } else {
      involved_[involved_count_++] = operation;
    }
  }
  void leave_out(std::size_t count) { left_out_ += static_cast<std::uint32_t>(count); }

  bool refutes(ReadFindings forbidden) const { return forbidden.has_all(possible); }

 private:
  std::uint8_t involved_count_ = 0;
  std::array<OperationRef, max_involved> involved_;
  std::uint32_t left_out_ = 0;
};

}  // namespace isoscope
