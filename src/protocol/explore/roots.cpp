#include "protocol/explore/roots.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <string>

#include "isoscope/base/contract.h"

namespace isoscope::protocol {

namespace {

std::vector<std::vector<std::uint8_t>> permutations(std::size_t count) {
  std::vector<std::uint8_t> order(count);
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  std::vector<std::vector<std::uint8_t>> result;
  do {
    result.push_back(order);
  } while (std::ranges::next_permutation(order).found);
  return result;
}

/// Fixed cells hold no transactions, so only their places are renamed.
class Starts {
 public:
  Starts(const System& system, const std::vector<Renaming>& renamings, bool symmetry)
      : cells_(system.cells()), renamings_(renamings), symmetry_(symmetry) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      if (cells_.is_fixed(cell) && cell < cells_.first_order_cell()) {
        constants_.push_back(static_cast<std::uint32_t>(cell));
        if (system.is_used(cell)) free_.push_back(static_cast<std::uint32_t>(cell));
      } else if (cells_.is_fixed(cell)) {
        orders_.push_back(static_cast<std::uint32_t>(cell));
      }
    }
  }

  // Orders first, then constants: what is least among its renamings in both is least as a whole.
  Result<std::vector<Root>> all(const std::vector<std::vector<std::uint8_t>>& constants) {
    std::vector<std::uint32_t> everything(symmetry_ ? renamings_.size() : 1);
    std::iota(everything.begin(), everything.end(), 0u);
    std::vector<Root> ordered = {{cells_.initial(), everything}};
    for (std::uint32_t order = 0; order < cells_.model().orders.size(); ++order) {
      if (cells_.transactions() > 9)
        return Error{.what = "too many orders of transactions", .kind = ErrorKind::usage};
      std::vector<Root> more;
      for (const Root& root : ordered) {
        for (const auto& places : permutations(cells_.transactions() - 1)) {
          std::vector<std::uint8_t> values = root.values;
          for (std::size_t t = 0; t < cells_.transactions(); ++t) {
            for (std::size_t u = 0; u < cells_.transactions(); ++u) {
              values[cells_.order(order, t, u)] =
                  t != u && (t == 0 || (u != 0 && places[t - 1] < places[u - 1])) ? 1 : 0;
            }
          }
          add(std::move(values), root.symmetry, orders_, more);
        }
      }
      ordered = std::move(more);
    }
    std::vector<Root> result;
    for (const Root& root : ordered) {
      for (const auto& choice : constants) {
        std::vector<std::uint8_t> values = root.values;
        for (std::size_t i = 0; i < constants_.size(); ++i) values[constants_[i]] = choice[i];
        add(std::move(values), root.symmetry, constants_, result);
        if (result.size() > most_roots) {
          return Error{.what = "too many choices of constants: restrict them by shapes",
                       .kind = ErrorKind::usage};
        }
      }
    }
    return result;
  }

  Result<std::vector<std::vector<std::uint8_t>>> every_choice() const {
    std::vector<std::vector<std::uint8_t>> result = {
        std::vector<std::uint8_t>(constants_.size(), 0)};
    for (const std::uint32_t cell : free_) {
      const auto at =
          static_cast<std::size_t>(std::ranges::find(constants_, cell) - constants_.begin());
      const std::size_t known = result.size();
      if (known * cells_.value_count(cell) > most_roots) {
        return Error{.what =
                         "the model's constants can be chosen in more than a million ways: "
                         "restrict them by shapes",
                     .kind = ErrorKind::usage};
      }
      for (std::uint8_t value = 1; value < cells_.value_count(cell); ++value) {
        for (std::size_t i = 0; i < known; ++i) {
          result.push_back(result[i]);
          result.back()[at] = value;
        }
      }
    }
    return result;
  }

  /// The constants that the shapes make true.
  Result<std::vector<std::vector<std::uint8_t>>> choices_of(
      const std::vector<Shape>& shapes) const {
    std::vector<std::uint8_t> values = cells_.initial();
    if (shapes.size() + 1 > cells_.transactions()) {
      return Error{.what = "there are " + std::to_string(shapes.size()) + " shapes but only " +
                           std::to_string(cells_.transactions() - 1) + " transactions",
                   .kind = ErrorKind::usage};
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      for (const Shape::Access& access : shapes[i].accesses) {
        ISOSCOPE_TRY(component, constant_called(access.constant));
        if (access.key >= cells_.keys()) {
          return Error{.what = "a shape uses key " + key_name(access.key) +
                               ", but there are only " + std::to_string(cells_.keys()) + " keys",
                       .kind = ErrorKind::usage};
        }
        const bool key_first = cells_.model().components[component].parameters[0] == Sort::key;
        const auto transaction = static_cast<std::uint8_t>(i + 1);
        const std::array<std::uint8_t, 2> arguments = {key_first ? access.key : transaction,
                                                       key_first ? transaction : access.key};
        values[cells_.place(component, arguments)] = 1;
      }
    }
    // The constants are renamed in all ways, since only the least of the renamings of each order is
    // tried.
    const auto as_values = [](const auto& characters) {
      return std::vector<std::uint8_t>(characters.begin(), characters.end());
    };
    std::set<std::u8string> seen;
    std::vector<std::vector<std::uint8_t>> result;
    for (std::size_t number = 0; number < (symmetry_ ? renamings_.size() : 1); ++number) {
      std::u8string choice;
      for (const std::uint32_t cell : constants_) {
        choice.push_back(static_cast<char8_t>(values[renamings_[number].source[cell]]));
      }
      if (seen.insert(choice).second) result.push_back(as_values(choice));
    }
    return result;
  }

