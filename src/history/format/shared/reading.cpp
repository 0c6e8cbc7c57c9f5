#include "history/format/shared/reading.h"

#include <algorithm>

namespace isoscope::format {

std::string_view Head::text() const {
  std::string_view rest = bytes;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  return rest;
}

Result<ByteReader> open_single_file(const Source& source) {
  if (source.is_folder()) return Error{"expected a file, found a folder: " + source.name()};
  return source.open_file(0);
}

bool stand_in(const Source& folder, std::span<const std::size_t> files,
              std::string_view subfolder) {
  std::string_view root = folder.name();
  while (root.ends_with('/')) root.remove_suffix(1);
  return std::ranges::all_of(files, [&](std::size_t file) {
    std::string_view path = folder.file_name(file);
    if (path.starts_with(root)) path.remove_prefix(root.size());
    while (path.starts_with('/')) path.remove_prefix(1);
    const std::size_t end = path.rfind('/');
    return path.substr(0, end == std::string_view::npos ? 0 : end) == subfolder;
  });
}

bool is_tar_archive(std::string_view bytes) {
  constexpr std::size_t magic_at = 257;
  return bytes.size() > magic_at && bytes.substr(magic_at).starts_with("ustar") &&
         bytes[magic_at - 1] == '\0';  // where the field before ends, and no text has one
}

Status keep_going(const ReadOptions& options, const ByteReader& reader) {
  options.progress.get().advance(reader.offset());
  if (const auto reason = options.limits.get().reached()) {
    return reader.located(stopped_while_reading(*reason));
  }
  return Done{};
}

}  // namespace isoscope::format
