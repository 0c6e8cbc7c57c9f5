// Money goes from account to account, and its total never changes.
//
// Imitates Jepsen's bank test (jepsen.tests.bank): snapshot isolation is enough to keep the total
// constant in every read of all accounts, and a total that differs shows read skew or a lost
// update without any checker. Values repeat.
//
// Shape: `read_percent` of the transactions read all `keys` accounts. The others move 1 to 5 from
// one account to another, or abort when it has less:
//
//   r(0)=100 r(1)=93 r(2)=107
//   r(2)=107 r(0)=100 w(2, 103) w(0, 104)
//   r(1)=2 r(0)=190 abort
//
// Every account starts with 100. With one account there are only reads.
#include "workload/ask.h"
#include "workload/clients.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"
#include "workload/table.h"

namespace isoscope {

namespace {

constexpr std::int64_t initial_balance = 100;
constexpr std::uint64_t largest_transfer = 5;

class Bank final : public Workload {
 public:
  Bank(const WorkloadPlan& plan, HistoryBuilder& names)
      : plan_(plan), names_(names), clients_(plan), accounts_(plan, plan.keys) {}

  std::vector<RowVersion> initial_rows() override {
    std::vector<RowVersion> rows;
    for (std::size_t i = 0; i < plan_.keys; ++i) {
      rows.push_back({account(i), names_.values().integer(initial_balance)});
    }
    return rows;
  }

  Script next(std::size_t session) override {
    Random random = clients_.next_random(session);
    const bool reads = random.chance(plan_.read_percent) || plan_.keys == 1;
    return reads ? audit() : transfer(random);
  }

 private:
  Script audit() {
    for (std::size_t i = 0; i < plan_.keys; ++i) co_yield ask::read(account(i));
    co_return Ending::commit;
  }

  Script transfer(Random random) {
    const std::vector<std::size_t> chosen = accounts_.choose_distinct(random, 2);
    const KeyId from = account(chosen[0]);
    const KeyId to = account(chosen[1]);
    const auto amount = static_cast<std::int64_t>(1 + random.below(largest_transfer));
    const std::int64_t source = balance_in(co_yield ask::read(from));
    const std::int64_t target = balance_in(co_yield ask::read(to));
    if (source < amount) co_return Ending::abort;
    co_yield ask::write(from, names_.values().integer(source - amount));
    co_yield ask::write(to, names_.values().integer(target + amount));
    co_return Ending::commit;
  }

  KeyId account(std::size_t number) { return names_.key(static_cast<std::int64_t>(number)); }
  std::int64_t balance_in(const Reply& reply) const {
    return integer_in(names_.values(), reply.value);
  }

  WorkloadPlan plan_;
  HistoryBuilder& names_;
  Clients clients_;
  KeyChooser accounts_;
};

}  // namespace

std::unique_ptr<Workload> make_bank(const WorkloadPlan& plan, HistoryBuilder& names) {
  return std::make_unique<Bank>(plan, names);
}

}  // namespace isoscope
