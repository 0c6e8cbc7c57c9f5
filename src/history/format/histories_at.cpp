#include "isoscope/history/histories_at.h"

#include <algorithm>
#include <filesystem>

#include "history/format/format_table.h"

namespace isoscope {

namespace {

namespace fs = std::filesystem;

bool is_one_history(const std::string& folder, std::optional<Format> format) {
  if (format) return format::row_of(*format).takes_folders;
  const Result<Source> source = Source::open(folder);
  return source && recognise_format(*source);
}

/// Subfolders that are links are not followed: they may lead back here.
std::vector<std::string> entries_of(const std::string& folder) {
  std::vector<std::string> entries;
  std::error_code failed;
  for (auto entry = fs::directory_iterator(folder, failed);
       !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::error_code skip;
    if (entry->path().filename().string().starts_with('.')) continue;
    const bool is_folder = fs::is_directory(entry->symlink_status(skip));
    if (is_folder || entry->is_regular_file(skip)) entries.push_back(entry->path().string());
  }
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

std::vector<std::string> histories_at(const std::string& path, std::optional<Format> format) {
  std::error_code failed;
  if (!fs::is_directory(path, failed) || is_one_history(path, format)) return {path};
  std::vector<std::string> histories;
  for (const std::string& entry : entries_of(path)) {
    for (std::string& history : histories_at(entry, format))
      histories.push_back(std::move(history));
  }
  if (histories.empty()) return {path};
  return histories;
}

}  // namespace isoscope
