#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "isoscope/circuit/circuit.h"
#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

using circuit::Bit;
using circuit::Circuit;

/// Before or after the event.
enum class When : std::uint8_t { before, after };

/// How many constants of each sort are wanted besides those that the event brings.
struct Constants {
  std::array<std::size_t, 3> count = {};  ///< by sort

  std::size_t& operator[](Sort sort) { return count[static_cast<std::size_t>(sort)]; }
  constexpr std::size_t operator[](Sort sort) const {
    return count[static_cast<std::size_t>(sort)];
  }
};

/// One event, or the start, of a model with any number of clients, keys and transactions, as a
/// circuit.
///
/// Formulas of the kind that models are made of (no function from a sort back to itself, through
/// whatever others) are true of some state if and only if they are true of one in which there is
/// nothing but what their terms name: the event's parameters, some constants, and what functions
/// give for these. So quantifiers range over these terms; which of them are the same is part of the
/// question. (Source: Bernays and Schönfinkel; Abadi et al., for several sorts.)
///
/// An "exists" that is to be true needs a constant of its own; where it stands below a "for all" it
/// is left out. Leaving out something assumed can only make a proof fail.
///
/// A reference that is not none refers to something, which need not be one of the terms. So being
/// none is a fact of its own. It implies that the reference refers to no term, but not the other
/// way round. Suppose that the guard says that a reference of the event's own is not none. If the
/// model refines another one, what that reference refers to becomes a term of its own, because the
/// other model's updates can only be shown to be done if there is such a thing. For levels this
/// would only make the questions larger.
class Ground {
 public:
  /// A term: its number among those of its sort.
  using Element = std::uint32_t;

  /// `event` null: the start, where all components have their initial values (When::before).
  /// `free`: constants that goals use, numbered from the front of free_constants().
  Ground(Circuit& circuit, const Model& model, const Event* event, const Constants& free);

  std::size_t count(Sort sort) const { return size_[static_cast<std::size_t>(sort)]; }
  const std::vector<Element>& parameters() const { return parameters_; }
  const std::vector<Element>& free_constants(Sort sort) const {
    return free_[static_cast<std::size_t>(sort)];
  }
  /// Do two terms of this sort name the same thing?
  Bit equal(Sort sort, Element a, Element b);

  Bit session_order(Element a, Element b) {
    return stored(static_cast<std::uint32_t>(model_.components.size()), {a, b});
  }
  /// Nobody is the owner of the initial transaction, so the bit is false for it.
  Bit same_owner(Element a, Element b) {
    return circuit_.all_of({!equal(Sort::transaction, a, 0), !equal(Sort::transaction, b, 0),
                            equal(Sort::client, owner_[a], owner_[b])});
  }

  /// How a formula is used. `assumed`: the bit is implied by the formula. `denied`: its opposite is
  /// implied by the formula's opposite.
  enum class Use : std::uint8_t { assumed, denied };

  /// `variables`: what the formula's free variables stand for. Its existential variables take the
  /// free constants from `next` on, which moves.
  Bit holds(const Formula& formula, std::span<const Element> variables, When when, Use use,
            Constants& next);
  /// For use in both ways.
  Bit holds(const Formula& formula, std::span<const Element> variables, When when);

 private:
  struct Alternative {
    Bit condition;
    Element element;
  };
  using Variables = std::vector<Element>;
  using Atom = std::vector<Element>;

  void make_terms(const Constants& free);
  void relate_terms();
  void require_start();
  Element new_element(Sort sort) {
    return static_cast<Element>(size_[static_cast<std::size_t>(sort)]++);
  }

  Bit quantified(const Formula& formula, Variables& variables, When when, Use use, Constants& next,
                 bool below_all);
  Bit evaluate(const Formula& formula, Variables& variables, When when, Use use, Constants& next,
               bool below_all);
  Bit atom(const Formula& formula, const Variables& variables, When when);
  std::vector<Alternative> term(const Term& term, const Variables& variables, When when);
  /// Calls `each` with every combination of what the terms may be. The result is true if any of the
  /// results is.
  template <class Each>
  Bit with_terms(std::span<const Term> terms, const Variables& variables, When when, Each each);

  Bit relation(std::uint32_t component, const Atom& at, When when);
  Bit has_value(std::uint32_t component, const Atom& at, std::uint64_t values, When when);
  Bit refers_to(std::uint32_t component, const Atom& at, Element to, When when);
  Bit is_none(std::uint32_t component, const Atom& at, When when);
  /// The conditions under which each case of each update is what counts at this place, last one
  /// first; what is left over is that nothing changes there.
  template <class Apply>
  Bit updated(std::uint32_t component, const Atom& at, Bit otherwise, Apply apply);

  Bit stored(std::uint32_t symbol, const Atom& at);
  Bit stored_value(std::uint32_t component, const Atom& at, std::uint32_t value);
  Bit stored_reference(std::uint32_t component, const Atom& at, Element to);
  Bit stored_none(std::uint32_t component, const Atom& at);
  void make_targets(const Formula& formula, bool is_denied);
  void relate_targets();
  Element reference_term(std::uint32_t component, const Atom& at) const;
  std::vector<Atom> places_of(const Component& component) const;
  std::vector<Sort> sorts_of(std::uint32_t symbol) const;
  Bit same_arguments(const std::vector<Sort>& sorts, const Atom& a, const Atom& b);

  Circuit& circuit_;
  const Model& model_;
  const Event* event_;
  std::array<std::size_t, 3> size_ = {};
  std::vector<Element> parameters_;
  std::array<std::vector<Element>, 3> free_;
  std::vector<Element> owner_;  ///< by transaction
  std::map<std::pair<std::uint32_t, Atom>, Element> reference_terms_;
  std::map<std::pair<std::uint32_t, Atom>, Element> targets_;  ///< if it is not none, this
  std::map<std::tuple<const Formula*, Variables, When>, Bit> opaque_;
  std::map<std::pair<Element, Element>, Bit> equal_[3];
  /// By symbol: components, then session order, then the model's orders, then which references are
  /// none, by component. Values of enumerations and targets of references are one more argument.
  std::vector<std::map<Atom, Bit>> stored_;
};

/// How many constants the existential variables of a formula take if it is used in this way.
Constants constants_for(const Formula& formula, Ground::Use use);

}  // namespace isoscope::protocol
