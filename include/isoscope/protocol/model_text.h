#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/protocol/formula_text.h"
#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// A text that another one names: `refines "locks.protocol"`.
struct NamedText {
  std::string name;
  std::string text;
};
/// Finds it; `from` is the name of the text that says so.
using FindText =
    std::function<Result<NamedText>(const std::string& from, const std::string& named)>;

/// Parses and checks a protocol. Errors have the name, line and column. The grammar, and what is
/// checked: docs/protocol-language.md. Without `find` it can refine shipped models only.
Result<Model> read_model(const std::string& name, std::string_view text, const FindText& find = {});

/// The text in house style: same meaning, comments kept.
Result<std::string> format_model(const std::string& name, std::string_view text);

/// The models that come with the program: "s2pl", "tapir-journal".
struct ShippedModel {
  std::string_view name;
  std::string_view text;
};
const std::vector<ShippedModel>& shipped_models();

}  // namespace isoscope::protocol
