#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isoscope/base/json_reader.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/level/level.h"

namespace isoscope::format {

/// Reads at which levels the transactions of a native history ran: each one's own word, and the
/// header's `levels`, which is about transactions that do not say so themselves.
///
///   "levels":{"default":"serializable","sessions":[["backup","read-committed"]]}
class LevelNames {
 public:
  /// Both must outlive it. What is wrong is an error of `json`.
  LevelNames(JsonReader& json, HistoryBuilder& builder) : json_(json), builder_(builder) {}

  std::optional<LevelId> read();
  /// The value of the header's `levels`.
  void read_of_header();
  /// To be called after all members of the header, which may list the sessions in any place.
  void apply_to_sessions();

 private:
  void read_of_sessions();

  JsonReader& json_;
  HistoryBuilder& builder_;
  std::vector<std::pair<ValueId, LevelId>> of_sessions_;
  std::map<std::string, LevelId, std::less<>> known_;  // names that were looked up
};

}  // namespace isoscope::format
