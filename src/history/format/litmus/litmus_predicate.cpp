#include "history/format/litmus/litmus_predicate.h"

#include <algorithm>
#include <array>
#include <utility>

#include "isoscope/base/json_writer.h"
#include "isoscope/history/predicate_json.h"

namespace isoscope::format {

namespace {

using Kind = Predicate::Kind;
using TokenKind = LitmusToken::Kind;

constexpr std::array<std::pair<Kind, std::string_view>, 6> comparisons = {{
    {Kind::equal, "="},
    {Kind::not_equal, "<>"},
    {Kind::less, "<"},
    {Kind::less_equal, "<="},
    {Kind::greater, ">"},
    {Kind::greater_equal, ">="},
}};

/// The characters that have a meaning of their own in a LIKE pattern.
constexpr std::string_view wildcards = "%_\\";

void append_operand(std::string& to, const std::string& operand) {
  if (operand == Predicate::key_operand || operand == Predicate::value_operand) {
    to += operand;
  } else {
    append_litmus_string(to, operand);
  }
}

void append_pattern(std::string& to, const std::string& prefix) {
  std::string pattern;
  for (const char c : prefix) {
    if (wildcards.find(c) != std::string_view::npos) pattern.push_back('\\');
    pattern.push_back(c);
  }
  append_json_string(to, pattern + "%");
}

/// In parentheses where the bare text would join with what stands around it.
void append_part(std::string& to, const Predicate& part) {
  const bool joins = (part.kind == Kind::conjunction || part.kind == Kind::disjunction) &&
                     part.children.size() > 1;
  if (joins) to.push_back('(');
  append_litmus_predicate(to, part);
  if (joins) to.push_back(')');
}

void append_junction(std::string& to, const Predicate& predicate) {
  const std::string_view word = predicate.kind == Kind::conjunction ? "and" : "or";
  if (predicate.children.empty()) {
    to += predicate.kind == Kind::conjunction ? "and()" : "false";
  } else if (predicate.children.size() == 1) {
    to += word;
    to.push_back('(');
    append_litmus_predicate(to, predicate.children[0]);
    to.push_back(')');
  } else {
    for (std::size_t i = 0; i < predicate.children.size(); ++i) {
      if (i != 0) to.append(" ").append(word).append(" ");
      append_part(to, predicate.children[i]);
    }
  }
}

/// Reads predicates; a class because it counts how deep it is.
class PredicateReader {
 public:
  explicit PredicateReader(LitmusLexer& lexer) : lexer_(lexer) {}

  Result<Predicate> read() { return junction(Kind::disjunction); }

 private:
  /// Factors joined by "and", or such joined by "or"; a single one is itself.
  Result<Predicate> junction(Kind kind) {
    const bool outer = kind == Kind::disjunction;
    Predicate result;
    result.kind = kind;
    do {
      ISOSCOPE_TRY(part, outer ? junction(Kind::conjunction) : factor());
      result.children.push_back(std::move(part));
    } while (lexer_.take_if_word(outer ? "or" : "and"));
    if (result.children.size() == 1) return std::move(result.children[0]);
    return result;
  }

  Result<Predicate> factor() {
    if (depth_ == LitmusLexer::max_depth) {
      return lexer_.error_at(lexer_.peek(), "expected at most " +
                                                std::to_string(LitmusLexer::max_depth) +
                                                " nested conditions, found more");
    }
    ++depth_;
    auto result = factor_inside();
    --depth_;
    return result;
  }

  Result<Predicate> factor_inside() {
    Predicate result;
    if (lexer_.take_if_word("true")) return result;
    if (lexer_.take_if_word("false")) {
      result.kind = Kind::disjunction;
      return result;
    }
    if (lexer_.take_if_word("not")) {
      result.kind = Kind::negation;
      ISOSCOPE_TRY(child, factor());
      result.children.push_back(std::move(child));
      return result;
    }
    if (lexer_.take_if("(")) {
      ISOSCOPE_TRY(inside, read());
      ISOSCOPE_TRY_STATUS(lexer_.expect(")", "after a condition"));
      return inside;
    }
    if (lexer_.peek_second().is("(")) {
      if (lexer_.peek().is_word("and")) return call(Kind::conjunction);
      if (lexer_.peek().is_word("or")) return call(Kind::disjunction);
      if (lexer_.peek().is_word("mod")) return modulo();
    }
    ISOSCOPE_TRY_STATUS(operand(result));
    if (lexer_.take_if_word("is")) return null_test(std::move(result));
    ISOSCOPE_TRY_STATUS(test(result));
    return result;
  }

  /// "is null", and also "is not null", as in SQL.
  Result<Predicate> null_test(Predicate result) {
    result.kind = Kind::is_null;
    const bool negated = lexer_.take_if_word("not");
    if (!lexer_.take_if_word("null") && !lexer_.take_if_word("nil"))
      return lexer_.unexpected("null");
    if (!negated) return result;
    Predicate negation;
    negation.kind = Kind::negation;
    negation.children.push_back(std::move(result));
    return negation;
  }

  /// and(...) and or(...), with any number of parts.
  Result<Predicate> call(Kind kind) {
    Predicate result;
    result.kind = kind;
    lexer_.take();
    lexer_.take();
    if (lexer_.take_if(")")) return result;
    do {
      ISOSCOPE_TRY(child, read());
      result.children.push_back(std::move(child));
    } while (lexer_.take_if(","));
    ISOSCOPE_TRY_STATUS(lexer_.expect(")", "or ',' after a condition"));
    return result;
  }

