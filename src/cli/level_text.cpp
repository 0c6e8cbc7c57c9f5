#include "cli/level_text.h"

#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>

#include "isoscope/base/caret_text.h"

namespace isoscope::cli {

namespace {

std::optional<std::string> read_file(const std::string& path) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return std::nullopt;
  return text.str();
}

}  // namespace

synth::LevelLibrary level_library() { return synth::LevelLibrary(read_file); }

ExitCode bad_level(std::string_view typed, const Error& error) {
  if (error.source.empty()) {
    return synth::is_level_file(typed) ? bad_input(error) : wrong_usage(error);
  }
  const auto text = level_library().text_called(error.source);
  if (!text) return bad_input(error);
  std::string message = caret_text(error, *text);
  while (message.ends_with('\n')) message.pop_back();
  complain(message);
  return exit_bad_input;
}

ExitCode read_levels(const std::vector<std::string>& names, std::vector<spec::Definition>& to) {
  const synth::LevelLibrary library = level_library();
  for (const std::string& name : names) {
    auto definition = library.definition(name);
    if (!definition) return bad_level(name, definition.error());
    to.push_back(*std::move(definition));
  }
  return exit_holds;
}

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
  if (scope.keys > most_keys) return Error{"--keys: at most 64 here"};
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

ExitCode not_finished(const Invocation& invocation, const Error& error) {
  if (invocation.limits.reached_now()) return stopped(invocation);
  complain(error.text());
  return exit_internal_error;
}

ExitCode stopped(const Invocation& invocation) {
  const auto reason = invocation.limits.reached_now();
  complain("unknown: stopped: " + std::string(reason ? name_of(*reason) : "a limit was reached"));
  return exit_unknown;
}

ExitCode within_memory(Invocation& invocation, const std::function<ExitCode()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    invocation.limits.memory_was_refused();
    return stopped(invocation);
  }
}

}  // namespace isoscope::cli
