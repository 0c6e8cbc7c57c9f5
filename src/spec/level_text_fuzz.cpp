#include <cstdint>
#include <cstdlib>
#include <string>

#include "isoscope/base/caret_text.h"
#include "isoscope/spec/level_text.h"
#include "tests/spec/same_definition.h"

/// Any text is a level or gets a complaint of one line. A text with the right grammar is formatted,
/// once and for all, and then means the same; what a level's axioms print as can be read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  using namespace isoscope::spec;
  const auto require = [](bool holds) {
    if (!holds) std::abort();
  };
  const LevelText text{"fuzz", std::string(reinterpret_cast<const char*>(data), size)};
  const Result<Definition> level = read_definition(text, find_shipped);
  const Result<std::string> formatted = format_level(text);
  if (formatted) {
    const Result<std::string> again = format_level({"fuzz", *formatted});
    require(again && *again == *formatted);
  }
  if (!level) {
    require(!level.error().what.empty() && level.error().text().find('\n') == std::string::npos);
    require(!caret_text(level.error(), text.text).empty());
    return 0;
  }
  require(bool(formatted));
  const Result<Definition> same_level = read_definition({"fuzz", *formatted}, find_shipped);
  require(same_level && same(*level, *same_level));

  std::string printed;
  for (const Witness& witness : level->witnesses) {
    const bool keyed = witness.kind == Witness::Kind::version_order;
    const bool transactions = witness.kind == Witness::Kind::transaction_set;
    printed += "witness " + witness.name + " : " +
               (keyed                                    ? "version order "
                : transactions                           ? "set of transactions "
                : witness.kind == Witness::Kind::key_set ? "set of keys "
                                                         : "relation ");
  }
  for (const Axiom& axiom : level->axioms)
    printed += "axiom " + axiom.name + ": " + text_of(*axiom.formula, *level) + "\n";
  const Result<Definition> reprinted = read_definition({"fuzz", printed}, find_shipped);
  // Brackets and lists of variables can make what was just not too deep, or too large, be so.
  require(reprinted || reprinted.error().what.find("nested") != std::string::npos ||
          reprinted.error().what.starts_with("too large") ||
          reprinted.error().what.starts_with("variables are bound"));
  return 0;
}
