#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isoscope/history/history.h"

namespace isoscope::format {

/// Prints the parts of a history in litmus notation. What the notation has no words for is printed
/// as well as can be, and problem() says so: a writer must then refuse, a message need not care.
class LitmusText {
 public:
  explicit LitmusText(const History& history) : history_(history) {}

  void transaction(std::string& to, TransactionId t);
  void operation(std::string& to, const Operation& operation);
  void update(std::string& to, const Update& update);
  void key(std::string& to, KeyId key);
  void value(std::string& to, ValueId id);
  /// The name of a session or key.
  void name(std::string& to, ValueId id);

  const std::string& problem() const { return problem_; }

 private:
  const ValuePool& values() const { return history_.values(); }
  void refuse(std::string what) { problem_ = std::move(what); }
  void item(std::string& to, std::string_view word, const Operation& operation);
  void on_predicate(std::string& to, std::string_view word, const Operation& operation);
  void row(std::string& to, const RowColumns& columns);
  void list(std::string& to, const std::vector<ValueId>& elements);

  const History& history_;
  std::string problem_;
};

}  // namespace isoscope::format
