#include "cli/load.h"
#include "cli/save.h"

namespace isoscope::cli {

ExitCode run_convert(Invocation& invocation) {
  if (auto from = readable_format(invocation.options); !from) return wrong_usage(from.error());
  const auto to = writable_format(invocation.options);
  if (!to) return wrong_usage(to.error());
  auto loaded = load(invocation, invocation.arguments[0]);
  if (!loaded) return failed(loaded.error());
  return save(loaded->history, *to, invocation.options.text("output"));
}

}  // namespace isoscope::cli
