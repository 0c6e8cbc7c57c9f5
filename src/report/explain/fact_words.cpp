#include "report/explain/fact_words.h"

#include "isoscope/history/litmus_text.h"
#include "report/explain/shortened.h"
#include "report/explain/update_words.h"
#include "report/proof/writes.h"

namespace isoscope::report {

namespace {

std::string short_value(const History& history, ValueId value) {
  return shortened(value_text(history, value));
}

std::string order_words(const History& history, Level level, const ProofLiteral& literal) {
  const std::uint32_t a = literal.before.transaction;
  const std::uint32_t b = literal.after.transaction;
  const std::string first = transaction_words(history, a);
  const std::string second = transaction_words(history, b);
  if (has_one_event(level.id) || (literal.before.is_commit && literal.after.is_commit)) {
    if (const auto key = common_key(history, a, b)) {
      return first + " wrote " + key_text(history, *key) + " before " + second + " did";
    }
    return first + " comes before " + second;
  }
  return first + (literal.before.is_commit ? " committed" : " began") + " before " + second +
         (literal.after.is_commit ? " committed" : " began");
}

/// What a predicate operation did with a row: "found x = 1 where v >= 10", "did not find x".
std::string deed_words(const Reads& reads, ReadNumber read) {
  const History& history = reads.history();
  const std::string key = key_text(history, reads.key(read));
  const bool writes = reads.operation(read).kind() == OperationKind::predicate_write;
  const auto row = reads.row(read);
  std::string text = writes ? "did not change " + key : "did not find " + key;
  if (row && writes) {
    text = (*row == ValuePool::nil ? "deleted " : "changed ") + key;
  } else if (row) {
    text = "found " + key + " = " + short_value(history, *row);
  }
  const Predicate& predicate = reads.predicate(read);
  if (predicate.kind != Predicate::Kind::always) {
    text += " where " + shortened(predicate_text(predicate));
  }
  return text;
}

/// Says which transaction left the first elements of a list that was read: "T1 left l = [1 2]".
std::string state_words(const Reads& reads, const ProofLiteral& literal) {
  const History& history = reads.history();
  const std::string key = key_text(history, reads.key(literal.read));
  const std::string list = short_value(history, reads.list(literal.read));
  if (literal.writer == 0) {
    return key + (literal.negated ? " was not " : " was ") + list + " initially";
  }
  return transaction_words(history, literal.writer) +
         (literal.negated ? " did not leave " : " left ") + key + " = " + list;
}

std::string selection_words(const Reads& reads, const ProofLiteral& literal) {
  const ReadNumber read = literal.read;
  if (read.elements != ReadNumber::whole) return state_words(reads, literal);
  const std::string reader = transaction_words(reads.history(), read.transaction);
  const std::string version = version_words(reads.history(), literal.writer, reads.key(read));
  if (!reads.operation(read).is_predicate()) {
    return reader + (literal.negated ? " did not read " : " read ") + version;
  }
  return reader + (literal.negated ? " did not see " : " saw ") + version + " when it " +
         deed_words(reads, read);
}

}  // namespace

std::string transaction_words(const History& history, std::uint32_t transaction) {
  return transaction == 0 ? "the initial state" : history.label(TransactionId(transaction - 1));
}

std::string read_words(const Reads& reads, ReadNumber read) {
  const History& history = reads.history();
  const std::string reader = transaction_words(history, read.transaction);
  const Operation& operation = reads.operation(read);
  if (operation.is_predicate()) return reader + " " + deed_words(reads, read);
  const auto update =
      update_words(history, TransactionId(read.transaction - 1), read.operation - 1);
  if (update) return *update;
  return reader + " read " + key_text(history, operation.key()) + " = " +
         short_value(history, operation.value());
}

std::string seen_words(const Reads& reads, ReadNumber read, std::uint32_t writer) {
  const History& history = reads.history();
  const KeyId key = reads.key(read);
  if (reads.is_item(read)) {
    if (writer == 0) return ", the initial value";
    const auto write = final_write(history, writer, key);
    return write && write->is_append() ? ", which ends in " + version_words(history, writer, key)
                                       : ", which " + transaction_words(history, writer) + " wrote";
  }
  if (writer != 0) return ": it saw " + version_words(history, writer, key);
  const ValueId initial = history.initial_value(key).value_or(ValuePool::nil);
  if (initial == ValuePool::nil) return ": it saw no " + key_text(history, key) + " yet";
  return ": it saw the initial " + key_text(history, key) + " = " + short_value(history, initial);
}

std::string version_words(const History& history, std::uint32_t writer, KeyId key) {
  const std::string name = key_text(history, key);
  if (writer == 0) return "the initial " + name;
  const std::string whose = transaction_words(history, writer) + "'s ";
  const auto write = final_write(history, writer, key);
  if (!write) return whose + name;
  if (write->value == ValuePool::nil) return whose + "deletion of " + name;
  const std::string value = short_value(history, write->value);
  if (write->is_append()) return whose + "append of " + value + " to " + name;
  return whose + name + " = " + value;
}

std::string overwrite_words(const History& history, std::uint32_t from, std::uint32_t to,
                            KeyId key) {
  const auto write = final_write(history, to, key);
  return version_words(history, to, key) +
         (write && write->is_append() ? " came after " : " replaced ") +
         version_words(history, from, key);
}

std::string write_words(const History& history, std::uint32_t writer, KeyId key) {
  const std::string name = key_text(history, key);
  const auto write = final_write(history, writer, key);
  if (!write) return "wrote " + name;
  if (write->value == ValuePool::nil) return "deleted " + name;
  const std::string value = short_value(history, write->value);
  if (write->is_append()) return "appended " + value + " to " + name;
  return (write->kind == OperationKind::insert ? "inserted " : "wrote ") + name + " = " + value;
}

std::string literal_words(const Reads& reads, Level level, const ProofLiteral& literal) {
  switch (literal.kind) {
    case ProofLiteral::Kind::order:
      return order_words(reads.history(), level, literal);
    case ProofLiteral::Kind::selection:
      return selection_words(reads, literal);
    case ProofLiteral::Kind::committed:
      return transaction_words(reads.history(), literal.writer) +
             (literal.negated ? ", whose outcome is unknown, did not commit"
                              : ", whose outcome is unknown, committed");
  }
  return {};
}

}  // namespace isoscope::report
