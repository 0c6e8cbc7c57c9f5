// Reads and writes of registers, with as many repeated values as one likes.
//
// Imitates the parametric generator of VeriStrong (section 7.1 of its paper), which is PolySI's
// with duplicate values: sessions, operations per transaction, share of reads, keys and their
// distribution, share of keys with duplicate values; those values follow Zipf's law over a small
// space. What is written to the other keys is written to no key of their kind again, so every read
// of them tells its writer.
//
// Shape: `operations` times, a key is chosen, then a coin says read or write:
//
//   r(12) w(7, 31) r(7) w(4020, 2)
//
// A transaction may touch a key more than once. A request costs about 50 ns, 90 with zipf.
#include "workload/ask.h"
#include "workload/clients.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"

namespace isoscope {

namespace {

class General final : public Workload {
 public:
  General(const WorkloadPlan& plan, HistoryBuilder& names)
      : plan_(plan),
        names_(names),
        clients_(plan),
        keys_(plan, plan.keys),
        repeated_values_(plan.duplicate_percent == 0 ? 1 : plan.value_space, plan.value_theta) {}

  Script next(std::size_t session) override {
    return transaction(session, clients_.next_random(session));
  }

 private:
  Script transaction(std::size_t session, Random random) {
    for (std::size_t i = 0; i < plan_.operations; ++i) {
      const std::size_t number = keys_.choose(random);
      const KeyId key = names_.key(static_cast<std::int64_t>(number));
      if (random.chance(plan_.read_percent)) {
        co_yield ask::read(key);
      } else {
        const std::int64_t value =
            repeats_values(number) ? static_cast<std::int64_t>(repeated_values_.draw(random)) + 1
                                   : clients_.fresh(session);
        co_yield ask::write(key, names_.values().integer(value));
      }
    }
    co_return Ending::commit;
  }

  /// Is the key one of the `duplicate_percent` of the keys, rounded down, whose values repeat?
  /// These are spread evenly: popular keys are among them in the same proportion as unpopular ones.
  bool repeats_values(std::size_t key) const {
    const std::size_t percent = plan_.duplicate_percent;
    return (key + 1) * percent / 100 != key * percent / 100;
  }

  WorkloadPlan plan_;
  HistoryBuilder& names_;
  Clients clients_;
  KeyChooser keys_;
  Zipf repeated_values_;  // rank r is the value r + 1
};

}  // namespace

std::unique_ptr<Workload> make_general(const WorkloadPlan& plan, HistoryBuilder& names) {
  return std::make_unique<General>(plan, names);
}

}  // namespace isoscope