  Result<Predicate> modulo() {
    Predicate result;
    result.kind = Kind::modulo;
    lexer_.take();
    lexer_.take();
    ISOSCOPE_TRY_STATUS(operand(result));
    ISOSCOPE_TRY_STATUS(lexer_.expect(",", "before the modulus"));
    if (lexer_.peek().kind != TokenKind::integer || lexer_.peek().number <= 0) {
      return lexer_.unexpected("a positive integer as the modulus");
    }
    result.constants.emplace_back(lexer_.take().number);
    ISOSCOPE_TRY_STATUS(lexer_.expect(")", "after the modulus"));
    ISOSCOPE_TRY_STATUS(lexer_.expect("=", "after mod(...)"));
    if (lexer_.peek().kind != TokenKind::integer)
      return lexer_.unexpected("an integer as the remainder");
    result.constants.emplace_back(lexer_.take().number);
    return result;
  }

  Status operand(Predicate& result) {
    static constexpr std::string_view expected =
        "a condition: a column name, @key, @value, not, true, false or '('";
    if (lexer_.take_if("@")) {
      if (!lexer_.peek().is_word("key") && !lexer_.peek().is_word("value")) {
        return lexer_.unexpected("key or value after '@'");
      }
      result.operand = "@" + lexer_.take().text;
      return Done{};
    }
    const LitmusToken& token = lexer_.peek();
    const bool named = token.kind == TokenKind::string ||
                       (token.kind == TokenKind::word && is_litmus_word(token.text));
    if (!named) return lexer_.unexpected(expected);
    if (token.text.starts_with('@'))
      return lexer_.unexpected("a column name that does not start with @");
    result.operand = lexer_.take().text;
    return Done{};
  }

  Status test(Predicate& result) {
    for (const auto& [kind, sign] : comparisons) {
      if (!lexer_.take_if(sign)) continue;
      result.kind = kind;
      return constant(result);
    }
    if (lexer_.take_if_word("between")) {
      result.kind = Kind::between;
      ISOSCOPE_TRY_STATUS(constant(result));
      if (!lexer_.take_if_word("and")) return lexer_.unexpected("and between the bounds");
      return constant(result);
    }
    if (lexer_.take_if_word("in")) {
      result.kind = Kind::in;
      ISOSCOPE_TRY_STATUS(lexer_.expect("(", "after in"));
      while (!lexer_.take_if(")")) {
        if (!result.constants.empty()) lexer_.take_if(",");
        ISOSCOPE_TRY_STATUS(constant(result));
      }
      return Done{};
    }
    if (lexer_.take_if_word("like")) return pattern(result);
    return lexer_.unexpected("=, <>, <, <=, >, >=, between, in, is or like");
  }

  Status constant(Predicate& result) {
    const LitmusToken& token = lexer_.peek();
    if (token.kind == TokenKind::integer) {
      result.constants.emplace_back(token.number);
    } else if (token.kind == TokenKind::string) {
      result.constants.emplace_back(token.text);
    } else if (token.is_word("nil") || token.is_word("null")) {
      result.constants.emplace_back();
    } else {
      return lexer_.unexpected("an integer, a string in quotes or nil");
    }
    lexer_.take();
    return Done{};
  }

  Status pattern(Predicate& result) {
    static constexpr std::string_view expected =
        "a pattern in quotes that ends in % and has no other wildcard";
    if (lexer_.peek().kind != TokenKind::string) return lexer_.unexpected(expected);
    const std::string& text = lexer_.peek().text;
    std::string prefix;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
      const bool escaped = text[at] == '\\' && at + 1 < text.size() &&
                           wildcards.find(text[at + 1]) != std::string::npos;
      if (!escaped && wildcards.find(text[at]) != std::string::npos) break;
      if (escaped) ++at;
      prefix.push_back(text[at]);
    }
    if (text.substr(std::min(at, text.size())) != "%") return lexer_.unexpected(expected);
    lexer_.take();
    result.kind = Kind::prefix;
    result.constants.emplace_back(std::move(prefix));
    return Done{};
  }

  LitmusLexer& lexer_;
  int depth_ = 0;
};

}  // namespace

void append_litmus_predicate(std::string& to, const Predicate& predicate) {
  if (predicate.kind == Kind::conjunction || predicate.kind == Kind::disjunction) {
    append_junction(to, predicate);
    return;
  }
  switch (predicate.kind) {
    case Kind::always:
      to += "true";
      return;
    case Kind::negation:
      to += "not ";
      append_part(to, predicate.children[0]);
      return;
    case Kind::modulo:
      to += "mod(";
      append_operand(to, predicate.operand);
      to.push_back(',');
      append_constant(to, predicate.constants[0], "nil");
      to += ") = ";
      append_constant(to, predicate.constants[1], "nil");
      return;
    default:
      append_operand(to, predicate.operand);
  }
  switch (predicate.kind) {
    case Kind::between:
      to += " between ";
      append_constant(to, predicate.constants[0], "nil");
      to += " and ";
      append_constant(to, predicate.constants[1], "nil");
      return;
    case Kind::in:
      to += " in (";
      for (std::size_t i = 0; i < predicate.constants.size(); ++i) {
        if (i != 0) to.push_back(' ');
        append_constant(to, predicate.constants[i], "nil");
      }
      to.push_back(')');
      return;
    case Kind::is_null:
      to += " is null";
      return;
    case Kind::prefix:
      to += " like ";
      append_pattern(to, std::get<std::string>(predicate.constants[0]));
      return;
    default:
      for (const auto& [kind, sign] : comparisons) {
        if (kind == predicate.kind) to.append(" ").append(sign).append(" ");
      }
      append_constant(to, predicate.constants[0], "nil");
  }
}

Result<Predicate> read_litmus_predicate(LitmusLexer& lexer) {
  return PredicateReader(lexer).read();
}

}  // namespace isoscope::format
