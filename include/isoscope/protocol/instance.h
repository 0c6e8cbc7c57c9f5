#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// The numbers of clients, of keys, and of transactions of each client.
struct Sizes {
  std::size_t clients = 2;
  std::size_t keys = 2;
  std::size_t transactions = 1;

  bool operator==(const Sizes&) const = default;
};

/// A value for every place of every component, a byte each: 0 or 1; the number of an enumeration's
/// value; a transaction, or `none`.
using State = std::vector<std::uint8_t>;
inline constexpr std::uint8_t none = 255;

/// A model with a definite number of clients, keys and transactions. Transaction 0 is the initial
/// one; those of client c are 1 + c * transactions + 0, 1, 2... in session order. The caller fixes
/// the model's total orders by giving the place of every transaction, with the initial one at 0.
///
/// This class is slow and plain: it interprets formulas. The explorer has its own, faster way, and
/// is tested against this class.
class Instance {
 public:
  /// `orders`: for every order of the model, the place of each transaction; empty: by number.
  Instance(const Model& model, Sizes sizes, std::vector<std::vector<std::uint8_t>> orders = {});

  const Model& model() const { return model_; }
  Sizes sizes() const { return sizes_; }
  std::size_t count(Sort sort) const;
  std::uint8_t owner(std::uint8_t transaction) const;  ///< not of the initial one

  /// Where in a State the component's value at these arguments stands.
  std::size_t place(std::uint32_t component, std::span<const std::uint8_t> arguments) const;
  std::size_t state_size() const { return size_; }

  /// The start, all constants being false; the caller sets them.
  State initial_state() const;

  /// `variables`: values of the formula's free variables, from 0.
  bool evaluate(const Formula& formula, const State& state,
                std::span<const std::uint8_t> variables) const;
  std::uint8_t evaluate(const Term& term, const State& state,
                        std::span<const std::uint8_t> variables) const;

  bool is_enabled(std::uint32_t event, const State& state,
                  std::span<const std::uint8_t> parameters) const;
  /// What the event makes of the state, whether it is enabled or not.
  State next(std::uint32_t event, const State& state,
             std::span<const std::uint8_t> parameters) const;

  /// Every step that some event can do from here: its number, its parameters, and the next state.
  using Visit = std::function<void(std::uint32_t event, std::span<const std::uint8_t> parameters,
                                   const State& next)>;
  void for_each_step(const State& state, const Visit& visit) const;

 private:
  const Model& model_;
  Sizes sizes_;
  std::vector<std::vector<std::uint8_t>> orders_;
  std::vector<std::size_t> offsets_;
  std::size_t size_ = 0;
};

}  // namespace isoscope::protocol
