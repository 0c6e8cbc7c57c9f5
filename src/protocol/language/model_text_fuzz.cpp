#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "isoscope/protocol/model_text.h"
#include "tests/protocol/same_model.h"

/// Any text is a protocol or gets a complaint of one line. A text with the right grammar is
/// formatted, once and for all, and then means the same; formulas can be printed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  using namespace isoscope::protocol;
  const auto require = [](bool holds) {
    if (!holds) std::abort();
  };
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Model> model = read_model("fuzz", text);
  const Result<std::string> formatted = format_model("fuzz", text);
  if (formatted) {
    const Result<std::string> again = format_model("fuzz", *formatted);
    require(again && *again == *formatted);
  }
  if (!model) {
    require(!model.error().what.empty() && model.error().text().find('\n') == std::string::npos);
    require(model.error().position.line != 0);
    return 0;
  }
  require(bool(formatted));
  const Result<Model> same_model = read_model("fuzz", *formatted);
  require(same_model && same(*model, *same_model));
  for (const Event& event : model->events) {
    std::vector<std::string> names;
    for (const Variable& parameter : event.parameters) names.push_back(parameter.name);
    require(!text_of(*event.guard, *model, names).empty());
  }
  return 0;
}
