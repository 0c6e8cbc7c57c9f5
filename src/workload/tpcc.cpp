// A wholesaler's orders, after TPC-C.
//
// Imitates the TPC-C benchmark (revision 5.11) as Vbox and VeriStrong run it, with one warehouse
// of ten districts: its five transactions in their usual shares. Rows are inserted under keys that
// depend on what was read (the district's next order number), orders waiting for delivery are a
// queue that is found by a predicate and shortened by deletes, and everybody wants the warehouse
// row.
//
//   new-order     45%  reads warehouse, district and customer, takes the next order number;
//                      inserts the order, its new_order row and 5 to 15 lines, each with a read
//                      and a write of the item's stock; one in a hundred finds its last item
//                      missing and aborts
//   payment       43%  read and write of warehouse, district and customer
//   order-status   4%  customer, its orders by predicate, the lines of the newest one
//   delivery       4%  in each district the oldest new_order row, by predicate, is deleted, the
//                      order gets a carrier, its lines a date, the customer the bill
//   stock-level    4%  district, the lines of its last 20 orders by predicate, the items of which
//                      there are few by predicate
//
// `keys` is the number of items (100,000 in TPC-C); a district has three customers for a hundred
// items, as there. Items and customers are chosen as the plan says.
//
// Keys tell what they are: customer 7 of district 3 is 30000007, order 12 of district 3 is
// 30000012, its second line 3000001202; so the orders of a district, and the lines of an order,
// are a range of keys.
//
// Simplified: no item and history tables, no texts, customers are found by number only, there are
// no orders at the start and no other warehouse.
#include <algorithm>

#include "workload/clients.h"
#include "workload/condition.h"
#include "workload/key_chooser.h"
#include "workload/kinds.h"
#include "workload/table.h"

namespace isoscope {

namespace {

constexpr std::int64_t warehouse_number = 1;
constexpr std::int64_t districts_count = 10;
constexpr std::int64_t in_a_district = 10'000'000;  // orders or customers, at most
constexpr std::int64_t in_an_order = 100;           // lines, at most

struct Warehouse {
  std::int64_t ytd;
};
struct District {
  std::int64_t next_o_id, ytd;
};
struct Customer {
  std::int64_t balance, payments, deliveries;
};
struct Stock {
  std::int64_t quantity, ytd;
};
struct Order {
  std::int64_t customer, lines, carrier;
};
struct OrderLine {
  std::int64_t item, quantity, amount, delivered;
};
struct NewOrder {
  std::int64_t lines;
};

std::int64_t in_district(std::int64_t district, std::int64_t number) {
  return district * in_a_district + number;
}
std::int64_t line_of(std::int64_t order, std::int64_t line) { return order * in_an_order + line; }

class Tpcc final : public Workload {
 public:
  Tpcc(const WorkloadPlan& plan, HistoryBuilder& names)
      : clients_(plan),
        items_(plan.keys),
        customers_per_district_(std::max<std::size_t>(1, plan.keys * 3 / 100)),
        choose_item_(plan, items_),
        choose_customer_(plan, customers_per_district_),
        warehouses_(names, "warehouse", {{"ytd", &Warehouse::ytd}}),
        districts_(names, "district",
                   {{"next_o_id", &District::next_o_id}, {"ytd", &District::ytd}}),
        customers_(names, "customer",
                   {{"balance", &Customer::balance},
                    {"payments", &Customer::payments},
                    {"deliveries", &Customer::deliveries}}),
        stock_(names, "stock", {{"quantity", &Stock::quantity}, {"ytd", &Stock::ytd}}),
        orders_(names, "orders",
                {{"customer", &Order::customer},
                 {"lines", &Order::lines},
                 {"carrier", &Order::carrier}}),
        lines_(names, "order_line",
               {{"item", &OrderLine::item},
                {"quantity", &OrderLine::quantity},
                {"amount", &OrderLine::amount},
                {"delivered", &OrderLine::delivered}}),
        new_orders_(names, "new_order", {{"lines", &NewOrder::lines}}) {}

