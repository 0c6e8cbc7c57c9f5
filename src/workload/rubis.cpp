// An auction site, after RUBiS.
//
// Imitates RUBiS (Amza et al., Specification and implementation of dynamic web site benchmarks,
// WWC 2002), as the evaluations of Cobra, PolySI and VeriStrong use it; values repeat naturally
// (quantities, ratings, bids).
//
// `keys` is the number of items at the start, a tenth of it that of users, in 20 categories.
// `read_percent` of the transactions read, half of them
//
//   view          an item, its seller, and all bids for it by predicate
//   browse        the items of a category by predicate, then one of them with its seller
//
// and of the others 50%, 10%, 15%, 15% and 10%
//
//   bid           read the item; insert a bid above the highest under the next number, write the
//                 item's highest bid and number of bids
//   buy           read the item; if there are any left, one less, and insert the purchase
//   comment       insert a comment on a user, read and write the user's rating
//   sell          read the seller, insert an item under a new number
//   register      insert a user under a new number
//
// Items put up later are found by browsing only. Bid 2 for item 17 is 1700000002 in table `bids`.
//
// Simplified: no texts, dates, regions, passwords and searches, an auction never ends. The shares
// are ours.
#include <algorithm>

#include "workload/clients.h"
#include "workload/condition.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"
#include "workload/table.h"

namespace isoscope {

namespace {

constexpr std::size_t categories = 20;
constexpr std::int64_t bids_for_an_item = 100'000'000;  // at most

struct User {
  std::int64_t rating;
};
struct Item {
  std::int64_t seller, category, quantity, max_bid, bids;
};
struct Bid {
  std::int64_t user, amount;
};
struct Purchase {
  std::int64_t user, item;
};
struct Comment {
  std::int64_t from, to, rating;
};

std::int64_t bid_for(std::int64_t item, std::int64_t number) {
  return item * bids_for_an_item + number;
}

class Rubis final : public Workload {
 public:
  Rubis(const WorkloadPlan& plan, HistoryBuilder& names)
      : plan_(plan),
        user_count_(std::max<std::size_t>(1, plan.keys / 10)),
        clients_(plan),
        choose_item_(plan, plan.keys),
        choose_user_(plan, user_count_),
        users_(names, "users", {{"rating", &User::rating}}),
        items_(names, "items",
               {{"seller", &Item::seller},
                {"category", &Item::category},
                {"quantity", &Item::quantity},
                {"max_bid", &Item::max_bid},
                {"bids", &Item::bids}}),
        bids_(names, "bids", {{"user", &Bid::user}, {"amount", &Bid::amount}}),
        purchases_(names, "purchases", {{"user", &Purchase::user}, {"item", &Purchase::item}}),
        comments_(names, "comments",
                  {{"from", &Comment::from}, {"to", &Comment::to}, {"rating", &Comment::rating}}) {}

  std::vector<TableShape> tables() override {
    return {users_.shape(), items_.shape(), bids_.shape(), purchases_.shape(), comments_.shape()};
  }
  std::vector<RowVersion> initial_rows() override {
    std::vector<RowVersion> rows;
    for (std::size_t u = 0; u < user_count_; ++u) {
      rows.push_back(users_.initial(static_cast<std::int64_t>(u), {0}));
    }
    for (std::size_t i = 0; i < plan_.keys; ++i) {
      const auto seller = static_cast<std::int64_t>(i % user_count_);
      const auto category = static_cast<std::int64_t>(i % categories);
      rows.push_back(items_.initial(static_cast<std::int64_t>(i), {seller, category, 10, 0, 0}));
    }
    return rows;
  }

  Script next(std::size_t session) override {
    Random random = clients_.next_random(session);
    if (random.chance(plan_.read_percent)) {
      return random.chance(50) ? view(any_item(random)) : browse(random);
    }
    const std::uint64_t percent = random.below(100);
    if (percent < 50) return bid(random);
    if (percent < 60) return buy(session, random);
    if (percent < 75) return comment(session, random);
    return percent < 90 ? sell(session, random) : register_user(session);
  }

