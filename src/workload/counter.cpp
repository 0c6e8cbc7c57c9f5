// Counters that are read and incremented.
//
// Imitates the increments of Berenson et al.'s lost update (A critique of ANSI SQL isolation
// levels, 1995) and of many an application: read n, write n + 1. An update that is lost leaves a
// counter behind the number of increments, and two transactions that wrote the same value. All
// counters start as 0 and only grow.
//
// Shape: `operations` requests; a read is one, an increment two:
//
//   r(4)=7 r(0)=12 w(0, 13) r(2)=5 w(2, 6)
#include "workload/ask.h"
#include "workload/clients.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"
#include "workload/table.h"

namespace isoscope {

namespace {

class Counter final : public Workload {
 public:
  Counter(const WorkloadPlan& plan, HistoryBuilder& names)
      : plan_(plan), names_(names), clients_(plan), counters_(plan, plan.keys) {}

  Script next(std::size_t session) override { return transaction(clients_.next_random(session)); }

 private:
  Script transaction(Random random) {
    for (std::size_t asked = 0; asked < plan_.operations; ++asked) {
      const KeyId key = counter(counters_.choose(random));
      const bool increments = !random.chance(plan_.read_percent);
      const ValueId seen = (co_yield ask::read(key)).value;
      if (!increments) continue;
      ++asked;
      const std::int64_t count = integer_in(names_.values(), seen);
      co_yield ask::write(key, names_.values().integer(count + 1));
    }
    co_return Ending::commit;
  }

  KeyId counter(std::size_t number) { return names_.key(static_cast<std::int64_t>(number)); }

  WorkloadPlan plan_;
  HistoryBuilder& names_;
  Clients clients_;
  KeyChooser counters_;
};

}  // namespace

std::unique_ptr<Workload> make_counter(const WorkloadPlan& plan, HistoryBuilder& names) {
  return std::make_unique<Counter>(plan, names);
}

}  // namespace isoscope
