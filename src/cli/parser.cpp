#include "cli/parser.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>

namespace isoscope::cli {

namespace {

std::string option_help(const OptionSpec& spec) {
  std::string help(spec.help);
  if (spec.type == OptionType::choice) help += " {" + std::string(spec.range) + "}";
  if (!spec.default_text.empty()) help += " [" + std::string(spec.default_text) + "]";
  return help;
}

std::string_view type_word(OptionType type) {
  static constexpr std::string_view words[] = {"",     "TEXT", "NAME,...", "N",
                                               "N.NN", "WORD", "DURATION", "SIZE"};
  return words[static_cast<std::size_t>(type)];
}

/// Registers one option with the parser; what the user typed goes through the table's own checks.
void add_option(CLI::App& app, const OptionSpec& spec, Invocation* invocation) {
  const std::string name = (spec.name == "output" ? "-o,--" : "--") + std::string(spec.name);
  const auto set = [invocation, word = std::string(spec.name)](const std::string& text) {
    if (Status status = invocation->options.set(word, text); !status) {
      throw CLI::ValidationError(status.error().what, CLI::ExitCodes::ValidationError);
    }
  };
  if (spec.type == OptionType::flag) {
    app.add_flag_callback(
        name, [set] { set("on"); }, option_help(spec));
    return;
  }
  const bool is_list = spec.type == OptionType::list;
  const auto set_all = [set, is_list, name](const std::vector<std::string>& texts) {
    if (texts.size() > 1 && !is_list) {
      throw CLI::ValidationError(name.substr(name.find("--")) + ": given twice",
                                 CLI::ExitCodes::ValidationError);
    }
    for (const std::string& text : texts) set(text);
  };
  app.add_option_function<std::vector<std::string>>(name, set_all, option_help(spec))
      ->allow_extra_args(false)
      ->type_name(std::string(type_word(spec.type)));
}

/// CLI11 would show a positional argument by an internal name and once more in a section of its
/// own.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) {
    label("SUBCOMMANDS", "COMMANDS");
    column_width(26);
  }
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: " + usage_ + "\n";
  }
  std::string make_positionals(const CLI::App*) const override { return ""; }
  /// CLI11 would add " ..." to what may be given again.
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 ? "" : " " + option->get_type_name();
  }

 private:
  std::string usage_;
};

std::unique_ptr<CLI::App> app_with(std::string_view description, const std::string& usage) {
  auto app = std::make_unique<CLI::App>(std::string(description), "isoscope");
  app->formatter(std::make_shared<HelpFormatter>(usage));
  app->set_help_flag("-h,--help", "print this help");
  return app;
}

}  // namespace

std::unique_ptr<CLI::App> parser_of(const Command& command, Invocation* invocation) {
  const std::string arguments(command.arguments);
  auto app = app_with(command.summary, "isoscope " + std::string(command.name) + " [OPTIONS]" +
                                           (arguments.empty() ? "" : " " + arguments));
  app->footer("\n" + std::string(command.details));
  app->allow_extras();
  if (command.max_arguments != 0 && invocation != nullptr) {
    app->add_option("arguments", invocation->arguments);
  }
  const std::vector<OptionSpec> table = options_of(command);
  for (const CommandOption& option : command.options)
    add_option(*app, *std::ranges::find(table, option.name, &OptionSpec::name), invocation);
  for (const Command& part : command.parts) {
    app->add_subcommand(std::string(part.name.substr(part.name.rfind(' ') + 1)),
                        std::string(part.summary))
        ->group("Commands");
  }
  return app;
}

std::string help_of(const Command& command) { return parser_of(command, nullptr)->help(); }

std::string program_help() {
  const auto app =
      app_with("Isoscope shows what isolation a database really gives.",
               "isoscope COMMAND [OPTIONS] [FILE...]     (isoscope COMMAND --help says more)");
  app->set_version_flag("-V,--version", "", "print the version");
  for (const Command& command : commands()) {
    app->add_subcommand(std::string(command.name), std::string(command.summary))->group("Commands");
  }
  return app->help();
}

}  // namespace isoscope::cli
