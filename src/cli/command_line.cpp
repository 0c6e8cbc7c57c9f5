#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "cli/memory.h"

#ifndef ISOSCOPE_VERSION
#error "the build says which version this is"
#endif

namespace isoscope::cli {

namespace {

/// What Ctrl-C stops. A signal handler can reach nothing but globals.
Limits* interruptible = nullptr;

extern "C" void on_interrupt(int) {
  if (interruptible != nullptr) interruptible->request_stop();
  // A second Ctrl-C ends the program at once.
  std::signal(SIGINT, SIG_DFL);
}

std::string option_help(const OptionSpec& spec) {
  std::string help(spec.help);
  if (spec.type == OptionType::choice) help += " {" + std::string(spec.range) + "}";
  if (!spec.default_text.empty()) help += " [" + std::string(spec.default_text) + "]";
  return help;
}

/// Registers one option of the table with the parser; what the user typed goes through the table's
/// own checks.
void add_option(CLI::App& app, const OptionSpec& spec, Invocation& invocation) {
  const std::string name = (spec.name == "output" ? "-o,--" : "--") + std::string(spec.name);
  const auto set = [&invocation, &spec](const std::string& text) {
    if (Status status = invocation.options.set(spec.name, text); !status) {
      throw CLI::ValidationError(status.error().what, CLI::ExitCodes::ValidationError);
    }
  };
  if (spec.type == OptionType::flag) {
    app.add_flag_callback(
        name, [set] { set("on"); }, option_help(spec));
    return;
  }
  static constexpr std::string_view types[] = {"", "TEXT", "N", "N.NN", "WORD", "DURATION", "SIZE"};
  app.add_option_function<std::string>(name, set, option_help(spec))
      ->type_name(std::string(types[static_cast<std::size_t>(spec.type)]));
}

void apply_limits(Invocation& invocation) {
  const Options& options = invocation.options;
  if (options.is_set("time-limit")) {
    invocation.limits.set_time(std::chrono::nanoseconds(options.number("time-limit")));
  }
  if (options.is_set("memory-limit")) {
    const auto bytes = static_cast<std::size_t>(options.number("memory-limit"));
    invocation.limits.set_memory(bytes);
    limit_memory(bytes);
  }
  interruptible = &invocation.limits;
  std::signal(SIGINT, on_interrupt);
}

/// CLI11 would show a positional argument by an internal name and once more in a section of its
/// own.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    for (const Command& command : commands()) {
      if (app->get_name() != command.name) continue;
      const std::string arguments(command.arguments);
      return "Usage: " + name + " [OPTIONS]" + (arguments.empty() ? "" : " " + arguments) + "\n";
    }
    return "Usage: isoscope COMMAND [OPTIONS] [FILE...]     (isoscope COMMAND --help says more)\n";
  }
  std::string make_positionals(const CLI::App*) const override { return ""; }
};

const OptionSpec& spec_of(std::string_view name) {
  for (const OptionSpec& spec : option_list()) {
    if (spec.name == name) return spec;
  }
  ISOSCOPE_REQUIRE(!"a command names an option that is not in the list");
  return option_list()[0];
}

}  // namespace

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void complain(std::string_view message) {
  std::fprintf(stderr, "isoscope: %.*s\n", static_cast<int>(message.size()), message.data());
}

ExitCode bad_input(const Error& error) {
  complain(error.text());
  return exit_bad_input;
}

ExitCode wrong_usage(const Error& error) {
  complain(error.text());
  return exit_usage;
}

int run(int count, char** words) {
  Invocation invocation;
  const Command* chosen = nullptr;
  CLI::App app("Isoscope shows what isolation a database really gives.", "isoscope");
  app.set_version_flag("--version", "isoscope " ISOSCOPE_VERSION);
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_formatter()->label("SUBCOMMANDS", "COMMANDS");
  app.get_formatter()->column_width(26);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return "isoscope: " + std::string(error.what()) + " (isoscope --help shows how it is used)\n";
  });
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary))
                        ->group("Commands");
    sub->footer("\n" + std::string(command.details));
    sub->callback([&chosen, &command] { chosen = &command; });
    if (command.max_arguments != 0) {
      sub->add_option("arguments", invocation.arguments)
          ->expected(0, static_cast<int>(command.max_arguments));
    }
    for (const std::string_view option : command.options)
      add_option(*sub, spec_of(option), invocation);
  }
  if (count == 1) {
    print(app.help());
    return exit_usage;
  }
  if (words[1][0] != '-' &&
      std::ranges::find(commands(), words[1], &Command::name) == commands().end()) {
    return wrong_usage(
        Error{"unknown command '" + std::string(words[1]) + "' (isoscope --help lists them)"});
  }
  try {
    app.parse(count, words);
  } catch (const CLI::Success& success) {
    app.exit(success);
    return exit_holds;
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return exit_usage;
  }
  if (invocation.arguments.size() < chosen->min_arguments) {
    return wrong_usage(Error{"expected isoscope " + std::string(chosen->name) + " " +
                             std::string(chosen->arguments)});
  }
  apply_limits(invocation);
  const ExitCode code = chosen->run(invocation);
  invocation.progress.finish();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    complain("cannot write to standard output");
    return worse(code, exit_bad_input);
  }
  return code;
}

}  // namespace isoscope::cli
