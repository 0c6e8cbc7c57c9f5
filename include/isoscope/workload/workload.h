#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/workload/script.h"

namespace isoscope {

enum class WorkloadKind : std::uint8_t {
  general,            ///< reads and writes of registers, values may repeat
  blind_writes_rh,    ///< BlindW over rows (k, v1, v2): 80% reads
  blind_writes_wr,    ///< 50% reads
  blind_writes_wh,    ///< 20% reads
  blind_writes_pred,  ///< predicate reads and predicate writes of random ranges
  list_append,
  read_modify_write,
  bank,
  counter,
  long_fork,
  write_skew,
  tpcc,
  twitter,
  rubis,
};

enum class KeyDistribution : std::uint8_t { uniform, zipf, hotspot };

/// Everything a workload is made from. Each kind uses what makes sense for it (the table of kinds
/// says what) and has its own idea of the rest.
///
/// Counts are at least 1, percentages at most 100; small numbers that make no sense for a kind (a
/// bank of one account) are no error: the kind makes the best of them.
struct WorkloadPlan {
  WorkloadKind kind = WorkloadKind::general;
  std::size_t sessions = 10;
  std::size_t operations = 8;  ///< of a transaction
  std::size_t keys = 1000;
  unsigned read_percent = 50;
  KeyDistribution distribution = KeyDistribution::uniform;
  unsigned key_theta = 99;         ///< of the zipf distribution, in hundredths
  unsigned hot_key_percent = 20;   ///< hotspot: this percentage of the keys ...
  unsigned hot_use_percent = 80;   ///< ... gets this percentage of the operations
  unsigned duplicate_percent = 0;  ///< of the keys: those to which values are written that repeat
  unsigned value_theta = 50;       ///< how unevenly repeated values are chosen, in hundredths
  std::size_t value_space = 100;   ///< how many repeated values there are
  bool zero_start = false;         ///< keys hold 0 before the run, not nil
  std::uint64_t seed = 1;
};

/// A table that a workload uses, for databases that have to be told.
struct TableShape {
  enum class Holds : std::uint8_t {
    values,  ///< integers
    rows,    ///< with these columns, of integers
    lists,   ///< of integers
  };

  TableId table = TableId(0);
  Holds holds = Holds::values;
  std::vector<ValueId> columns = {};  ///< their names
};

/// An endless supply of transactions for a number of clients.
///
/// What a session asks for depends on the plan, on the session and on what it has read; never on
/// when the other sessions run, so any interleaving of the same workload starts from the same
/// clients. A script may be dropped before its end (the database aborted the transaction). No
/// answer is too strange: what a database of weak isolation returns, the scripts put up with.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Every table that its requests name. All keys are integers.
  virtual std::vector<TableShape> tables() { return {TableShape{}}; }
  /// What the database holds before the run. Keys that are not listed hold nil, or 0 where the plan
  /// says so.
  virtual std::vector<RowVersion> initial_rows() { return {}; }
  /// The session's next transaction. The workload must outlive it.
  virtual Script next(std::size_t session) = 0;
};

/// The workload of a plan. Keys, values and predicates get their ids from `names`, which must
/// outlive it; keys are named when they are first asked for.
std::unique_ptr<Workload> make_workload(const WorkloadPlan& plan, HistoryBuilder& names);

/// One row of the table of kinds.
struct WorkloadEntry {
  WorkloadKind kind = WorkloadKind::general;
  std::string_view name;     ///< "blindw-rh"
  std::string_view summary;  ///< one line
  /// The members of the plan that it looks at besides sessions and seed, as the plan spells them;
  /// `distribution` stands for itself and its parameters.
  std::string_view uses;
  /// The plan of the source it is taken from: a good one to start with.
  WorkloadPlan usual;
  std::unique_ptr<Workload> (*make)(const WorkloadPlan& plan, HistoryBuilder& names) = nullptr;
};

std::span<const WorkloadEntry> workloads();
const WorkloadEntry& entry_of(WorkloadKind kind);
std::string_view name_of(WorkloadKind kind);
/// Does the kind look at this member of the plan, as the plan spells it?
bool uses(WorkloadKind kind, std::string_view member);
/// An unknown name's Error lists the known ones.
Result<WorkloadKind> find_workload(std::string_view name);

}  // namespace isoscope
