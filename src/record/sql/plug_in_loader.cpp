#include "record/sql/plug_in_loader.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace isoscope::record {

namespace {

std::vector<std::filesystem::path> folders() {
  std::vector<std::filesystem::path> folders;
  if (const char* own = std::getenv("ISOSCOPE_DRIVERS")) folders.emplace_back(own);
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (!problem) {
    const auto prefix = program.parent_path().parent_path();
    folders.push_back(prefix / "lib" / "isoscope");
    folders.push_back(prefix / ISOSCOPE_DRIVER_DIR);
  }
  return folders;
}

Error not_there(const DatabaseEntry& entry, const std::string& why) {
  return {"the driver for " + std::string(entry.scheme) + " " + why, {}, {}, ErrorKind::usage};
}

Result<SqlDriver*> driver_of(const DatabaseEntry& entry, const std::string& path) {
  void* object = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    // It says which library of the database is missing.
    return not_there(entry, std::string("cannot be loaded: ") + ::dlerror());
  }
  const auto* found = static_cast<const PlugIn*>(::dlsym(object, "isoscope_plug_in"));
  if (found == nullptr || found->version != plug_in_version)
    return not_there(entry, "cannot be used: " + path + " belongs to another version of Isoscope");
  return found->sql;
}

}  // namespace

Result<SqlDriver*> load_driver(const DatabaseEntry& entry) {
  const std::string file = std::string(entry.scheme) + ".so";
  for (const auto& folder : folders()) {
    std::error_code problem;
    const auto path = folder / file;
    if (std::filesystem::exists(path, problem)) return driver_of(entry, path.string());
  }
  return not_there(entry, "is not among those that were built here; it needs the Debian package " +
                              std::string(entry.package));
}

}  // namespace isoscope::record
