#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// Puts formulas into others.
///
/// A formula's variables are numbered: free ones first, bound ones by how deep they stand. So what
/// is put in gets terms for its free variables, and its bound ones are numbered from the depth of
/// the place on, where no variable of the terms can be caught.
///
/// `atomic` says `done(t)`, and a model that refines it `map done(t) = phase(t) = done`; then
/// `forall u: transaction. so(u, t) => done(u)` becomes `... => phase(u) = done`.
///
/// Formulas that are put in again and again grow. Beyond max_size parts in all, or max_height
/// levels, the translation stops: then is_too_large() is true, and the results mean nothing.
class Translation {
 public:
  static constexpr std::uint64_t max_size = 100'000;
  static constexpr unsigned max_height = 1000;

  explicit Translation(const ModelMap& map) : map_(map) {}

  /// The formula with `terms` for its free variables, where `depth` variables are known.
  FormulaPtr put(const Formula& formula, std::span<const Term> terms, std::uint32_t depth);

  /// A formula of the other model, with `depth` free variables, as a formula of this model. If the
  /// map chooses by a formula what a reference refers to, this becomes a variable: P(last(k)) is
  /// `exists w. F(k, w) and P(w)`. That there is exactly one such w is proved separately.
  FormulaPtr translated(const Formula& formula, std::uint32_t depth);

  bool is_too_large() const { return is_too_large_; }

 private:
  /// A chosen transaction, bound around the atom at hand.
  struct Chosen {
    std::uint32_t component = 0;
    std::vector<Term> at;
  };

  FormulaPtr made(Formula formula);
  FormulaPtr walk(const Formula& formula, std::uint32_t depth);
  FormulaPtr atom(const Formula& formula, std::uint32_t depth);
  Term term(const Term& term, std::uint32_t depth, std::vector<Chosen>& chosen);

  const ModelMap& map_;
  std::uint64_t size_ = 0;
  unsigned height_ = 0;
  bool is_too_large_ = false;
};

}  // namespace isoscope::protocol
