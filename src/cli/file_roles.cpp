#include "cli/file_roles.h"

#include "isoscope/base/same_file.h"

namespace isoscope::cli {

namespace {

/// What the command reads, as far as it is files. Names of levels are passed over, as nothing of
/// that name is there.
std::vector<std::string> inputs_of(const Invocation& invocation) {
  std::vector<std::string> inputs = invocation.arguments;
  for (const OptionSpec& option : invocation.options.table()) {
    if (option.type != OptionType::list) continue;
    for (std::string& name : invocation.options.list(option.name))
      inputs.push_back(std::move(name));
  }
  return inputs;
}

Status check_output(std::string_view option, const std::string& path, const std::string& input) {
  const std::string problem = "--" + std::string(option) + ": " + path;
  if (is_same_file(path, input) || is_same_file(unfinished_name(path), input))
    return Error{problem + " is read, so it is not written over"};
  if (is_inside_folder(path, input))
    return Error{problem + " would become part of " + input + ", which is read"};
  return Done{};
}

}  // namespace

Status check_file_roles(const Invocation& invocation) {
  const std::vector<std::string> inputs = inputs_of(invocation);
  for (const OptionSpec& option : invocation.options.table()) {
    if (option.name != "certificate" && option.name != "output") continue;
    if (!invocation.options.is_set(option.name)) continue;
    for (const std::string& input : inputs)
      ISOSCOPE_TRY_STATUS(check_output(option.name, invocation.options.text(option.name), input));
  }
  std::vector<std::string> streams;
  for (const std::string& input : inputs) {
    if (!is_stream(input)) continue;
    for (const std::string& before : streams) {
      if (is_same_stream(input, before))
        return Error{input + " and " + before + " are one stream, which can be read only once"};
    }
    streams.push_back(input);
  }
  return Done{};
}

std::string unfinished_name(const std::string& path) { return path + ".unfinished"; }

}  // namespace isoscope::cli
