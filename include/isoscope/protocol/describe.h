#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isoscope/protocol/explore.h"
#include "isoscope/protocol/model_text.h"
#include "isoscope/protocol/prove.h"

namespace isoscope::protocol {

// Results in words and as JSON (docs/protocols.md). Text is of whole lines, JSON is one line.

/// "2 clients, 2 keys, 1 transaction of each client"
std::string sizes_text(const Sizes& sizes);

/// The models that come with the program, with the levels they claim and their titles.
std::string shipped_models_text();
std::string shipped_models_json();
/// The model of this name, or an Error of kind `usage` that says which name may have been meant.
Result<ShippedModel> find_shipped_model(std::string_view name);

/// The levels the model claims, strongest first.
std::vector<AbstractLevel> claimed_levels(const Model& model);

/// What was asked, what was found, and which checkers confirmed it.
struct ExplorationReport {
  const Model& model;
  const ExploreOptions& options;
  const Exploration& exploration;
  /// For every counterexample: what the checkers say about its history.
  std::vector<std::string> opinions = {};
};
/// Reasons why "nothing is refuted" says little: what is hidden from clients, and what never
/// happened although every state was seen, unless shapes left it out.
std::vector<std::string> vacuities(const ExplorationReport& report);
std::vector<std::string> left_out_by_shapes(const ExplorationReport& report);

std::string exploration_text(const ExplorationReport& report);
std::string exploration_json(const ExplorationReport& report);
/// One counterexample: levels, run, reason, history, opinions.
std::string counterexample_text(const ExplorationReport& report, std::size_t number);
/// What it is the counterexample of, levels strongest first, in one line: "SSER, SER violated",
/// "invariant sorted violated"
std::string counterexample_title(const Model& model, const Exploration& exploration,
                                 std::size_t number);

/// The outcome, its numbers, and what is open, with a picture of each; and the invariants, if
/// `invariants` is set.
std::string proof_text(const Model& model, const Proof& proof, bool invariants);
std::string proof_json(const Model& model, const Proof& proof);

}  // namespace isoscope::protocol
