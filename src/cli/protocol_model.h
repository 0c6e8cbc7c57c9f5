#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "isoscope/protocol/describe.h"

namespace isoscope::cli {

/// A protocol's text: that of a file, or of a model that comes with the program.
Result<protocol::NamedText> find_protocol(const std::string& typed);

/// The file that `refines "FILE"` names, relative to the file `from`.
Result<protocol::NamedText> find_refined(const std::string& from, const std::string& named);

/// Reads and checks a protocol. An Error shows the line, with a caret.
Result<protocol::Model> read_protocol(const protocol::NamedText& text);

/// --clients, --keys and --txns; `otherwise` where they are not given.
Result<protocol::Sizes> sizes_option(const Options& options, protocol::Sizes otherwise);

/// The level of --level or --violation; nothing where that is not given.
Result<std::optional<protocol::AbstractLevel>> abstract_level_option(const Options& options,
                                                                     std::string_view name);

/// What explore() takes, as the options say.
Result<protocol::ExploreOptions> explore_options(Invocation& invocation);

ExitCode protocol_explore(Invocation& invocation, const protocol::Model& model);
ExitCode protocol_prove(Invocation& invocation, const protocol::Model& model);
ExitCode protocol_simulate(Invocation& invocation, const protocol::Model& model);
ExitCode protocol_trace(Invocation& invocation, const protocol::Model& model);

}  // namespace isoscope::cli
