#pragma once

#include <optional>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/certificate/certificate.h"
#include "verifier/writes.h"

namespace isoscope::verifier {

/// What one read says.
struct Read {
  ReadNumber number;
  TransactionId reader;
  KeyId key;
  /// Not what the transaction itself wrote last, not ending in its own appends, or different from
  /// an earlier read of what others had left: no execution can have this.
  bool contradicts_itself = false;
  /// Why nothing is said about other transactions, if so; then there are no candidates either.
  const char* silent = nullptr;
  /// The transactions whose version may have been returned, 0 for the initial one.
  std::vector<std::uint32_t> candidates = {};
  /// Those whose appends make the list that was read, in the list's order.
  std::vector<std::uint32_t> appenders = {};
};

class Reads {
 public:
  Reads(const History& history, const Writes& writes) : history_(history), writes_(writes) {}

  /// Valid until the next call. An Error when there is no such read, its transaction aborted, or
  /// what was read is not known.
  Result<const Read*> find(ReadNumber number);

 private:
  Result<Read> interpret(ReadNumber number) const;
  void find_candidates(Read& read, ValueId value) const;
  void take_apart(Read& read, ValueId list, bool after_own_append) const;

  const History& history_;
  const Writes& writes_;
  std::optional<Read> last_;  // steps about one read tend to follow each other
};

}  // namespace isoscope::verifier
