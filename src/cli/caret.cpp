#include "cli/caret.h"

#include "isoscope/base/caret_text.h"

namespace isoscope::cli {

Error with_caret(const Error& error, std::string_view text) {
  std::string message = caret_text(error, text);
  while (message.ends_with('\n')) message.pop_back();
  return {.what = std::move(message), .kind = error.kind};
}

}  // namespace isoscope::cli
