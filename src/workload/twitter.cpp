// Users write short messages and follow each other, after Twitter.
//
// Imitates the Twitter clone of Cobra's evaluation, which PolySI, Vbox and VeriStrong use too. As
// in VeriStrong's experiments values repeat naturally: many messages have the same text (a number
// here, drawn by `value_theta` from `value_space` of them).
//
// `keys` is the number of users; some are far more popular than others when the plan says zipf, as
// it usually does. `read_percent` of the transactions read, half of them
//
//   timeline      whom the user follows, by predicate; then of some of them (`operations` at most)
//                 the text of the latest message
//   messages      a user row, and its last 10 messages by predicate
//
// and of the others 70%, 20% and 10%
//
//   tweet         read the own row, insert the message under the next number, write the row, and
//                 the text as the latest, without looking at what it replaces
//   follow        read whether one follows; if not, insert it and increment the other's followers
//   unfollow      the opposite, with a delete
//
// Follow and unfollow find nothing to do now and then and only read. Message 5 of user 17 is
// 1700000005 in table `tweets`, and that user 17 follows user 3 is 1700000003 in table `follows`.
//
// Simplified: no text, no time, no lists of followers kept beside the table, nobody follows
// anybody at the start. The shares are ours.
#include <algorithm>
#include <functional>

#include "workload/clients.h"
#include "workload/condition.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"
#include "workload/table.h"

namespace isoscope {

namespace {

constexpr std::int64_t of_a_user = 100'000'000;  // messages or people followed, at most
constexpr std::int64_t messages_shown = 10;

struct User {
  std::int64_t tweets, followers;
};
struct Message {
  std::int64_t text;
};
struct Follow {
  std::int64_t since;  // how many followers there were then
};

std::int64_t of_user(std::int64_t user, std::int64_t number) { return user * of_a_user + number; }

class Twitter final : public Workload {
 public:
  Twitter(const WorkloadPlan& plan, HistoryBuilder& names)
      : plan_(plan),
        clients_(plan),
        choose_user_(plan, plan.keys),
        texts_(plan.value_space, plan.value_theta),
        users_(names, "users", {{"tweets", &User::tweets}, {"followers", &User::followers}}),
        tweets_(names, "tweets", {{"text", &Message::text}}),
        latest_(names, "latest", {{"text", &Message::text}}),
        follows_(names, "follows", {{"since", &Follow::since}}) {}

  std::vector<TableShape> tables() override {
    return {users_.shape(), tweets_.shape(), latest_.shape(), follows_.shape()};
  }
  std::vector<RowVersion> initial_rows() override {
    std::vector<RowVersion> rows;
    for (std::size_t u = 0; u < plan_.keys; ++u) {
      rows.push_back(users_.initial(static_cast<std::int64_t>(u), {0, 0}));
    }
    return rows;
  }

  Script next(std::size_t session) override {
    Random random = clients_.next_random(session);
    const std::int64_t user = any_user(random);
    if (random.chance(plan_.read_percent)) {
      return random.chance(50) ? timeline(user) : messages(user);
    }
    const std::uint64_t percent = random.below(100);
    if (percent < 70) return tweet(user, random);
    return percent < 90 ? follow(user, random) : unfollow(user, random);
  }

 private:
  Script timeline(std::int64_t user) {
    std::vector<std::int64_t> people;
    for (const RowVersion& row : (co_yield followed_by(user)).rows) {
      people.push_back(follows_.number_of(row.key) % of_a_user);
    }
    // Those with the largest numbers: a database may return the rows in any order.
    std::ranges::sort(people, std::greater<>());
    people.resize(std::min(people.size(), plan_.operations));
    for (const std::int64_t person : people) co_yield latest_.read(person);
    co_return Ending::commit;
  }

  Script messages(std::int64_t user) {
    const User row = users_.row_in((co_yield users_.read(user)).value);
    co_yield last_messages(user, row.tweets);
    co_return Ending::commit;
  }

  Script tweet(std::int64_t user, Random random) {
    const auto text = static_cast<std::int64_t>(texts_.draw(random)) + 1;
    User row = users_.row_in((co_yield users_.read(user)).value);
    ++row.tweets;
    co_yield tweets_.insert(of_user(user, row.tweets), Message{text});
    co_yield users_.write(user, row);
    co_yield latest_.write(user, Message{text});
    co_return Ending::commit;
  }

  Script follow(std::int64_t user, Random random) {
    const std::int64_t other = any_user(random);
    const ValueId known = (co_yield follows_.read(of_user(user, other))).value;
    if (known != ValuePool::nil) co_return Ending::commit;
    User row = users_.row_in((co_yield users_.read(other)).value);
    co_yield follows_.insert(of_user(user, other), Follow{row.followers});
    ++row.followers;
    co_yield users_.write(other, row);
    co_return Ending::commit;
  }

  Script unfollow(std::int64_t user, Random random) {
    const std::int64_t other = any_user(random);
    const ValueId known = (co_yield follows_.read(of_user(user, other))).value;
    if (known == ValuePool::nil) co_return Ending::commit;
    User row = users_.row_in((co_yield users_.read(other)).value);
    co_yield follows_.remove(of_user(user, other));
    --row.followers;
    co_yield users_.write(other, row);
    co_return Ending::commit;
  }

  // Requests with predicates are made outside the scripts: see tpcc.cpp.
  Request followed_by(std::int64_t user) const {
    return follows_.select(
        condition::between(Predicate::key_operand, of_user(user, 0), of_user(user + 1, 0) - 1));
  }
  Request last_messages(std::int64_t user, std::int64_t count) const {
    const std::int64_t first = std::max<std::int64_t>(1, count - messages_shown + 1);
    return tweets_.select(condition::between(Predicate::key_operand, of_user(user, first),
                                             of_user(user, first + messages_shown - 1)));
  }

  std::int64_t any_user(Random& random) const {
    return static_cast<std::int64_t>(choose_user_.choose(random));
  }

  WorkloadPlan plan_;
  Clients clients_;
  KeyChooser choose_user_;
  Zipf texts_;  // rank r is the text r + 1
  Table<User> users_;
  Table<Message> tweets_;
  Table<Message> latest_;  // by user
  Table<Follow> follows_;
};

}  // namespace

std::unique_ptr<Workload> make_twitter(const WorkloadPlan& plan, HistoryBuilder& names) {
  return std::make_unique<Twitter>(plan, names);
}

}  // namespace isoscope
