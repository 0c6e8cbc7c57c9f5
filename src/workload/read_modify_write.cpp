// Every key is read before it is written, and every value is unique.
//
// Imitates the mini-transactions of MTC (Wei et al., Boosting end-to-end database isolation
// checking via mini-transactions, ICDE 2025), with any number of keys. As each write follows a
// read of the same key, the reads chain the versions of a key one to the next, and a lost update
// shows as two writers after one version.
//
// Shape: for each of operations/2 different keys a read, then mostly a write; `read_percent` of
// the keys are only read:
//
//   r(8) w(8, 12) r(3) r(40) w(40, 22)
#include "workload/ask.h"
#include "workload/clients.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"

namespace isoscope {

namespace {

class ReadModifyWrite final : public Workload {
 public:
  ReadModifyWrite(const WorkloadPlan& plan, HistoryBuilder& names)
      : plan_(plan), names_(names), clients_(plan), keys_(plan, plan.keys) {}

  Script next(std::size_t session) override {
    return transaction(session, clients_.next_random(session));
  }

 private:
  Script transaction(std::size_t session, Random random) {
    const std::vector<std::size_t> chosen =
        keys_.choose_distinct(random, (plan_.operations + 1) / 2);
    for (const std::size_t number : chosen) {
      const KeyId key = names_.key(static_cast<std::int64_t>(number));
      co_yield ask::read(key);
      if (random.chance(plan_.read_percent)) continue;
      co_yield ask::write(key, names_.values().integer(clients_.fresh(session)));
    }
    co_return Ending::commit;
  }

  WorkloadPlan plan_;
  HistoryBuilder& names_;
  Clients clients_;
  KeyChooser keys_;
};

}  // namespace

std::unique_ptr<Workload> make_read_modify_write(const WorkloadPlan& plan, HistoryBuilder& names) {
  return std::make_unique<ReadModifyWrite>(plan, names);
}

}  // namespace isoscope
