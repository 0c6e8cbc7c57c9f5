// BlindW-RH, -WR and -WH: transactions that only read, and transactions that only write and so
// never look at what they overwrite.
//
// Imitates the benchmark in the evaluation of Vbox: a table (k, v1, v2) of 10,000 rows; 80%, 50%
// or 20% of the transactions read, the others write. Nothing but the reads tells in which order
// blind writes took effect, which is hard for a checker.
//
// Shape: `operations` times a key:
//
//   r(17) r(4) r(251)
//   w(4, {v1: 854101967, v2: 472135956}) w(9, ...)
#include "workload/blind_table.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"

namespace isoscope {

namespace {

unsigned read_percent_of(WorkloadKind kind) {
  switch (kind) {
    case WorkloadKind::blind_writes_rh:
      return 80;
    case WorkloadKind::blind_writes_wh:
      return 20;
    default:
      return 50;
  }
}

class BlindWrites final : public Workload {
 public:
  BlindWrites(const WorkloadPlan& plan, HistoryBuilder& names)
      : operations_(plan.operations),
        read_percent_(read_percent_of(plan.kind)),
        rows_(plan, names),
        clients_(plan),
        keys_(plan, plan.keys) {}

  std::vector<TableShape> tables() override { return {rows_.table.shape()}; }
  std::vector<RowVersion> initial_rows() override { return rows_.initial_rows(); }

  Script next(std::size_t session) override {
    Random random = clients_.next_random(session);
    return random.chance(read_percent_) ? reading(random) : writing(session, random);
  }

 private:
  Script reading(Random random) {
    for (std::size_t i = 0; i < operations_; ++i) {
      co_yield rows_.table.read(static_cast<std::int64_t>(keys_.choose(random)));
    }
    co_return Ending::commit;
  }

  Script writing(std::size_t session, Random random) {
    for (std::size_t i = 0; i < operations_; ++i) {
      const auto key = static_cast<std::int64_t>(keys_.choose(random));
      co_yield rows_.table.write(key, rows_.fresh_row(clients_, session));
    }
    co_return Ending::commit;
  }

  std::size_t operations_;
  unsigned read_percent_;
  BlindTable rows_;
  Clients clients_;
  KeyChooser keys_;
};

}  // namespace

std::unique_ptr<Workload> make_blind_writes(const WorkloadPlan& plan, HistoryBuilder& names) {
  return std::make_unique<BlindWrites>(plan, names);
}

}  // namespace isoscope
