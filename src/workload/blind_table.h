#pragma once

#include <cstdint>
#include <vector>

#include "workload/clients.h"
#include "workload/table.h"

namespace isoscope {

/// The table that the BlindW workloads work on: `keys` rows (k, v1, v2), all there from the start.
///
/// Every v1 and every v2 ever written is a value of its own, yet spread evenly over 0 .. span-1, so
/// that a range of values selects about the same number of rows at any time: the n-th fresh number
/// becomes n * 618033989 mod span, a bijection since the two have no common factor.
class BlindTable {
 public:
  static constexpr std::int64_t span = 1'000'000'000;

  struct Row {
    std::int64_t v1, v2;
  };

  BlindTable(const WorkloadPlan& plan, HistoryBuilder& names)
      : table(names, "blindw", {{"v1", &Row::v1}, {"v2", &Row::v2}}), rows_(plan.keys) {}

  std::vector<RowVersion> initial_rows() const {
    std::vector<RowVersion> rows;
    for (std::int64_t key = 0; key < count(); ++key) {
      rows.push_back(table.initial(key, {spread(2 * key), spread(2 * key + 1)}));
    }
    return rows;
  }

  /// Never the same twice.
  std::int64_t fresh_value(Clients& clients, std::size_t session) const {
    return spread(2 * count() + clients.fresh(session));
  }
  Row fresh_row(Clients& clients, std::size_t session) const {
    const std::int64_t v1 = fresh_value(clients, session);
    return {v1, fresh_value(clients, session)};
  }

  const Table<Row> table;

 private:
  static std::int64_t spread(std::int64_t number) { return number % span * 618'033'989 % span; }
  std::int64_t count() const { return static_cast<std::int64_t>(rows_); }

  std::size_t rows_;
};

}  // namespace isoscope
