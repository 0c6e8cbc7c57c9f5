#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/accesses.h"
#include "check/strong/proof_writer.h"
#include "isoscope/certificate/bad_read.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/history/history.h"

namespace isoscope::strong {

/// Why a read that no transaction explains refutes a level, and why indeterminate transactions with
/// such reads are out of every execution: what the first pass found, as steps of a refutation.
class RuledOut {
 public:
  /// `reasons` in the order of the first pass: each rests on the ones before it.
  RuledOut(const History& history, const KeyAccesses& accesses, std::span<const BadRead> reasons);

  /// Of the candidates of a read of a register, or of a predicate's read of a row, those that are
  /// out.
  void exclude(ProofWriter& writer, const OperationRef& at, KeyId key);

  /// The read of a committed transaction that cannot be: ends the refutation.
  void refute(ProofWriter& writer, const BadRead& bad);

 private:
  void prove_all(ProofWriter& writer);
  void prove(ProofWriter& writer, const BadRead& bad);
  std::optional<TransactionId> member_that_is_out(const BadRead& bad) const;
  bool may_have_read(const OperationRef& at, KeyId key, std::span<const Access> run) const;
  bool is_out(TransactionId t) const { return out_[t.index()] != 0; }

  const History& history_;
  const KeyAccesses& accesses_;
  std::span<const BadRead> reasons_;
  std::vector<std::uint8_t> out_;
  bool proved_ = false;
};

/// The certificate of a history that a single read refutes, if there can be one: certificates know
/// no lists to which something was appended twice.
std::optional<Certificate> refute_by_read(const History& history, const KeyAccesses& accesses,
                                          const Verdict& verdict, std::int64_t clock_skew);

}  // namespace isoscope::strong
