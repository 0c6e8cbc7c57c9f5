#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "protocol/claims/ground.h"

namespace isoscope::protocol {

/// Names of things in a picture: those that are the same have the same one. The event's parameters
/// are called as in the model, others get letters that are free.
class Names {
 public:
  Names(const Event* event, const Ground& ground);

  const std::string& at(Sort sort, Ground::Element element);
  void same(Sort sort, Ground::Element element, Ground::Element as) {
    of(sort)[element] = at(sort, as);
  }

 private:
  std::vector<std::string>& of(Sort sort) { return names_[static_cast<std::size_t>(sort)]; }
  std::string fresh(Sort sort);

  std::vector<std::string> names_[3];
  std::set<std::string> taken_;
};

/// What formulas say something about: "st(k, ?)", "snapshot(t, ?)".
class Mentions {
 public:
  using Words = std::vector<std::string>;

  explicit Mentions(const Model& model) : model_(model) {}

  /// `names` are those of the formula's first variables; any other variables can be anything.
  void add(const Formula& formula, const Words& names);
  void add_sessions() { sessions_ = true; }
  /// The guard, and what the event makes of components that were mentioned before.
  void add(const Event& event, const Words& names);

  bool has(const Formula& fact, const Words& names) const;
  bool has_order(std::uint32_t order) const { return orders_.contains(order); }

 private:
  struct Mention {
    std::uint32_t component = 0;
    Words words;  ///< "": anything
  };

  Words words_of(std::span<const Term> terms, const Words& names) const;
  void add(std::uint32_t component, std::span<const Term> terms, const Words& names);
  void add(const Term& term, const Words& names);

  const Model& model_;
  std::vector<Mention> mentions_;
  std::set<std::uint32_t> orders_;
  bool sessions_ = false;
};

}  // namespace isoscope::protocol
