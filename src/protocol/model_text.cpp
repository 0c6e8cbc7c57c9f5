#include "isoscope/protocol/model_text.h"

#include "protocol/resolve.h"

namespace isoscope::protocol {

Result<Model> read_model(const std::string& name, std::string_view text) {
  ISOSCOPE_TRY(syntax, parse_protocol(name, text));
  ISOSCOPE_TRY(model, Resolver(name).run(syntax));
  model.name = name;
  return model;
}

}  // namespace isoscope::protocol
