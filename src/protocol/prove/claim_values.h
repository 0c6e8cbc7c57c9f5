#pragma once

#include <map>
#include <string>
#include <vector>

#include "protocol/claims/claim.h"
#include "protocol/prove/picture_words.h"

namespace isoscope::protocol {

/// A claim about an event (null: about the start), leaf by leaf, in the solver's model. The
/// constructor turns the leaves into bits, because what is built after the question has no value.
class ClaimValues {
 public:
  ClaimValues(const Claim& claim, const Model& model, const Event* event, Ground& ground,
              Circuit& circuit);

  /// What the event's parameters and then the claim's variables stand for.
  const std::vector<Ground::Element>& variables() const { return variables_; }
  Sort sort_of(std::uint32_t variable) const;

  void mention(Names& names, Mentions& to) const { mention(claim_.body, names, to); }
  /// Why it is false, in words of the model: "installed(k, u)", "t reads k from initial".
  std::vector<std::string> objections(Names& names) const;

 private:
  Ground::Element element(std::uint32_t variable) const {
    return variable == initial_variable ? 0 : variables_[variable];
  }
  std::vector<std::string> arguments(const Proposition& p, Names& names) const;
  void mention(const Proposition& p, Names& names, Mentions& to) const;
  void build(const Proposition& p, Ground& ground);
  bool value(const Proposition& p) const;
  void explain(const Proposition& p, bool is_true, Names& names,
               std::vector<std::string>& to) const;
  std::string leaf_text(const Proposition& p, bool is_true, Names& names) const;
  std::string formula_text(const Proposition& p, bool is_true, Names& names) const;

  const Claim& claim_;
  const Model& model_;
  const Event* event_;
  Circuit& circuit_;
  std::vector<Ground::Element> variables_;
  std::map<const Proposition*, Bit> leaves_;
};

}  // namespace isoscope::protocol