  std::vector<TableShape> tables() override {
    return {warehouses_.shape(), districts_.shape(), customers_.shape(), stock_.shape(),
            orders_.shape(),     lines_.shape(),     new_orders_.shape()};
  }
  std::vector<RowVersion> initial_rows() override {
    std::vector<RowVersion> rows;
    rows.push_back(warehouses_.initial(warehouse_number, {0}));
    for (std::int64_t d = 1; d <= districts_count; ++d) {
      rows.push_back(districts_.initial(d, {1, 0}));
      for (std::size_t c = 0; c < customers_per_district_; ++c) {
        const auto number = static_cast<std::int64_t>(c) + 1;
        rows.push_back(customers_.initial(in_district(d, number), {0, 0, 0}));
      }
    }
    for (std::size_t i = 0; i < items_; ++i) {
      // 10 to 100 pieces, different from item to item.
      const auto quantity = static_cast<std::int64_t>(10 + i * 37 % 91);
      rows.push_back(stock_.initial(static_cast<std::int64_t>(i) + 1, {quantity, 0}));
    }
    return rows;
  }

  Script next(std::size_t session) override {
    Random random = clients_.next_random(session);
    const std::uint64_t percent = random.below(100);
    if (percent < 45) return new_order(random);
    if (percent < 88) return payment(random);
    if (percent < 92) return order_status(random);
    if (percent < 96) return delivery(random);
    return stock_level(random);
  }

 private:
  Script new_order(Random random) {
    const std::int64_t d = any_district(random);
    const std::int64_t c = any_customer(random);
    const std::vector<std::size_t> items =
        choose_item_.choose_distinct(random, 5 + random.below(11));
    const auto line_count = static_cast<std::int64_t>(items.size());
    const bool last_is_missing = random.chance(1);

    co_yield warehouses_.read(warehouse_number);
    District district = districts_.row_in((co_yield districts_.read(d)).value);
    const std::int64_t order = in_district(d, district.next_o_id);
    ++district.next_o_id;
    co_yield districts_.write(d, district);
    co_yield customers_.read(in_district(d, c));
    co_yield orders_.insert(order, Order{c, line_count, 0});
    co_yield new_orders_.insert(order, NewOrder{line_count});
    for (std::int64_t line = 1; line <= line_count; ++line) {
      if (last_is_missing && line == line_count) co_return Ending::abort;
      const auto item = static_cast<std::int64_t>(items[static_cast<std::size_t>(line - 1)]) + 1;
      const std::int64_t pieces = between(random, 1, 10);
      Stock stock = stock_.row_in((co_yield stock_.read(item)).value);
      stock.quantity -= pieces;
      if (stock.quantity < 10) stock.quantity += 91;
      stock.ytd += pieces;
      co_yield stock_.write(item, stock);
      const std::int64_t amount = pieces * between(random, 1, 100);
      co_yield lines_.insert(line_of(order, line), OrderLine{item, pieces, amount, 0});
    }
    co_return Ending::commit;
  }

  Script payment(Random random) {
    const std::int64_t d = any_district(random);
    const std::int64_t c = in_district(d, any_customer(random));
    const std::int64_t amount = between(random, 1, 5000);
    Warehouse warehouse = warehouses_.row_in((co_yield warehouses_.read(warehouse_number)).value);
    warehouse.ytd += amount;
    co_yield warehouses_.write(warehouse_number, warehouse);
    District district = districts_.row_in((co_yield districts_.read(d)).value);
    district.ytd += amount;
    co_yield districts_.write(d, district);
    Customer customer = customers_.row_in((co_yield customers_.read(c)).value);
    customer.balance -= amount;
    ++customer.payments;
    co_yield customers_.write(c, customer);
    co_return Ending::commit;
  }

  Script order_status(Random random) {
    const std::int64_t d = any_district(random);
    const std::int64_t c = any_customer(random);
    co_yield customers_.read(in_district(d, c));
    const Reply& found = co_yield orders_of(d, c);
    if (found.rows.empty()) co_return Ending::commit;
    const RowVersion newest = *std::ranges::max_element(
        found.rows, {}, [&](const RowVersion& row) { return orders_.number_of(row.key); });
    const std::int64_t order = orders_.number_of(newest.key);
    const std::int64_t line_count = orders_.row_in(newest.value).lines;
    for (std::int64_t line = 1; line <= line_count; ++line) {
      co_yield lines_.read(line_of(order, line));
    }
    co_return Ending::commit;
  }

