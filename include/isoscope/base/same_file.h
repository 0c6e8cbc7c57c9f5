#pragma once

#include <string>

namespace isoscope {

/// Whether both paths are one regular file, or one folder, however they are spelt: links are
/// followed, and "-" is what standard input was redirected from. False for a path that is not
/// there.
bool is_same_file(const std::string& one, const std::string& other);

/// Whether `path` is in the folder or one of its subfolders. It need not exist, only its folder.
bool is_inside_folder(const std::string& path, const std::string& folder);

/// Whether the path, or "-", gives its bytes only once: a pipe or a device.
bool is_stream(const std::string& path);
/// Whether two such paths are the same, so that each reader would get a part of the bytes.
bool is_same_stream(const std::string& one, const std::string& other);

}  // namespace isoscope
