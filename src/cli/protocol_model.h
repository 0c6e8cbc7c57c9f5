#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "isoscope/protocol/describe.h"

namespace isoscope::cli {

/// A protocol's text: that of a file, or of a model that comes with the program. An unknown name is
/// wrong usage, an unreadable file bad input.
struct ProtocolText {
  std::string name;
  std::string text;
};
ExitCode find_protocol(const std::string& typed, ProtocolText& to);

/// The file that `refines "FILE"` names, relative to the file `from`.
Result<protocol::NamedText> find_refined(const std::string& from, const std::string& named);

/// Complains about a protocol's text, with the line and a caret.
ExitCode bad_protocol(const ProtocolText& text, const Error& error);

/// Finds, reads and checks a protocol.
ExitCode read_protocol(const std::string& typed, protocol::Model& to);

/// --clients, --keys and --txns; `otherwise` where they are not given.
Result<protocol::Sizes> sizes_option(const Options& options, protocol::Sizes otherwise);

/// The level of --level or --violation; nothing where that is not given.
Result<std::optional<protocol::AbstractLevel>> abstract_level_option(const Options& options,
                                                                     std::string_view name);

/// What explore() takes, as the options say.
Result<protocol::ExploreOptions> explore_options(Invocation& invocation);

/// What the history checkers say about each counterexample, a text each. The checker by the level's
/// text is asked, and the fast one where there is one. An Error if these disagree with each other
/// or with what the exploration says.
Result<std::vector<std::string>> opinions_on(const protocol::Exploration& exploration);

ExitCode protocol_explore(Invocation& invocation, const protocol::Model& model);
ExitCode protocol_prove(Invocation& invocation, const protocol::Model& model);
ExitCode protocol_simulate(Invocation& invocation, const protocol::Model& model);
ExitCode protocol_trace(Invocation& invocation, const protocol::Model& model);

}  // namespace isoscope::cli
