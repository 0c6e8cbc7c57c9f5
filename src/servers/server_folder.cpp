#include "servers/server_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace isoscope::servers {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view folder_prefix = "isoscope-server-";
constexpr std::string_view lock_name = "/lock";
/// What servers append to the name of the folder, at most: "/.s.PGSQL.5432.lock".
constexpr std::size_t socket_name_length = 20;

Error failure(const std::string& what) { return Error{what + ": " + std::strerror(errno)}; }

/// Can a server that runs as another user get there? Some machines give root a folder of its own.
bool is_open_to_all(fs::path folder) {
  struct stat found {};
  for (;; folder = folder.parent_path()) {
    if (stat(folder.c_str(), &found) != 0 || (found.st_mode & S_IXOTH) == 0) return false;
    if (!folder.has_relative_path()) return true;
  }
}

fs::path temporary_folder(bool for_others) {
  std::error_code failed;
  const fs::path folder = fs::temp_directory_path(failed);
  if (failed || !folder.is_absolute() || (for_others && !is_open_to_all(folder))) return "/tmp";
  return folder;
}

bool make_for(const std::optional<Account>& account, const std::string& folder) {
  return mkdir(folder.c_str(), 0700) == 0 &&
         (!account || chown(folder.c_str(), account->user, account->group) == 0);
}

/// Locks the folder's lock; -1 if there is none or somebody else has it.
int locked(const std::string& name, int flags) {
  const int file = open(name.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
  if (file < 0) return -1;
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  close(file);
  return -1;
}

void remove_if_left_behind(const fs::path& folder) {
  struct stat found {};
  if (lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != geteuid())
    return;
  const int lock = locked(folder.string() + std::string(lock_name), 0);
  if (lock < 0) return;
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  close(lock);
}

}  // namespace

ServerFolder::ServerFolder(std::string path, int lock)
    : places_{path, path + "/run"}, lock_(lock) {}

ServerFolder::ServerFolder(ServerFolder&& other) noexcept
    : places_(std::move(other.places_)), lock_(std::exchange(other.lock_, -1)) {}

ServerFolder::~ServerFolder() {
  if (lock_ >= 0) close(lock_);
}

Result<ServerFolder> ServerFolder::make(const std::optional<Account>& account) {
  std::string path =
      temporary_folder(account.has_value()) / (std::string(folder_prefix) + "XXXXXX");
  if (path.size() + std::strlen("/run") + socket_name_length >= sizeof(sockaddr_un::sun_path)) {
    return Error{path + ": too long for the name of a socket; TMPDIR names another folder"};
  }
  if (mkdtemp(path.data()) == nullptr) return failure(path);
  // It gets its final name only when it is locked, so nobody takes it for left behind.
  const std::string new_lock = path + "/new";
  const int lock = locked(new_lock, O_CREAT);
  if (lock < 0) return failure(new_lock);
  ServerFolder folder(path, lock);
  const bool made = rename(new_lock.c_str(), (path + std::string(lock_name)).c_str()) == 0 &&
                    (!account || chmod(path.c_str(), 0711) == 0) &&
                    make_for(account, folder.places_.run) &&
                    make_for(account, folder.places_.data());
  if (made) return folder;
  const Error error = failure(path);
  folder.remove();
  return error;
}

void ServerFolder::remove_left_behind() {
  std::error_code ignored;
  for (const auto& one : fs::directory_iterator(temporary_folder(geteuid() == 0), ignored)) {
    if (one.path().filename().string().starts_with(folder_prefix))
      remove_if_left_behind(one.path());
  }
}

void ServerFolder::remove() const {
  std::error_code ignored;
  fs::remove_all(places_.folder, ignored);
}

}  // namespace isoscope::servers
