#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// Parses and checks a protocol. Errors have the name, line and column. The grammar, and what is
/// checked: docs/protocol-language.md.
Result<Model> read_model(const std::string& name, std::string_view text);

/// The text in house style: same meaning, comments kept.
Result<std::string> format_model(const std::string& name, std::string_view text);

/// A formula in the language's notation; `variables` names its first ones.
std::string text_of(const Formula& formula, const Model& model,
                    const std::vector<std::string>& variables);
std::string text_of(const Term& term, const Model& model,
                    const std::vector<std::string>& variables);

/// The models that come with the program: "s2pl", "tapir-journal".
struct ShippedModel {
  std::string_view name;
  std::string_view text;
};
const std::vector<ShippedModel>& shipped_models();

}  // namespace isoscope::protocol
