#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "isoscope/base/option_table.h"
#include "isoscope/store/store_kind.h"
#include "isoscope/workload/workload.h"

namespace isoscope::cli {

/// --workload, with --sessions and the options that change its usual plan. An Error: an option
/// means nothing to it. `wants_zeros`: keys start as 0 unless --initial says otherwise.
Result<WorkloadPlan> workload_option(const Options& options, bool wants_zeros);

/// --bug, which the store must be able to have.
Result<Bug> bug_option(const Options& options, StoreKind store);

/// The rows of a table for help: names and summaries.
template <class Table>
std::string list_of(std::string_view title, const Table& table) {
  std::size_t width = 0;
  for (const auto& row : table) width = std::max(width, row.name.size());
  std::string text = std::string(title) + "\n";
  for (const auto& row : table) {
    text += "  " + std::string(row.name) + std::string(width + 2 - row.name.size(), ' ') +
            std::string(row.summary) + "\n";
  }
  return text;
}

}  // namespace isoscope::cli
