#pragma once

#include "servers/recipe.h"
#include "servers/server_folder.h"

namespace isoscope::servers {

/// What the owner and the keeper say to each other. The keeper first says how the start went: one
/// of the first three and, of the last two, a message. After that it answers questions.
enum class Word : char {
  ready = 'r',
  refused = 'u',     ///< the server did not start because of a setting
  failed = 'f',      ///< or because of something else
  is_running = '?',  ///< the only question; the answer is one of the next two
  yes = 'y',
  no = 'n',  ///< and the last line of the log
};

/// The life of the keeper: starts the server, answers the owner, and when `line`, the socket to
/// the owner, is closed at the other end, stops the server and removes the folder. Called in a
/// process of its own.
[[noreturn]] void keep(const Recipe& recipe, const ServerFolder& folder,
                       const std::optional<Account>& account, int line);

}  // namespace isoscope::servers
