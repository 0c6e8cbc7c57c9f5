#include "protocol/explore/cells.h"

#include "isoscope/base/contract.h"

namespace isoscope::protocol {

Cells::Cells(const Model& model, Sizes sizes, RememberedTime time)
    : instance_(model, sizes), remembered_time_(time) {
  ISOSCOPE_REQUIRE(transactions() <= most_transactions);
  const auto add = [&](const std::vector<Sort>& sorts, bool fixed, bool transaction,
                       std::uint8_t values) {
    std::vector<std::uint8_t> arguments(sorts.size(), 0);
    const auto first = static_cast<std::uint32_t>(where_.size());
    std::size_t places = 1;
    for (const Sort sort : sorts) places *= count(sort);
    for (std::size_t i = 0; i < places; ++i) {
      std::size_t rest = i;
      for (std::size_t p = sorts.size(); p-- > 0;) {
        arguments[p] = static_cast<std::uint8_t>(rest % count(sorts[p]));
        rest /= count(sorts[p]);
      }
      where_.push_back({first, sorts, arguments});
      is_fixed_.push_back(fixed);
      holds_transaction_.push_back(transaction);
      value_count_.push_back(values);
    }
  };
  for (const Component& component : model.components) {
    std::size_t values = 2;
    if (component.kind == Component::Kind::enumeration) {
      values = model.enumerations[component.enumeration].values.size();
    }
    add(component.parameters, component.is_constant, component.kind == Component::Kind::reference,
        static_cast<std::uint8_t>(values));
  }
  ISOSCOPE_ENSURE(where_.size() == instance_.state_size());
  if (time != RememberedTime::nothing) {
    add({Sort::transaction}, false, false, 2);
    add({Sort::transaction}, false, false, 2);
  }
  if (time == RememberedTime::order) add({Sort::transaction, Sort::transaction}, false, false, 2);
  orders_ = where_.size();
  for (std::size_t i = 0; i < model.orders.size(); ++i) {
    add({Sort::transaction, Sort::transaction}, true, false, 2);
  }
  size_ = where_.size();
  initial_ = values(instance_.initial_state());
}

State Cells::state(const std::uint8_t* values) const {
  State state(values, values + instance_.state_size());
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (holds_transaction_[i] && state[i] == nobody) state[i] = none;
  }
  return state;
}

std::vector<std::uint8_t> Cells::values(const State& state) const {
  std::vector<std::uint8_t> values(state);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == none) values[i] = nobody;
  }
  values.resize(size_, 0);
  return values;
}

std::uint8_t Cells::renamed_transaction(std::uint8_t transaction,
                                        std::span<const std::uint8_t> clients) const {
  if (transaction == 0 || transaction == nobody) return transaction;
  const std::size_t per_client = instance_.sizes().transactions;
  const std::size_t client = (transaction - 1u) / per_client;
  return static_cast<std::uint8_t>(1 + clients[client] * per_client +
                                   (transaction - 1u) % per_client);
}

std::uint32_t Cells::renamed(std::size_t cell, std::span<const std::uint8_t> keys,
                             std::span<const std::uint8_t> clients) const {
  const Where& where = where_[cell];
  std::size_t index = 0;
  for (std::size_t i = 0; i < where.sorts.size(); ++i) {
    std::uint8_t argument = where.arguments[i];
    switch (where.sorts[i]) {
      case Sort::client:
        argument = clients[argument];
        break;
      case Sort::key:
        argument = keys[argument];
        break;
      case Sort::transaction:
        argument = renamed_transaction(argument, clients);
        break;
    }
    index = index * count(where.sorts[i]) + argument;
  }
  return where.first + static_cast<std::uint32_t>(index);
}

}  // namespace isoscope::protocol
