#pragma once  // Part of the API: docs/api.md.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isoscope/base/id.h"
#include "isoscope/history/value.h"

namespace isoscope {

struct KeyTag;
using KeyId = Id<KeyTag>;

/// A read and a write of one key in one step, with a function that is known:
///
///   add(x,5,12)            5 was added to x, and the sum was 12
///   cas(x,1,2,done)        x was 1, and was set to 2
///   cas(x,1,2,refused,7)   x was not 1 but 7, and nothing was written
///   swap(x,5,7)            x was set to 5, and had been 7
///
/// Abstract content: a function with its arguments, and what the client learned. What an update was
/// applied to is its base.
///
/// A history holds an update as the operations that it amounts to, right behind each other, and
/// this record beside them: add(x,5,12) is r(x,7) w(x,12). So whatever knows reads and writes
/// knows updates, but for one thing: the base is the version right before the own one
/// (docs/updates.md).
struct Update {
  enum class Function : std::uint8_t {
    add,              ///< the integer before plus the argument; nil counts as 0
    compare_and_set,  ///< the replacement if it held the argument, otherwise what it held
    swap,             ///< the argument
  };
  enum class Learned : std::uint8_t {
    nothing,
    value,    ///< add: the sum; swap: what was there; compare_and_set: that, and it was refused
    done,     ///< compare_and_set: it was what was expected
    refused,  ///< compare_and_set: it was something else
  };

  Function function = Function::add;
  Learned learned = Learned::nothing;
  ValueId argument = ValuePool::nil;
  ValueId replacement = ValuePool::nil;  ///< compare_and_set
  ValueId seen = ValuePool::nil;         ///< what was learned, if that is a value
  /// Its place among all operations of the history.
  std::uint32_t first_operation = 0;

  bool is_refused() const {
    return function == Function::compare_and_set &&
           (learned == Learned::value || learned == Learned::refused);
  }
  /// It has a read, of its base.
  bool has_read() const { return learned != Learned::nothing; }
  bool has_write() const { return !is_refused(); }
  /// The base is known, and something was written.
  bool is_pair() const { return has_read() && has_write(); }
  std::uint32_t operation_count() const { return is_pair() ? 2 : 1; }
  /// Nobody learned what it wrote, if anything.
  bool is_blind() const { return learned == Learned::nothing && function != Function::swap; }

  bool operator==(const Update&) const = default;
};

/// "add", "cas", "swap": how files name them.
std::string_view word_of(Update::Function function);
std::optional<Update::Function> find_update_function(std::string_view word);

/// Why there can be no such update whatever was there before; empty if there can.
std::string contradiction_in(const Update& update, const ValuePool& values);

/// What the key held before, as far as the update tells: an integer for an addition, although nil
/// counts as 0. Requires has_read() and that there is no contradiction; `unreported` if only a
/// value is excluded.
ValueId base_of(const Update& update, ValuePool& values);

}  // namespace isoscope
