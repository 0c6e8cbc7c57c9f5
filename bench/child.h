#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace isoscope {

/// What a program used from start to end.
struct ProgramUse {
  int exit_code = -1;  ///< -1: it did not start, or was ended by a signal
  bool timed_out = false;
  double cpu_seconds = 0;  ///< of user and system
  double wall_seconds = 0;
  std::size_t peak_bytes = 0;  ///< resident
};

/// Runs a program (found along PATH) and waits for it. Its output goes to the file `output`, or
/// nowhere. It is ended after this number of seconds of processor time; 0: never.
///
/// Linux counts the memory of the process that starts a program to the program's peak, so a process
/// that measures must stay small and do everything that takes memory in_child().
ProgramUse run_program(const std::vector<std::string>& command, const std::string& output = {},
                       unsigned cpu_limit = 0);

/// What `work` returns when it runs in a process of its own; nothing if that came to no good end,
/// or took more seconds of processor time than allowed (0: it may take any).
std::optional<std::string> text_in_child(const std::function<std::string()>& work,
                                         unsigned cpu_limit = 0);

/// The same for a value that can be copied byte by byte.
template <class Work>
auto in_child(const Work& work, unsigned cpu_limit = 0) -> std::optional<decltype(work())> {
  using Value = decltype(work());
  static_assert(std::is_trivially_copyable_v<Value>);
  const auto copied = [&] {
    const Value value = work();
    std::string copy(sizeof value, '\0');
    std::memcpy(copy.data(), &value, sizeof value);
    return copy;
  };
  const std::optional<std::string> bytes = text_in_child(copied, cpu_limit);
  if (!bytes || bytes->size() != sizeof(Value)) return std::nullopt;
  Value value;
  std::memcpy(&value, bytes->data(), sizeof value);
  return value;
}

/// A folder for files that are needed only now; it goes away with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace isoscope