  Script delivery(Random random) {
    const std::int64_t carrier = between(random, 1, 10);
    for (std::int64_t d = 1; d <= districts_count; ++d) {
      const Reply& waiting = co_yield new_orders_of(d);
      if (waiting.rows.empty()) continue;
      std::int64_t oldest = new_orders_.number_of(waiting.rows.front().key);
      for (const RowVersion& row : waiting.rows) {
        oldest = std::min(oldest, new_orders_.number_of(row.key));
      }
      co_yield new_orders_.remove(oldest);
      const ValueId found = (co_yield orders_.read(oldest)).value;
      if (found == ValuePool::nil) continue;  // a database that shows half of a new-order
      Order order = orders_.row_in(found);
      order.carrier = carrier;
      co_yield orders_.write(oldest, order);
      std::int64_t bill = 0;
      for (std::int64_t line = 1; line <= order.lines; ++line) {
        const std::int64_t number = line_of(oldest, line);
        OrderLine content = lines_.row_in((co_yield lines_.read(number)).value);
        bill += content.amount;
        content.delivered = 1;
        co_yield lines_.write(number, content);
      }
      const std::int64_t c = in_district(d, order.customer);
      Customer customer = customers_.row_in((co_yield customers_.read(c)).value);
      customer.balance += bill;
      ++customer.deliveries;
      co_yield customers_.write(c, customer);
    }
    co_return Ending::commit;
  }

  Script stock_level(Random random) {
    const std::int64_t d = any_district(random);
    const std::int64_t threshold = between(random, 10, 20);
    const District district = districts_.row_in((co_yield districts_.read(d)).value);
    co_yield lines_of_last_orders(d, district.next_o_id);
    co_yield stock_below(threshold);
    co_return Ending::commit;
  }

  // Requests with predicates are made here, not inside the scripts: g++ 12 may destroy twice what a
  // co_yield expression holds besides trivial things.
  Request orders_of(std::int64_t d, std::int64_t customer) const {
    return orders_.select(condition::both(all_of(d), condition::equal("customer", customer)));
  }
  Request new_orders_of(std::int64_t d) const { return new_orders_.select(all_of(d)); }
  Request lines_of_last_orders(std::int64_t d, std::int64_t next_o_id) const {
    const std::int64_t first = in_district(d, std::max<std::int64_t>(1, next_o_id - 20));
    return lines_.select(condition::between(Predicate::key_operand, line_of(first, 0),
                                            line_of(in_district(d, next_o_id), 0) - 1));
  }
  Request stock_below(std::int64_t threshold) const {
    return stock_.select(condition::less("quantity", threshold));
  }
  static Predicate all_of(std::int64_t d) {
    return condition::between(Predicate::key_operand, in_district(d, 0), in_district(d + 1, 0) - 1);
  }

  static std::int64_t between(Random& random, std::int64_t first, std::int64_t last) {
    return first +
           static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(last - first + 1)));
  }
  static std::int64_t any_district(Random& random) { return between(random, 1, districts_count); }
  std::int64_t any_customer(Random& random) const {
    return static_cast<std::int64_t>(choose_customer_.choose(random)) + 1;
  }

  Clients clients_;
  std::size_t items_;
  std::size_t customers_per_district_;
  KeyChooser choose_item_;
  KeyChooser choose_customer_;
  Table<Warehouse> warehouses_;
  Table<District> districts_;
  Table<Customer> customers_;
  Table<Stock> stock_;
  Table<Order> orders_;
  Table<OrderLine> lines_;
  Table<NewOrder> new_orders_;
};

}  // namespace

std::unique_ptr<Workload> make_tpcc(const WorkloadPlan& plan, HistoryBuilder& names) {
  return std::make_unique<Tpcc>(plan, names);
}

}  // namespace isoscope
