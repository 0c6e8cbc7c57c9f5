#include <algorithm>
#include <array>
#include <optional>

#include "isoscope/base/token_lines.h"
#include "isoscope/protocol/model_text.h"
#include "protocol/language/syntax.h"

// The house style of protocols: `when`, `then` and what is observed start a line of their own.

namespace isoscope::protocol {

namespace {

constexpr std::size_t step = TokenLines::step;
constexpr std::size_t update_indent = 7;  // below the first update: "  then "

bool needs_blank(const Token& before, const Token& after) {
  if (before.is("(") || before.role == Token::Role::joint) return false;
  if (after.role == Token::Role::type_colon) return true;
  if (after.role == Token::Role::attached || after.role == Token::Role::joint) return false;
  return !after.is(")") && !after.is(",") && !after.is(".") && !after.is(":");
}

/// Where a line may be broken: after these, the earlier the better.
std::optional<std::size_t> break_rank(const Token& token) {
  static constexpr std::array<std::string_view, 8> breaks = {".",  "=",   "<=>", "=>",
                                                             "or", "and", ",",   ":="};
  if (token.role == Token::Role::joint || token.kind == Token::Kind::string) return std::nullopt;
  const auto found = std::find(breaks.begin(), breaks.end(), token.text);
  if (found == breaks.end()) return std::nullopt;
  return static_cast<std::size_t>(found - breaks.begin());
}

std::size_t indent(const Token&, std::size_t asked, std::string_view clause) {
  if (clause == "then" && (asked == update_indent || asked + 1 == update_indent))
    return update_indent;
  return std::clamp(asked / step * step, step, TokenLines::deepest_indent);
}

}  // namespace

Result<std::string> format_model(const std::string& name, std::string_view text) {
  ISOSCOPE_TRY(syntax, parse_protocol(name, text));
  std::vector<std::uint64_t> starts;
  for (const Statement& statement : syntax.statements) starts.push_back(statement.where.byte);
  return format_tokens(syntax.tokens, starts, {needs_blank, break_rank, indent});
}

}  // namespace isoscope::protocol
