#include "cli/scope_option.h"

namespace isoscope::cli {

Result<synth::Scope> scope_option(const Options& options, synth::Scope otherwise) {
  constexpr std::size_t most_keys = 64;
  synth::Scope scope = otherwise;
  const auto set = [&](std::string_view name, std::size_t& to) {
    if (options.is_set(name)) to = static_cast<std::size_t>(options.number(name));
  };
  set("txns", scope.transactions);
  set("keys", scope.keys);
  const auto bound = [&](std::string_view name, std::optional<std::size_t>& to) {
    if (options.is_set(name)) to = static_cast<std::size_t>(options.number(name));
  };
  bound("values", scope.values);
  bound("ops", scope.operations);
  if (scope.keys > most_keys)
    return Error{.what = "--keys: at most 64 here", .kind = ErrorKind::usage};
  scope.exactly = options.flag("exact");
  scope.blind_writes = !options.flag("no-blind-writes");
  scope.any_session_order = options.flag("any-session-order");
  return scope;
}

synth::Strategy strategy_option(const Options& options) {
  return {.smart = !options.flag("no-smart"),
          .fixed_order = !options.flag("no-fixed-order"),
          .terms = !options.flag("no-terms"),
          .learning = !options.flag("no-learning"),
          .incremental = !options.flag("no-incremental")};
}

}  // namespace isoscope::cli
