// BlindW-Pred: predicate reads and predicate writes of ranges of values.
//
// Imitates the benchmark in the evaluation of Vbox: half of the transactions read, half write; the
// predicates are random ranges of column v1 or v2. A write sets the column that it did not ask
// for, in all rows it selected, to one value that nobody else writes.
//
// Shape: `operations` times a range, in which a reader expects 4 rows and a writer 1:
//
//   select where v1 between 20000000 and 59999999
//   update set v2 = 854101967 where v1 between 910000000 and 919999999
//
// One difference: every eighth write writes a single row by its key instead. The rows that an
// update makes equal in one column soon become equal in both, and from then on move together; a
// small table would end up as many copies of one row. For the same reason writers ask for fewer
// rows than readers.
#include <algorithm>

#include "workload/blind_table.h"
#include "workload/condition.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"

namespace isoscope {

namespace {

constexpr std::int64_t rows_for_a_reader = 4;
constexpr std::int64_t rows_for_a_writer = 1;
constexpr std::uint64_t writes_for_a_single_row = 8;

class BlindPredicateWrites final : public Workload {
 public:
  BlindPredicateWrites(const WorkloadPlan& plan, HistoryBuilder& names)
      : names_(names),
        operations_(plan.operations),
        row_count_(static_cast<std::int64_t>(plan.keys)),
        rows_(plan, names),
        clients_(plan),
        keys_(plan, plan.keys) {}

  std::vector<TableShape> tables() override { return {rows_.table.shape()}; }
  std::vector<RowVersion> initial_rows() override { return rows_.initial_rows(); }

  Script next(std::size_t session) override {
    Random random = clients_.next_random(session);
    return random.chance(50) ? reading(random) : writing(session, random);
  }

 private:
  Script reading(Random random) {
    for (std::size_t i = 0; i < operations_; ++i) {
      const bool by_v1 = random.chance(50);
      co_yield select(by_v1, random);
    }
    co_return Ending::commit;
  }

  Script writing(std::size_t session, Random random) {
    for (std::size_t i = 0; i < operations_; ++i) {
      if (random.below(writes_for_a_single_row) == 0) {
        const auto key = static_cast<std::int64_t>(keys_.choose(random));
        co_yield rows_.table.write(key, rows_.fresh_row(clients_, session));
      } else {
        const bool by_v1 = random.chance(50);
        co_yield update(by_v1, random, rows_.fresh_value(clients_, session));
      }
    }
    co_return Ending::commit;
  }

  Request select(bool by_v1, Random& random) const {
    return rows_.table.select(range(by_v1, rows_for_a_reader, random));
  }

  Request update(bool by_v1, Random& random, std::int64_t value) const {
    const Column column{names_.values().string(by_v1 ? "v2" : "v1"),
                        names_.values().integer(value)};
    return rows_.table.update(range(by_v1, rows_for_a_writer, random),
                              names_.values().row({&column, 1}));
  }

  /// Values are spread evenly, so the expected number of rows says how wide it is.
  Predicate range(bool by_v1, std::int64_t rows, Random& random) const {
    const std::int64_t width = BlindTable::span * rows / std::max(rows, row_count_);
    const auto starts = static_cast<std::uint64_t>(BlindTable::span - width + 1);
    const auto first = static_cast<std::int64_t>(random.below(starts));
    return condition::between(by_v1 ? "v1" : "v2", first, first + width - 1);
  }

  HistoryBuilder& names_;
  std::size_t operations_;
  std::int64_t row_count_;
  BlindTable rows_;
  Clients clients_;
  KeyChooser keys_;
};

}  // namespace

std::unique_ptr<Workload> make_blind_predicate_writes(const WorkloadPlan& plan,
                                                      HistoryBuilder& names) {
  return std::make_unique<BlindPredicateWrites>(plan, names);
}

}  // namespace isoscope
