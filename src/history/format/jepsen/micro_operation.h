#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "history/format/jepsen/logged_operation.h"
#include "history/format/jepsen/term.h"
#include "isoscope/base/result.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::format {

/// One element of a transaction's :value. `reported` is false for a read whose result is not there.
struct MicroOperation {
  OperationKind kind = OperationKind::read;
  bool reported = true;
  KeyId key = {};
  ValueId value = {};
  PredicateId predicate = {};   // of predicate reads
  std::uint32_t first_row = 0;  // of predicate reads: their rows in MicroOperations::rows
  std::uint32_t row_count = 0;
  std::uint64_t offset = 0;  // in the input
};

struct MicroOperations {
  std::vector<MicroOperation> operations;
  std::vector<RowVersion> rows;
};

/// How far the operation was when it was logged, which decides what a read without a result means.
enum class Phase : std::uint8_t {
  requested,  ///< :invoke: results are not there yet, and are not looked at
  succeeded,  ///< :ok: nil is a result
  open,       ///< :fail, :info: nil is no result, anything else is one
};

/// Reads the micro-operations of Elle's workloads, keys and values into the builder's pool:
///
///   list-append       [:append 7 1]  [:r 7 [1 2]]
///   rw-register       [:w :x 1]      [:r :x 1]
///   closed-predicate  also [:insert :x 1]  [:delete :x]  [:rp :true {:x 1}]  [:rp [:= 1] {}]
///                     [:rp [:mod 3 0] {}]
///
/// A key holds lists (it is appended to, or a read of it returns one) or plain values; both is an
/// error. In `[:r 7 nil]`, nil is the empty list if key 7 holds lists, which may show only later in
/// the file: settle() decides at the end. A key that is only ever read, and always as nil, holds
/// lists if any key of the history does.
///
/// Errors have only the byte as their position (locate.h finds the line).
class MicroOperationReader : public LogWords {
 public:
  MicroOperationReader(HistoryBuilder& builder, Notation notation, std::string source_name)
      : LogWords(notation, std::move(source_name)), builder_(builder) {}

  /// Is this, by its shape, a sequence of one or more micro-operations? Other workloads' values are
  /// not.
  bool fits(Term value) const;
  /// Replaces `into` by the micro-operations of `value`.
  Status read(Term value, Phase phase, MicroOperations& into);
  /// Adds the rows of a map from keys to values, no key twice, none of them nil unless
  /// `nil_allowed`.
  Status read_rows(Term map, bool nil_allowed, std::vector<RowVersion>& into);
  /// Is the reply about the same micro-operations as the request was, except for what reads
  /// returned? The Error says where they part; `where_requested` is asked only for its message.
  Status match(const MicroOperations& request, const MicroOperations& reply,
               std::uint64_t reply_offset,
               const std::function<std::string()>& where_requested) const;

  /// Nil, an integer, a string or a keyword; `role` starts the message if it is none of these.
  Result<ValueId> scalar(Term term, std::string_view role);

  /// After the last operation: turns reads of nil into reads of the empty list where the key holds
  /// lists.
  void settle();

 private:
  enum class KeyUse : std::uint8_t { unknown, list, plain };

  Status read_one(Term term, Phase phase, MicroOperations& into);
  Status read_item(Term term, OperationKind kind, Phase phase, MicroOperation& operation);
  Status read_predicate(Term term, Phase phase, MicroOperation& operation,
                        std::vector<RowVersion>& rows);
  Result<KeyId> key(Term term);
  Result<ValueId> list(Term term);
  Result<PredicateId> predicate(Term term);
  Status use(KeyId key, KeyUse use, std::uint64_t offset);
  std::string text_of(ValueId value) const;
  std::string text_of(const MicroOperation& operation) const;

  HistoryBuilder& builder_;
  std::vector<KeyUse> uses_;  // by key
  bool lists_seen_ = false;
  // A symbol as a key becomes the string of the same text, so a file has only one of the two.
  bool string_keys_seen_ = false;
  bool symbol_keys_seen_ = false;
};

}  // namespace isoscope::format
