#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/reads/accesses.h"
#include "check/reads/value_table.h"
#include "check/strong/problem/order_problem.h"

namespace isoscope::strong {

/// An element that may have been appended to the list more than once, or was there initially, too.
/// Transactions that were ruled out count, because a verifier of the certificate does not know that
/// they are.
enum class Appends : std::uint8_t { not_aborted, of_all };
std::optional<ValueId> repeated_element(const History& history, const KeyAccesses& accesses,
                                        KeyId key, Appends which = Appends::not_aborted);

/// What the lists that were read of one key say about the order of its appenders, where no element
/// was appended twice.
///
/// A list is what was there initially followed by whole blocks, one for each transaction that
/// appended. So a read of [1 2 3] says that the appender of 3 is the last one before the reader,
/// and that the appenders of 1, 2 and 3 came in this order, before all others. It is enough to say
/// that about the longest list, and about one that is no prefix of it (then there is a cycle of
/// two).
class ListProblem {
 public:
  /// What is found is added to `orders` and `members`.
  ListProblem(const History& history, const OrderProblem& problem, std::vector<ListOrder>& orders,
              std::vector<OrderProblem::Member>& members)
      : history_(history), p_(problem), orders_(orders), members_(members) {}

  /// All versions of the key by number, the initial one first.
  void start(KeyId key, std::span<const VersionId> versions);
  void add_appends(Txn writer, std::span<const Access> run);
  /// To be called when all appends are there. Returns what the first read of this run saw before
  /// the reader's own appends: nil or a list.
  ValueId external_read(std::span<const Access> run) const;
  /// The version a list ends in.
  VersionId source(ValueId list);
  void add_read(ReadId read, Txn reader, ValueId list);
  /// To be called when all reads are there.
  void finish();

  static std::string unsupported_reason(const History& history, const KeyAccesses& accesses);

 private:
  struct ListRead {
    ReadId read;
    Txn reader;
    ValueId list;
  };

  void add_orders(const ListRead& read);
  bool is_prefix(ValueId list, ValueId of) const;
  std::size_t size_of(ValueId list) const;

  const History& history_;
  const OrderProblem& p_;
  std::vector<ListOrder>& orders_;
  std::vector<OrderProblem::Member>& members_;
  KeyId key_;
  std::span<const VersionId> versions_;
  ValueTable<std::uint32_t> version_of_;  // by element: its appender's version + 1
  std::vector<ListRead> reads_;
  std::vector<VersionId> listed_;
};

}  // namespace isoscope::strong
