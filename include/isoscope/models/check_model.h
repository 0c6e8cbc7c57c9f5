#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"
#include "isoscope/history/history.h"
#include "isoscope/history/operation_log.h"
#include "isoscope/level/level.h"

namespace isoscope::models {

/// The workloads of Jepsen whose operations are no transactions. docs/elle.md says what each of
/// them promises.
enum class Model : std::uint8_t {
  bank,
  counter,
  set,
  set_full,
  long_fork,
  comments,
  sequential,
  cas_register,
  mutex,
};

struct ModelInfo {
  Model model;
  std::string_view name;     ///< as --model takes it
  std::string_view promise;  ///< one line: what is asked of a history
  /// Whether the promise is a level, strict-serializable unless another one is asked for.
  bool has_level = false;
};

std::span<const ModelInfo> models();
const ModelInfo& info_of(Model model);
/// `register` is cas_register, too.
std::optional<Model> find_model(std::string_view name);

struct ModelOptions {
  /// bank: what the balances of a read sum up to. Nothing: as in the first read.
  std::optional<std::int64_t> total_amount = {};
  bool allow_negative_balances = false;
  /// long-fork: how many keys each read has. Nothing: any number.
  std::optional<std::size_t> group_size = {};
  /// Models that have a level: which one.
  Level level = {LevelId::strict_serializable, true};
  CheckOptions check = {};
};

/// Something that no history of the model has.
struct ModelError {
  std::string_view type;                ///< "wrong-total"
  std::vector<std::size_t> operations;  ///< that show it, by their place in the log
  std::string text;                     ///< a sentence
};

struct ModelCount {
  std::string_view name;  ///< "read-count"
  std::int64_t count = 0;
};

/// The history of transactions that a model was decided by, and what was found out about it.
struct CheckedHistory {
  History history;
  Verdict verdict;
};

struct ModelVerdict {
  Answer answer = Answer::unknown;
  std::string reason = {};  ///< why the answer is unknown
  std::vector<ModelError> errors = {};
  std::vector<ModelCount> counts = {};
  std::vector<std::string> remarks = {};
  std::optional<CheckedHistory> checked = {};  ///< of models that have a level
};

/// Does the log keep what the model promises? An Error if the log's operations are not the model's;
/// its position is a byte (with_line() of isoscope/history/format.h).
///
/// A log in which nothing was read that could show a violation is `unknown`, not `holds`.
Result<ModelVerdict> check_model(Model model, const OperationLog& log,
                                 const ModelOptions& options = {});

}  // namespace isoscope::models
