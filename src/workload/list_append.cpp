// Appends of unique elements to lists, and reads of whole lists.
//
// Imitates Elle's list-append generator (jepsen.tests.cycle.append): what a list read shows is the
// order of all appends before it, so versions order themselves. Only few keys are in use at a
// time, for contention, and each is left for a new one after 32 appends, so that lists stay short.
// Elle chooses keys exponentially; here the plan's distribution does (zipf is near).
//
// Shape: `operations` times an append or a read of one of `keys` slots:
//
//   append(3, 21) read(0) append(13, 31)
//
// The key of slot s is at first s, then keys + s, 2 keys + s, ... Elle counts the appends of all
// sessions. Here a session may depend on the others only through what it reads, so it leaves a key
// when it has seen 32 elements in it, or has appended as many itself. Sessions that fall behind
// find full lists and catch up, with one read for each key.
#include <unordered_map>

#include "workload/ask.h"
#include "workload/clients.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"

namespace isoscope {

namespace {

constexpr std::size_t appends_per_key = 32;

class ListAppend final : public Workload {
 public:
  ListAppend(const WorkloadPlan& plan, HistoryBuilder& names)
      : plan_(plan),
        names_(names),
        clients_(plan),
        choose_slot_(plan, plan.keys),
        slots_(plan.sessions) {}

  std::vector<TableShape> tables() override {
    return {TableShape{.holds = TableShape::Holds::lists}};
  }

  Script next(std::size_t session) override {
    return transaction(session, clients_.next_random(session));
  }

 private:
  /// What a session knows of a slot.
  struct Slot {
    std::size_t keys_left = 0;  // how many it has been through
    std::size_t own_appends = 0;

    void leave_key() {
      ++keys_left;
      own_appends = 0;
    }
  };

  Script transaction(std::size_t session, Random random) {
    for (std::size_t i = 0; i < plan_.operations; ++i) {
      const std::size_t number = choose_slot_.choose(random);
      Slot& slot = slots_[session][number];
      const std::size_t key_number = slot.keys_left * plan_.keys + number;
      const KeyId key = names_.key(static_cast<std::int64_t>(key_number));
      if (random.chance(plan_.read_percent)) {
        const ValueId list = (co_yield ask::list_read(key)).value;
        if (is_full(list)) slot.leave_key();
      } else {
        co_yield ask::append(key, names_.values().integer(clients_.fresh(session)));
        if (++slot.own_appends == appends_per_key) slot.leave_key();
      }
    }
    co_return Ending::commit;
  }

  bool is_full(ValueId list) const {
    const ValuePool& values = names_.values();
    return values.kind(list) == ValueKind::list && values.list_size(list) >= appends_per_key;
  }

  WorkloadPlan plan_;
  HistoryBuilder& names_;
  Clients clients_;
  KeyChooser choose_slot_;
  std::vector<std::unordered_map<std::size_t, Slot>> slots_;  // by session and number
};

}  // namespace

std::unique_ptr<Workload> make_list_append(const WorkloadPlan& plan, HistoryBuilder& names) {
  return std::make_unique<ListAppend>(plan, names);
}

}  // namespace isoscope
