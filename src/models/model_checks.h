#pragma once

// The check of each model, for check_model.cpp, and what several of them need.

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "isoscope/models/check_model.h"

namespace isoscope::models {

Result<ModelVerdict> check_bank(const OperationLog& log, const ModelOptions& options);
Result<ModelVerdict> check_counter(const OperationLog& log, const ModelOptions& options);
Result<ModelVerdict> check_set(const OperationLog& log, const ModelOptions& options);
Result<ModelVerdict> check_set_full(const OperationLog& log, const ModelOptions& options);
Result<ModelVerdict> check_long_fork(const OperationLog& log, const ModelOptions& options);
Result<ModelVerdict> check_comments(const OperationLog& log, const ModelOptions& options);
Result<ModelVerdict> check_sequential(const OperationLog& log, const ModelOptions& options);
Result<ModelVerdict> check_cas_register(const OperationLog& log, const ModelOptions& options);
Result<ModelVerdict> check_mutex(const OperationLog& log, const ModelOptions& options);

/// An Error at the first operation whose :f is none of these.
Status expect_functions(const OperationLog& log, std::initializer_list<std::string_view> known);

/// What the operation was asked to do. A completion that says something else is an Error.
Result<LogValue> argument_of(const OperationLog& log, const OperationLog::Operation& operation);

/// What a successful operation returned; an Error if nothing was logged.
Result<LogValue> result_of(const OperationLog& log, const OperationLog::Operation& operation);
/// The same as a collection of elements.
Result<LogValue> elements_of(const OperationLog& log, const OperationLog::Operation& operation);

bool is_ok(const OperationLog::Operation& operation);

/// "The read at :index 7", or where it stands if it has no index.
std::string operation_name(const OperationLog& log, const OperationLog::Operation& operation);

/// Elements of sets as small numbers. An element may be a collection itself.
class ElementNumbers {
 public:
  std::size_t number_of(LogValue element);
  std::size_t size() const { return texts_.size(); }
  /// As EDN writes it, cut short.
  const std::string& text(std::size_t number) const { return texts_[number]; }

 private:
  std::unordered_map<std::uint32_t, std::size_t> scalars_;  // by the id of the value
  std::unordered_map<std::string, std::size_t> collections_;
  std::vector<std::string> texts_;
};

/// All errors that are told; the rest is counted.
inline constexpr std::size_t most_errors = 100;

/// Adds the error unless there are enough.
void add_error(ModelVerdict& verdict, ModelError error);

}  // namespace isoscope::models
