#pragma once

#include <string>

#include "isoscope/base/result.h"
#include "servers/program.h"
#include "servers/recipe.h"

namespace isoscope::servers {

/// The folder of one server below the folder for temporary files. It has a lock: a file that its
/// owner, its keeper and all processes of the server have open and locked together. When the last
/// of them is gone, the lock is free.
class ServerFolder {
 public:
  /// A new folder, locked by this process, with a folder in it that belongs to the account.
  static Result<ServerFolder> make(const std::optional<Account>& account);
  /// Removes what was left behind: folders of this user that nobody has locked.
  static void remove_left_behind();

  ServerFolder(ServerFolder&& other) noexcept;
  ServerFolder& operator=(ServerFolder&&) = delete;
  /// Closes the lock, which stays locked while another process has it open. Removes nothing: the
  /// keeper does.
  ~ServerFolder();

  const Places& places() const { return places_; }
  int lock() const { return lock_; }
  void remove() const;

 private:
  ServerFolder(std::string path, int lock);

  Places places_;
  int lock_ = -1;
};

}  // namespace isoscope::servers
