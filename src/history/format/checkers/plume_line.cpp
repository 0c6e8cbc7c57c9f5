#include "history/format/checkers/plume_line.h"

#include <cstring>

#include "history/format/shared/decimal_digits.h"

namespace isoscope::format {

namespace {

static_assert(sizeof("r(,,,)\r\n") + 3 * 16 + digits_look_ahead <= PlainPlumeLine::max_length,
              "a plain line is looked at without a look at its end");

/// The end of a line from its session on: ",1,2)" and the end of the line. Mostly it is the same
/// as that of the line before, and then need not be taken apart.
struct End {
  const char* text = nullptr;
  std::size_t length = 0;
};

bool take_end(const char*& at, End& before, PlainPlumeLine& line) {
  // Short ends are compared by two blocks of eight bytes that overlap, which is much faster than
  // a comparison of any length.
  const auto same = [&](std::size_t from) {
    return std::memcmp(at + from, before.text + from, 8) == 0;
  };
  if (before.length >= 8 && before.length <= 16 && same(0) && same(before.length - 8)) {
    at += before.length;
    line.goes_on = true;
    return true;
  }
  const char* const start = at;
  if (*at++ != ',' || !take_digits(at, line.session)) return false;
  if (*at++ != ',' || !take_digits(at, line.transaction)) return false;
  if (*at++ != ')') return false;
  if (*at == '\r') ++at;
  if (*at++ != '\n') return false;
  line.goes_on = false;
  before = {start, static_cast<std::size_t>(at - start)};
  return true;
}

}  // namespace

std::size_t take_plain_lines(std::string_view text, std::span<PlainPlumeLine> into) {
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  End before;
  std::size_t count = 0;
  for (PlainPlumeLine& line : into) {
    if (static_cast<std::size_t>(end - at) < PlainPlumeLine::max_length) break;
    const char* const start = at;
    line.is_write = *at == 'w';
    if ((!line.is_write && *at != 'r') || at[1] != '(') break;
    at += 2;
    if (!take_digits(at, line.key) || *at++ != ',') break;
    if (!take_digits(at, line.value) || !take_end(at, before, line)) break;
    if (line.goes_on) {
      line.session = into[count - 1].session;
      line.transaction = into[count - 1].transaction;
    }
    line.length = static_cast<std::uint32_t>(at - start);
    ++count;
  }
  return count;
}

}  // namespace isoscope::format
