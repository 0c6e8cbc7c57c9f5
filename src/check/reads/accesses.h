#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/base/limits.h"
#include "isoscope/certificate/bad_read.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// What a register holds: formats use both nil and the empty list where there is nothing.
inline ValueId register_value(ValueId value) {
  return value == ValuePool::empty_list ? ValuePool::nil : value;
}

/// One operation, or one row of a predicate operation, seen from its key: 12 bytes. The empty list
/// counts as nil here, also of a list.
class Access {
 public:
  enum class Kind : std::uint8_t { read, write, append };
  static constexpr std::size_t max_operations = std::size_t{1} << 30;

  Access() = default;
  Access(Kind kind, OperationRef at, ValueId its_value)
      : transaction(at.transaction),
        value(its_value),
        place_(at.operation << 2 | static_cast<std::uint32_t>(kind)) {}

  TransactionId transaction;
  ValueId value;

  Kind kind() const { return static_cast<Kind>(place_ & 3); }
  bool is_read() const { return kind() == Kind::read; }
  std::uint32_t operation() const { return place_ >> 2; }
  OperationRef ref() const { return {transaction, operation()}; }

 private:
  std::uint32_t place_ = 0;
};

/// What the operations of a history treat a key as.
enum class KeyUse : std::uint8_t {
  reg,   ///< a register or row: written and read
  list,  ///< a list: appended to, or read as one and never written
  both,  ///< appended to and written: what that makes is not defined
};

/// A write that reads cannot be compared with: it wrote an unreported value (or element) to a key,
/// or it is a predicate write that did not report which rows of a table it changed.
struct UnreportedWrite {
  bool whole_table = false;
  std::uint32_t target = 0;  ///< a KeyId or a TableId
  OperationRef at;
};

/// A history turned around: for every key what was done to it, transaction by transaction in
/// program order. All checks of reads of values look at one key at a time and see everything that
/// matters.
///
/// What says nothing is left out: reads of aborted transactions, reads and rows without a reported
/// value, and unreported predicate reads. The accesses are collected by counting and placing, in
/// time linear in operations and rows.
class KeyAccesses {
 public:
  /// Fills `into`, or returns the limit that was reached.
  static std::optional<StopReason> collect(const History& history, const Limits& limits,
                                           KeyAccesses& into);

  std::span<const Access> of(KeyId key) const {
    ISOSCOPE_REQUIRE(!rows_are_gone_ && key.index() + 1 < starts_.size());
    return std::span(accesses_).subspan(starts_[key.index()],
                                        starts_[key.index() + 1] - starts_[key.index()]);
  }
  KeyUse use(KeyId key) const {
    ISOSCOPE_REQUIRE(key.index() < flags_.size());
    return use_of(flags_[key.index()]);
  }
  bool has_lists() const;
  /// Frees most of the memory: of() must not be asked any more.
  void forget_rows();
  const std::vector<UnreportedWrite>& unreported_writes() const { return unreported_; }
  /// The transactions that are not aborted and have a reported predicate operation.
  const std::vector<TransactionId>& predicate_users() const { return predicate_users_; }

 private:
  enum Flag : std::uint8_t { appended = 1, written = 2, list_read = 4 };
  static std::uint8_t flag_of(Access::Kind kind);
  static KeyUse use_of(std::uint8_t flags) {
    if ((flags & appended) != 0) return (flags & written) != 0 ? KeyUse::both : KeyUse::list;
    return (flags & list_read) != 0 && (flags & written) == 0 ? KeyUse::list : KeyUse::reg;
  }

  bool rows_are_gone_ = false;
  std::vector<std::size_t> starts_;
  std::vector<Access> accesses_;
  std::vector<std::uint8_t> flags_;  // by key
  std::vector<UnreportedWrite> unreported_;
  std::vector<TransactionId> predicate_users_;
};

/// Calls visit(key, access) for every access of the transaction, in program order.
template <class Visit>
void for_each_access(const History& history, TransactionId t, const Visit& visit) {
  const bool reads_count = history.outcome(t) != Outcome::aborted;
  const std::span<const Operation> operations = history.operations(t);
  const auto read = [&](KeyId key, std::uint32_t at, ValueId value) {
    if (!reads_count || value == ValuePool::unreported) return;
    visit(key, Access(Access::Kind::read, {t, at}, register_value(value)));
  };
  const auto write = [&](KeyId key, std::uint32_t at, ValueId value) {
    visit(key, Access(Access::Kind::write, {t, at}, register_value(value)));
  };
  for (std::uint32_t at = 0; at < operations.size(); ++at) {
    const Operation& operation = operations[at];
    switch (operation.kind()) {
      case OperationKind::read:
      case OperationKind::list_read:
        read(operation.key(), at, operation.value());
        break;
      case OperationKind::write:
      case OperationKind::insert:
      case OperationKind::remove:
        write(operation.key(), at, operation.value());
        break;
      case OperationKind::append:
        visit(operation.key(), Access(Access::Kind::append, {t, at}, operation.value()));
        break;
      case OperationKind::predicate_read:
        for (const RowVersion& row : history.predicate_access(operation).rows)
          read(row.key, at, row.value);
        break;
      case OperationKind::predicate_write:
        for (const RowVersion& row : history.predicate_access(operation).rows)
          write(row.key, at, row.value);
        break;
    }
  }
}

/// Calls visit(run) for each transaction's accesses in `accesses`.
template <class Visit>
void for_each_run(std::span<const Access> accesses, const Visit& visit) {
  for (std::size_t first = 0; first < accesses.size();) {
    std::size_t last = first + 1;
    while (last < accesses.size() && accesses[last].transaction == accesses[first].transaction)
      ++last;
    visit(accesses.subspan(first, last - first));
    first = last;
  }
}

/// The run's last write, or null.
inline const Access* final_write(std::span<const Access> run) {
  for (std::size_t i = run.size(); i > 0; --i) {
    if (run[i - 1].kind() == Access::Kind::write) return &run[i - 1];
  }
  return nullptr;
}

}  // namespace isoscope
