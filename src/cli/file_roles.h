#pragma once

#include "cli/command.h"

namespace isoscope::cli {

/// An Error where a file would be written that is also read, directly or in a folder, whatever it
/// is called there; or where two inputs would share the bytes of one pipe. Asked before a command
/// reads or writes anything.
Status check_file_roles(const Invocation& invocation);

/// Under which name save() writes before the file has its own.
std::string unfinished_name(const std::string& path);

}  // namespace isoscope::cli