 private:
  Script view(std::int64_t number) {
    const Item item = items_.row_in((co_yield items_.read(number)).value);
    co_yield users_.read(item.seller);
    co_yield bids_for(number);
    co_return Ending::commit;
  }

  Script browse(Random random) {
    const auto category = static_cast<std::int64_t>(random.below(categories));
    const Reply& found = co_yield items_in(category);
    if (found.rows.empty()) co_return Ending::commit;
    // By number, not by place: a database may return the rows in any order.
    std::vector<std::int64_t> numbers;
    for (const RowVersion& row : found.rows) numbers.push_back(items_.number_of(row.key));
    const auto chosen = numbers.begin() + static_cast<std::ptrdiff_t>(random.below(numbers.size()));
    std::ranges::nth_element(numbers, chosen);
    const Item item = items_.row_in((co_yield items_.read(*chosen)).value);
    co_yield users_.read(item.seller);
    co_return Ending::commit;
  }

  Script bid(Random random) {
    const std::int64_t number = any_item(random);
    const std::int64_t user = any_user(random);
    const auto more = static_cast<std::int64_t>(1 + random.below(10));
    Item item = items_.row_in((co_yield items_.read(number)).value);
    item.max_bid += more;
    ++item.bids;
    co_yield bids_.insert(bid_for(number, item.bids), Bid{user, item.max_bid});
    co_yield items_.write(number, item);
    co_return Ending::commit;
  }

  Script buy(std::size_t session, Random random) {
    const std::int64_t number = any_item(random);
    const std::int64_t user = any_user(random);
    Item item = items_.row_in((co_yield items_.read(number)).value);
    if (item.quantity <= 0) co_return Ending::commit;
    --item.quantity;
    co_yield items_.write(number, item);
    co_yield purchases_.insert(clients_.fresh(session), Purchase{user, number});
    co_return Ending::commit;
  }

  Script comment(std::size_t session, Random random) {
    const std::int64_t from = any_user(random);
    const std::int64_t to = any_user(random);
    const std::int64_t rating = random.chance(75) ? 1 : -1;
    co_yield comments_.insert(clients_.fresh(session), Comment{from, to, rating});
    User user = users_.row_in((co_yield users_.read(to)).value);
    user.rating += rating;
    co_yield users_.write(to, user);
    co_return Ending::commit;
  }

  Script sell(std::size_t session, Random random) {
    const std::int64_t seller = any_user(random);
    const auto category = static_cast<std::int64_t>(random.below(categories));
    const auto quantity = static_cast<std::int64_t>(1 + random.below(10));
    co_yield users_.read(seller);
    co_yield items_.insert(new_number(session, plan_.keys), Item{seller, category, quantity, 0, 0});
    co_return Ending::commit;
  }

  Script register_user(std::size_t session) {
    co_yield users_.insert(new_number(session, user_count_), User{0});
    co_return Ending::commit;
  }

  // Requests with predicates are made outside the scripts: see tpcc.cpp.
  Request bids_for(std::int64_t item) const {
    return bids_.select(
        condition::between(Predicate::key_operand, bid_for(item, 0), bid_for(item + 1, 0) - 1));
  }
  Request items_in(std::int64_t category) const {
    return items_.select(condition::equal("category", category));
  }

  /// Above the numbers of the start.
  std::int64_t new_number(std::size_t session, std::size_t at_the_start) {
    return static_cast<std::int64_t>(at_the_start) - 1 + clients_.fresh(session);
  }
  std::int64_t any_item(Random& random) const {
    return static_cast<std::int64_t>(choose_item_.choose(random));
  }
  std::int64_t any_user(Random& random) const {
    return static_cast<std::int64_t>(choose_user_.choose(random));
  }

  WorkloadPlan plan_;
  std::size_t user_count_;
  Clients clients_;
  KeyChooser choose_item_;
  KeyChooser choose_user_;
  Table<User> users_;
  Table<Item> items_;
  Table<Bid> bids_;
  Table<Purchase> purchases_;
  Table<Comment> comments_;
};

}  // namespace

std::unique_ptr<Workload> make_rubis(const WorkloadPlan& plan, HistoryBuilder& names) {
  return std::make_unique<Rubis>(plan, names);
}

}  // namespace isoscope
