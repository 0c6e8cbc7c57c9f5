#include "report/fact_words.h"

#include <algorithm>

#include "isoscope/history/litmus_text.h"
#include "report/shortened.h"

namespace isoscope::report {

namespace {

TransactionId id_of(std::uint32_t transaction) { return TransactionId(transaction - 1); }

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

}  // namespace

std::string transaction_words(const History& history, std::uint32_t transaction) {
  return transaction == 0 ? "the initial state" : history.label(id_of(transaction));
}

Operation operation_of(const History& history, ReadNumber read) {
  return history.operations(id_of(read.transaction))[read.operation - 1];
}

KeyId key_of(const History& history, ReadNumber read) { return operation_of(history, read).key(); }

OperationRef ref_of(ReadNumber read) { return {id_of(read.transaction), read.operation - 1}; }

std::string read_words(const History& history, ReadNumber read) {
  const Operation operation = operation_of(history, read);
  return transaction_words(history, read.transaction) + " read " +
         key_text(history, operation.key()) + " = " +
         shortened(value_text(history, operation.value()));
}

std::optional<OperationRef> final_write(const History& history, std::uint32_t writer, KeyId key) {
  if (writer == 0) return std::nullopt;
  const auto operations = history.operations(id_of(writer));
  for (std::size_t i = operations.size(); i-- > 0;) {
    if (operations[i].is_item_write() && operations[i].key() == key) {
      return OperationRef{id_of(writer), static_cast<std::uint32_t>(i)};
    }
  }
  return std::nullopt;
}

bool is_append(const History& history, const OperationRef& at) {
  return history.operations(at.transaction)[at.operation].kind() == OperationKind::append;
}

std::string version_words(const History& history, std::uint32_t writer, KeyId key) {
  const std::string name = key_text(history, key);
  if (writer == 0) return "the initial " + name;
  const auto at = final_write(history, writer, key);
  if (!at) return transaction_words(history, writer) + "'s " + name;
  const Operation& write = history.operations(at->transaction)[at->operation];
  const std::string value = shortened(value_text(history, write.value()));
  if (is_append(history, *at)) {
    return transaction_words(history, writer) + "'s append of " + value + " to " + name;
  }
  return transaction_words(history, writer) + "'s " + name + " = " + value;
}

std::string write_words(const History& history, std::uint32_t writer, KeyId key) {
  const std::string name = key_text(history, key);
  const auto at = final_write(history, writer, key);
  if (!at) return "wrote " + name;
  const Operation& write = history.operations(at->transaction)[at->operation];
  if (write.kind() == OperationKind::remove) return "deleted " + name;
  const std::string value = shortened(value_text(history, write.value()));
  if (write.kind() == OperationKind::append) return "appended " + value + " to " + name;
  return "wrote " + name + " = " + value;
}

std::optional<KeyId> common_key(const History& history, std::uint32_t a, std::uint32_t b) {
  if (a == 0 || b == 0) return std::nullopt;
  for (const Operation& operation : history.operations(id_of(a))) {
    if (operation.is_item_write() && final_write(history, b, operation.key())) {
      return operation.key();
    }
  }
  return std::nullopt;
}

std::string literal_words(const History& history, Level level, const ProofLiteral& literal) {
  switch (literal.kind) {
    case ProofLiteral::Kind::order:
      return order_words(history, level, literal);
    case ProofLiteral::Kind::selection:
      return transaction_words(history, literal.read.transaction) +
             (literal.negated ? " did not read " : " read ") +
             version_words(history, literal.writer, key_of(history, literal.read));
    case ProofLiteral::Kind::committed:
      return transaction_words(history, literal.writer) +
             (literal.negated ? ", whose outcome is unknown, did not commit"
                              : ", whose outcome is unknown, committed");
  }
  return {};
}

std::string enumeration(std::span<const std::string> parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

}  // namespace isoscope::report
