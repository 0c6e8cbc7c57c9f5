#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/reads/accesses.h"
#include "check/strong/proof/proof_writer.h"
#include "isoscope/certificate/bad_read.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"
#include "isoscope/history/history.h"

namespace isoscope::strong {

/// Why a read that no transaction explains refutes a level, and why indeterminate transactions with
/// such reads are out of every execution: what the first pass found, as steps of a refutation.
class RuledOut {
 public:
  /// `reasons` are in the order of the first pass: each rests on the ones before it. Reasons that
  /// cannot be shown read by read are left aside: that a list cannot be cut where elements were
  /// appended more than once, and what rests on that. It has to be found out anew that those
  /// transactions are out.
  RuledOut(const History& history, const KeyAccesses& accesses, std::span<const BadRead> reasons);

  bool is_out(TransactionId t) const { return out_[t.index()] != 0; }
  /// The reasons that were left aside.
  std::span<const BadRead> left_aside() const { return left_aside_; }
  /// Whether the read is impossible, given the history and the transactions that are out, and that
  /// can be shown.
  bool can_show(const BadRead& bad) const;

  /// Shows that those candidates of a read which are out did not leave what it returned, or did not
  /// leave the first `elements` of the list that was read. (If no element was appended twice, a
  /// list has one candidate, which is not out.)
  void exclude(ProofWriter& writer, const OperationRef& at, KeyId key,
               std::uint32_t elements = ReadNumber::whole);

  /// Ends the refutation with a read of a committed transaction that is impossible.
  void refute(ProofWriter& writer, const BadRead& bad);

 private:
  void prove_all(ProofWriter& writer);
  void prove(ProofWriter& writer, const BadRead& bad);
  struct Members {
    bool make_list = false;            ///< by whole transactions that did not abort
    std::optional<TransactionId> out;  ///< one of them
  };
  Members members(const BadRead& bad) const;
  bool is_repeated_list(KeyId key) const;
  ValueId list_read(const OperationRef& at, KeyId key) const;
  bool is_end(ValueId list, KeyId key, std::span<const Access> run) const;
  bool may_have_read(const OperationRef& at, KeyId key, std::span<const Access> run) const;

  const History& history_;
  const KeyAccesses& accesses_;
  std::vector<BadRead> reasons_;
  std::vector<std::uint8_t> out_;
  std::vector<BadRead> left_aside_;
  bool proved_ = false;
};

/// The certificate of a history that a single read refutes, if that can be shown step by step.
std::optional<Certificate> refute_by_read(const History& history, const KeyAccesses& accesses,
                                          const Verdict& verdict, const CheckOptions& options);

}  // namespace isoscope::strong
