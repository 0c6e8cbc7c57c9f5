#include "isoscope/spec/level_text.h"

#include "spec/resolve.h"

namespace isoscope::spec {

Result<Definition> read_definition(const LevelText& text, const FindText& find) {
  return Resolver(find).definition(text);
}

Result<Definition> read_formula(const LevelText& text, const FindText& find) {
  return Resolver(find).formula(text);
}

}  // namespace isoscope::spec
