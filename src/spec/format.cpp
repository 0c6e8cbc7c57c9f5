#include <algorithm>
#include <array>
#include <optional>

#include "isoscope/base/token_lines.h"
#include "isoscope/spec/level_text.h"
#include "spec/syntax.h"

// The house style of level texts.

namespace isoscope::spec {

namespace {

constexpr std::size_t step = TokenLines::step;

bool needs_blank(const Token& before, const Token& after) {
  if (before.is("(") || before.is("[")) return false;
  if (after.role == Token::Role::type_colon) return true;
  if (after.role != Token::Role::plain) return false;
  return !after.is(")") && !after.is("]") && !after.is(",") && !after.is(".") && !after.is(":");
}

/// Where a line may be broken: after these, the earlier the better.
std::optional<std::size_t> break_rank(const Token& token) {
  static constexpr std::array<std::string_view, 12> breaks = {".", "=",  "<=>", "=>", "or", "and",
                                                              ",", "in", "|",   "&",  "\\", ";"};
  if (token.kind != Token::Kind::sign && token.kind != Token::Kind::word) return std::nullopt;
  const auto found = std::find(breaks.begin(), breaks.end(), token.text);
  if (found == breaks.end()) return std::nullopt;
  return static_cast<std::size_t>(found - breaks.begin());
}

/// The author's indentation, but deeper than the statement's. Only a closing bracket of the
/// statement may stand in line with its start.
std::size_t indent(const Token& token, std::size_t asked, std::string_view) {
  const bool closes = token.is(")") || token.is("]") || token.is("}");
  return std::clamp(asked / step * step, closes ? 0 : step, TokenLines::deepest_indent);
}

}  // namespace

Result<std::string> format_level(const LevelText& text) {
  ISOSCOPE_TRY(syntax, parse_level(text));
  std::vector<std::uint64_t> starts;
  for (const Statement& statement : syntax.statements) starts.push_back(statement.where.byte);
  return format_tokens(syntax.tokens, starts, {needs_blank, break_rank, indent});
}

}  // namespace isoscope::spec
