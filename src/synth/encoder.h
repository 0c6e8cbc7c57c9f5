#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "isoscope/spec/definition.h"
#include "isoscope/spec/structure.h"
#include "synth/bit_relation.h"

namespace isoscope::synth {

/// A history whose facts are Bits; spec::Structure says what the parts mean. Derived ones (reads,
/// update) are not here. The initial transaction writes all keys that exist. A key that does not
/// exist still has a number, and nobody reads or writes it.
struct BitHistory {
  std::size_t transactions = 1;
  std::size_t keys = 0;
  BitRelation so, rt, writes;
  std::vector<BitRelation> wr, seen_before;
};

/// All facts known.
BitHistory constant_history(const spec::Structure& structure);

/// The meaning of expressions and formulas as Bits, on one history and one execution. Every
/// sub-expression is built once for each value of the bound variables it depends on.
class Encoder {
 public:
  Encoder(Circuit& circuit, const BitHistory& history);

  /// Witness number `witnesses().size()` of the definition whose formulas follow.
  void add_witness(BitValue value) { execution_.push_back(std::move(value)); }
  const std::vector<BitValue>& witnesses() const { return execution_; }
  /// What Base::given_order means.
  void set_given_order(BitRelation order) { given_order_ = std::move(order); }

  Bit formula(const spec::Node& node);
  const BitValue& value(const spec::Node& node);

  /// The outermost "for all" of a formula, one by one: calls `instance` with the values of its
  /// variables and what it says there.
  template <class Instance>
  void for_each_instance(const spec::Node& node, Instance instance);

 private:
  /// A history or sub-history, and what was built on it.
  struct Part {
    BitRelation transactions, keys;  ///< sets: what is in it
    std::unordered_map<const spec::Node*, std::unordered_map<std::string, Bit>> formulas;
    std::unordered_map<const spec::Node*, std::unordered_map<std::string, BitValue>> values;
  };
  using Variables = std::vector<std::uint32_t>;

  std::string key_of(const spec::Node& node) const;
  Bit build_formula(const spec::Node& node);
  BitValue build_value(const spec::Node& node);
  const BitRelation& relation(const spec::Node& node);
  Bit quantified(const spec::Node& node);
  Bit membership(const spec::Node& node);
  Bit within(const spec::Node& node);
  BitValue comprehension(const spec::Node& node);
  BitValue base_value(spec::Base base);
  BitValue restricted(BitValue value, spec::Type type) const;
  const BitRelation& universe(spec::Sort sort) const {
    return sort == spec::Sort::key ? part_->keys : part_->transactions;
  }
  std::uint32_t variable(std::size_t index) const { return variables_[index]; }

  Circuit& circuit_;
  const BitHistory& history_;
  std::vector<BitValue> execution_;
  BitRelation given_order_;
  std::unique_ptr<Part> part_;
  bool is_whole_ = true;
  Variables variables_ = Variables(64);
};

template <class Instance>
void Encoder::for_each_instance(const spec::Node& node, Instance instance) {
  const auto descend = [&](const auto& self, const spec::Node& at,
                           std::vector<std::pair<spec::Sort, std::uint32_t>>& bound) -> void {
    if (at.kind == spec::Node::Kind::conjunction) {
      for (const spec::NodePtr& child : at.children) self(self, *child, bound);
      return;
    }
    if (at.kind != spec::Node::Kind::for_all) return instance(bound, formula(at));
    for (std::uint32_t i = 0; i < universe(at.sorts[0]).columns(); ++i) {
      variables_[at.index] = i;
      bound.emplace_back(at.sorts[0], i);
      self(self, *at.children[0], bound);
      bound.pop_back();
    }
  };
  std::vector<std::pair<spec::Sort, std::uint32_t>> bound;
  descend(descend, node, bound);
}

}  // namespace isoscope::synth
