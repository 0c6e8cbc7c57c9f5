#pragma once

#include <string_view>

#include "cli/command.h"

// `check` with levels that are texts: files, or shipped texts by their full names.

namespace isoscope::cli {

/// Does --level name a text?
bool is_text_name(std::string_view level);

ExitCode check_texts(Invocation& invocation);

}  // namespace isoscope::cli
