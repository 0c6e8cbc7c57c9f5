#include "isoscope/base/same_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace isoscope {

namespace {

/// False if there is nothing.
bool look_at(const std::string& path, struct stat& seen) {
  return (path == "-" ? fstat(STDIN_FILENO, &seen) : stat(path.c_str(), &seen)) == 0;
}

bool is_stored(const struct stat& seen) { return S_ISREG(seen.st_mode) || S_ISDIR(seen.st_mode); }

bool is_same(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace

bool is_same_file(const std::string& one, const std::string& other) {
  struct stat first, second;
  return look_at(one, first) && look_at(other, second) && is_stored(first) &&
         is_same(first, second);
}

bool is_inside_folder(const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) return false;
  fs::path above = fs::weakly_canonical(path, failed);
  if (failed) return false;
  while (above.has_relative_path()) {
    above = above.parent_path();
    if (is_same_file(above.string(), folder)) return true;
  }
  return false;
}

bool is_stream(const std::string& path) {
  struct stat seen;
  // Standard input goes on where it was left, also where it is a file.
  return path == "-" || (look_at(path, seen) && !is_stored(seen));
}

bool is_same_stream(const std::string& one, const std::string& other) {
  struct stat first, second;
  if (one == other) return true;
  return look_at(one, first) && look_at(other, second) && !is_stored(first) &&
         is_same(first, second);
}

}  // namespace isoscope
