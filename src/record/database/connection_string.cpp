#include "record/database/connection_string.h"

#include <algorithm>
#include <array>
#include <optional>

namespace isoscope::record {

namespace {

constexpr std::string_view hidden = "***";
/// Parameters whose values nobody may see.
constexpr std::array<std::string_view, 4> secret_parameters = {"password", "passwd", "pwd",
                                                               "sslpassword"};

bool is_scheme(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-';
  });
}

std::optional<int> digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

/// Nothing: a % without two digits behind it.
std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const auto high = digit(text[i + 1]);
    const auto low = digit(text[i + 2]);
    if (!high || !low) return std::nullopt;
    result += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  return result;
}

std::string_view take_until(std::string_view& text, std::string_view ends) {
  const std::size_t end = std::min(text.find_first_of(ends), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end);
  return taken;
}

/// Hides the values of secret parameters, also in texts that are no URLs.
void hide_parameters(std::string& text) {
  for (const std::string_view name : secret_parameters) {
    const std::string sought = std::string(name) + "=";
    for (std::size_t at = text.find(sought); at != std::string::npos; at = text.find(sought, at)) {
      at += sought.size();
      // A value in quotes may have spaces in it.
      const bool quoted = at < text.size() && text[at] == '\'';
      const std::size_t end = quoted ? text.find('\'', at + 1) : text.find_first_of("& ", at);
      text.replace(at, std::min(end, text.size()) - at, hidden);
    }
  }
}

/// The text without its passwords. It hides rather too much than too little: where a password has a
/// / in it, say, which it must not have, all up to the last @.
std::string without_passwords(std::string_view text) {
  std::string shown(text);
  if (const std::size_t start = shown.find("://"); start != std::string::npos) {
    const std::size_t authority_end = std::min(shown.find_first_of("/?#", start + 3), shown.size());
    std::size_t at = shown.rfind('@', authority_end);
    if (at == std::string::npos || at < start) at = shown.rfind('@');
    const std::size_t colon = shown.find(':', start + 3);
    if (at != std::string::npos && colon < at) shown.replace(colon + 1, at - colon - 1, hidden);
  }
  hide_parameters(shown);
  return shown;
}

/// Takes the parts of a connection string out of it, from left to right.
class Parser {
 public:
  Parser(ConnectionString& into, std::string_view text) : into_(into), left_(text) {}

  Status parse() {
    const std::size_t colon = left_.find(':');
    if (colon == std::string_view::npos || !is_scheme(left_.substr(0, colon))) {
      into_.rest = left_;
      return Done{};
    }
    into_.scheme = left_.substr(0, colon);
    left_.remove_prefix(colon + 1);
    if (!left_.starts_with("//")) {
      // A command may have any character in it.
      if (into_.scheme == "exec") {
        into_.rest = left_;
        return Done{};
      }
      ISOSCOPE_TRY_STATUS(decode(take_until(left_, "?"), into_.rest));
      return parse_parameters();
    }
    left_.remove_prefix(2);
    ISOSCOPE_TRY_STATUS(parse_authority(take_until(left_, "/?")));
    if (left_.starts_with('/')) {
      left_.remove_prefix(1);
      ISOSCOPE_TRY_STATUS(decode(take_until(left_, "?"), into_.path));
    }
    return parse_parameters();
  }

 private:
  Error wrong(std::string_view what) const {
    return {into_.shown + ": " + std::string(what), {}, {}, ErrorKind::usage};
  }

  Status decode(std::string_view text, std::string& to) {
    auto plain = decoded(text);
    if (!plain) return wrong("expected two hexadecimal digits behind each %");
    to = *std::move(plain);
    return Done{};
  }

  /// USER:PASSWORD@HOST:PORT, where HOST may be an address in brackets.
  Status parse_authority(std::string_view text) {
    const std::size_t at = text.rfind('@');
    if (at != std::string_view::npos) {
      std::string_view user = text.substr(0, at);
      text.remove_prefix(at + 1);
      ISOSCOPE_TRY_STATUS(decode(take_until(user, ":"), into_.user));
      if (!user.empty()) ISOSCOPE_TRY_STATUS(decode(user.substr(1), into_.password));
    }
    const std::size_t host_end = text.starts_with('[') ? text.find(']') : 0;
    const std::size_t colon = text.find(':', std::min(host_end, text.size()));
    ISOSCOPE_TRY_STATUS(decode(text.substr(0, colon), into_.host));
    if (colon != std::string_view::npos) into_.port = text.substr(colon + 1);
    // What looks like a port may be half a password, which no message of a driver should show.
    if (!std::ranges::all_of(into_.port, [](char c) { return c >= '0' && c <= '9'; })) {
      return wrong(
          "expected a number as port; in a password / ? and # are written %2F, %3F and %23");
    }
    return Done{};
  }

  /// ?NAME=VALUE&NAME=VALUE
  Status parse_parameters() {
    while (!left_.empty()) {
      left_.remove_prefix(1);
      std::string_view pair = take_until(left_, "&");
      if (pair.empty()) continue;
      auto& [name, value] = into_.parameters.emplace_back();
      ISOSCOPE_TRY_STATUS(decode(take_until(pair, "="), name));
      if (!pair.empty()) ISOSCOPE_TRY_STATUS(decode(pair.substr(1), value));
    }
    return Done{};
  }

  ConnectionString& into_;
  std::string_view left_;
};

}  // namespace

Result<ConnectionString> parse_connection_string(std::string_view text) {
  ConnectionString result;
  result.text = text;
  result.shown = without_passwords(text);
  ISOSCOPE_TRY_STATUS(Parser(result, text).parse());
  return result;
}

}  // namespace isoscope::record
