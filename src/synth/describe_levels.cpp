#include "isoscope/base/text_lines.h"
#include "isoscope/synth/describe.h"
#include "synth/describe_parts.h"

namespace isoscope::synth {

std::string texts_text(const std::vector<spec::LevelText>& texts) {
  std::string all;
  for (const spec::LevelText& text : texts)
    all += (all.empty() ? "" : "\n") + text.name + "\n" + indented(text.text, "    ");
  return all;
}

std::string text_json(const spec::Definition& definition, const spec::LevelText& text) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-level-text").integer(1);
  json.member("name").string(definition.name);
  json.member("title").string(definition.title);
  json.member("citation").string(definition.citation);
  json.member("defines");
  if (definition.defines) {
    json.string(*definition.defines);
  } else {
    json.null();
  }
  json.member("text").string(text.text);
  json.end_object();
  return json.take() + "\n";
}

std::string shipped_levels_text() {
  Table table;
  for (const spec::ShippedLevel& level : spec::shipped_levels()) {
    const auto definition = spec::read_definition(
        {std::string(level.name), std::string(level.text)}, spec::find_shipped);
    ISOSCOPE_REQUIRE(static_cast<bool>(definition));
    table.add(definition->name,
              definition->title + (definition->defines ? "; defines " + *definition->defines : ""));
  }
  return "Level texts; 'isoscope levels show NAME' prints one. Names of the catalogue mean the "
         "text that defines them.\n\n" +
         table.text("");
}

}  // namespace isoscope::synth
