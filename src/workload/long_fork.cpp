// Writers of one key, and readers of the group that the key belongs to.
//
// Imitates Jepsen's long-fork test (jepsen.tests.long-fork): two readers that see two independent
// writes in opposite orders, which parallel snapshot isolation allows and snapshot isolation does
// not. Values are unique. Jepsen writes every key once; here keys are written again and again.
//
// Shape: `read_percent` of the transactions read a group of `operations` keys (at least 2) in
// random order, the others write one key:
//
//   w(6, 13)
//   r(7)=nil r(6)=13
//
// The keys are in groups of neighbours; those that fill no group are not used.
#include <algorithm>
#include <numeric>
#include <utility>

#include "workload/ask.h"
#include "workload/clients.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"

namespace isoscope {

namespace {

class LongFork final : public Workload {
 public:
  LongFork(const WorkloadPlan& plan, HistoryBuilder& names)
      : read_percent_(plan.read_percent),
        group_size_(std::min(std::max<std::size_t>(plan.operations, 2), plan.keys)),
        names_(names),
        clients_(plan),
        groups_(plan, plan.keys / group_size_) {}

  Script next(std::size_t session) override {
    Random random = clients_.next_random(session);
    return random.chance(read_percent_) ? reading(random) : writing(session, random);
  }

 private:
  Script reading(Random random) {
    const std::size_t group = groups_.choose(random);
    std::vector<std::size_t> members(group_size_);
    std::iota(members.begin(), members.end(), group * group_size_);
    for (std::size_t i = 0; i < group_size_; ++i) {
      std::swap(members[i], members[i + random.below(group_size_ - i)]);
      co_yield ask::read(key(members[i]));
    }
    co_return Ending::commit;
  }

  Script writing(std::size_t session, Random random) {
    const std::size_t member = groups_.choose(random) * group_size_ + random.below(group_size_);
    co_yield ask::write(key(member), names_.values().integer(clients_.fresh(session)));
    co_return Ending::commit;
  }

  KeyId key(std::size_t number) { return names_.key(static_cast<std::int64_t>(number)); }

  unsigned read_percent_;
  std::size_t group_size_;
  HistoryBuilder& names_;
  Clients clients_;
  KeyChooser groups_;
};

}  // namespace

std::unique_ptr<Workload> make_long_fork(const WorkloadPlan& plan, HistoryBuilder& names) {
  return std::make_unique<LongFork>(plan, names);
}

}  // namespace isoscope