 private:
  // Adds the start if it is the least of its renamings in `symmetry`, where only `cells` are
  // compared.
  void add(std::vector<std::uint8_t> values, const std::vector<std::uint32_t>& symmetry,
           const std::vector<std::uint32_t>& cells, std::vector<Root>& to) const {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t number : symmetry) {
      const Renaming& renaming = renamings_[number];
      const auto differs = std::ranges::find_if(
          cells, [&](std::uint32_t cell) { return values[renaming.source[cell]] != values[cell]; });
      if (differs == cells.end()) {
        kept.push_back(number);
      } else if (values[renaming.source[*differs]] < values[*differs]) {
        return;
      }
    }
    to.push_back({std::move(values), std::move(kept)});
  }

  Result<std::uint32_t> constant_called(const std::string& name) const {
    const auto& components = cells_.model().components;
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < components.size(); ++i) {
      const Component& component = components[i];
      if (!component.is_constant || component.kind != Component::Kind::relation ||
          component.parameters.size() != 2 ||
          std::ranges::count(component.parameters, Sort::key) != 1 ||
          std::ranges::count(component.parameters, Sort::transaction) != 1) {
        continue;
      }
      if (component.name == name) return i;
      if (component.name.starts_with(name)) found.push_back(i);
    }
    if (found.size() == 1) return found[0];
    return Error{.what = (found.empty() ? "no constant of keys and transactions begins with '"
                                        : "more than one constant begins with '") +
                         name + "', as a shape needs it",
                 .kind = ErrorKind::usage};
  }

  const Cells& cells_;
  const std::vector<Renaming>& renamings_;
  bool symmetry_;
  std::vector<std::uint32_t> constants_, free_, orders_;
};

}  // namespace

std::vector<Renaming> renamings(const Cells& cells) {
  // Any group of renamings will do. The group of eight clients, or of six clients and six keys,
  // would cost more than it saves.
  const auto factorial = [](std::size_t n) {
    std::size_t product = 1;
    for (std::size_t i = 2; i <= n; ++i) product *= i;
    return product;
  };
  std::size_t clients_renamed = std::min<std::size_t>(cells.count(Sort::client), 6);
  std::size_t keys_renamed = std::min<std::size_t>(cells.keys(), 6);
  while (factorial(clients_renamed) * factorial(keys_renamed) > most_renamings)
    --(keys_renamed >= clients_renamed ? keys_renamed : clients_renamed);
  const auto some = [](std::size_t count, std::size_t most) {
    auto all = permutations(most);
    for (auto& one : all) {
      while (one.size() < count) one.push_back(static_cast<std::uint8_t>(one.size()));
    }
    return all;
  };
  std::vector<Renaming> result;
  for (const auto& clients : some(cells.count(Sort::client), clients_renamed)) {
    for (const auto& keys : some(cells.keys(), keys_renamed)) {
      Renaming renaming{keys, clients, std::vector<std::uint8_t>(64), {}};
      for (std::uint8_t t = 0; t < 64; ++t) {
        renaming.transactions[t] =
            t < cells.transactions() ? cells.renamed_transaction(t, clients) : t;
      }
      renaming.source.resize(cells.size());
      for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
        renaming.source[cells.renamed(cell, keys, clients)] = cell;
      }
      result.push_back(std::move(renaming));
    }
  }
  return result;
}

Result<std::vector<Root>> roots_of(const System& system, const std::vector<Renaming>& renamings,
                                   const std::vector<Shape>& shapes, bool symmetry) {
  Starts starts(system, renamings, symmetry);
  if (!shapes.empty()) {
    ISOSCOPE_TRY(renamed, starts.choices_of(shapes));
    return starts.all(renamed);
  }
  ISOSCOPE_TRY(choices, starts.every_choice());
  return starts.all(choices);
}

}  // namespace isoscope::protocol
