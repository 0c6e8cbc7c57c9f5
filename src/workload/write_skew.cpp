// Transactions that read both keys of a pair and write one of them.
//
// Imitates the classic of Berenson et al. (A critique of ANSI SQL isolation levels, 1995) and of
// Fekete et al. (Making snapshot isolation serializable, 2005): two of them that write different
// keys of a pair at the same time are fine for snapshot isolation, as they write nothing in
// common, and not serializable, as neither saw the other. Theirs guard a sum; here values are
// unique, so that each read tells its writer.
//
// Shape: `read_percent` of the transactions read a pair and no more:
//
//   r(4)=11 r(5)=2 w(5, 21)
//   r(4)=11 r(5)=21
//
// The pairs are the keys 0 and 1, 2 and 3, and so on; there is at least one.
#include <algorithm>

#include "workload/ask.h"
#include "workload/clients.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"

namespace isoscope {

namespace {

class WriteSkew final : public Workload {
 public:
  WriteSkew(const WorkloadPlan& plan, HistoryBuilder& names)
      : read_percent_(plan.read_percent),
        names_(names),
        clients_(plan),
        pairs_(plan, std::max<std::size_t>(1, plan.keys / 2)) {}

  Script next(std::size_t session) override {
    return transaction(session, clients_.next_random(session));
  }

 private:
  Script transaction(std::size_t session, Random random) {
    const auto left = static_cast<std::int64_t>(2 * pairs_.choose(random));
    const bool writes = !random.chance(read_percent_);
    const bool writes_left = random.chance(50);
    co_yield ask::read(names_.key(left));
    co_yield ask::read(names_.key(left + 1));
    if (writes) {
      const KeyId key = names_.key(writes_left ? left : left + 1);
      co_yield ask::write(key, names_.values().integer(clients_.fresh(session)));
    }
    co_return Ending::commit;
  }

  unsigned read_percent_;
  HistoryBuilder& names_;
  Clients clients_;
  KeyChooser pairs_;
};

}  // namespace

std::unique_ptr<Workload> make_write_skew(const WorkloadPlan& plan, HistoryBuilder& names) {
  return std::make_unique<WriteSkew>(plan, names);
}

}  // namespace isoscope
