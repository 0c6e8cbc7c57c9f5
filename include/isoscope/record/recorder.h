#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/record/driver.h"

namespace isoscope::record {

struct RecordPlan {
  WorkloadPlan workload = {};
  /// When the run ends: after so much of each client, or after this time, whichever is first; with
  /// neither when a stop is requested.
  std::optional<std::size_t> transactions = {};
  std::optional<std::chrono::nanoseconds> duration = {};
  unsigned abort_percent = 0;  ///< how often a client changes its mind at the end
  /// The longest pause between two operations of a transaction. Pauses are random; on a fast
  /// machine with few processors, transactions hardly meet without them.
  std::chrono::nanoseconds pause{0};
  std::string path = {};      ///< the file, which must not exist
  std::string database = {};  ///< for the header: as the user named it, without password
  /// The longest that a client tries to connect again.
  std::chrono::milliseconds patience{10'000};
};

/// What became of the transactions.
struct Tally {
  std::uint64_t committed = 0;
  std::uint64_t rolled_back = 0;  ///< by their client
  std::uint64_t indeterminate = 0;
  std::array<std::uint64_t, trouble_count> aborted = {};  ///< by the database, for each reason
  std::uint64_t reconnected = 0;
  std::array<std::string, trouble_count> examples = {};  ///< a message for each kind of trouble

  std::uint64_t aborted_by_database() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : aborted) sum += count;
    return sum;
  }
  std::uint64_t transactions() const {
    return committed + rolled_back + indeterminate + aborted_by_database();
  }
};

struct Recording {
  Tally tally;
  std::chrono::nanoseconds time{0};
  DatabaseDescription database;
  /// Why it ended before its time, if it did: the database is gone, the disk is full. What was
  /// recorded until then is in the file.
  std::optional<Error> ended_by = {};
};

/// Makes the tables, connects the clients, and has each run its transactions in a thread of its own
/// until the plan says so or `limits` are reached. An Error: nothing was run, and there is no file.
Result<Recording> record(Database& database, const RecordPlan& plan, const Limits& limits,
                         Progress& progress);

}  // namespace isoscope::record
