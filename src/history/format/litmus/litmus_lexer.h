#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "isoscope/base/byte_reader.h"
#include "isoscope/base/result.h"

namespace isoscope::format {

/// One token of the litmus notation (docs/formats/litmus.md).
struct LitmusToken {
  enum class Kind : std::uint8_t {
    word,     ///< a letter or _, then letters, digits, _ and -
    integer,  ///< 64 bits
    string,   ///< in double quotes, as in JSON
    sign,     ///< one of ( ) { } [ ] , ; | : . .. = <> < <= > >= ! ? @ ^
    newline,  ///< only outside brackets
    end,
    error,  ///< no token at all; the lexer's error() says why
  };

  Kind kind = Kind::end;
  std::string text;  ///< of a word, a string (unescaped) or a sign
  std::int64_t number = 0;
  Position position;

  bool is(std::string_view sign) const { return kind == Kind::sign && text == sign; }
  bool is_word(std::string_view word) const { return kind == Kind::word && text == word; }
  /// For messages.
  std::string describe() const;
};

/// Splits an input into tokens, two of them visible ahead. Comments (# or // to the end of the
/// line) and white space are dropped; a newline is a token unless a bracket is open, for it ends a
/// session.
class LitmusLexer {
 public:
  /// The maximum depth to which brackets may nest: what reads them is recursive.
  static constexpr int max_depth = 256;

  /// Reads from `input`, which must outlive the lexer.
  explicit LitmusLexer(ByteReader& input);

  /// Valid until the next take.
  const LitmusToken& peek() { return ahead(0); }
  const LitmusToken& peek_second() { return ahead(1); }
  LitmusToken take();
  /// Takes the sign if it is next.
  bool take_if(std::string_view sign);
  bool take_if_word(std::string_view word);

  /// "expected EXPECTED, found FOUND" at the next token, or what is wrong with that token itself.
  Error unexpected(std::string_view expected);
  Error error_at(const LitmusToken& token, std::string what) const {
    return input_.error_at(token.position, std::move(what));
  }
  /// Takes the sign or complains.
  Status expect(std::string_view sign, std::string_view where);

  ByteReader& input() { return input_; }

 private:
  const LitmusToken& ahead(std::size_t count);
  LitmusToken scan();
  LitmusToken scan_integer(LitmusToken token);
  LitmusToken scan_string(LitmusToken token);
  LitmusToken scan_sign(LitmusToken token);
  LitmusToken fail(LitmusToken token, std::string what);
  void skip_comment();
  /// Skips blanks, comments, and the ends of lines inside brackets. Returns the byte that comes
  /// next.
  int skip_blanks();
  /// The input's own answer would count lines from the start of its buffer, for every token.
  Position position() const {
    const std::uint64_t offset = input_.offset();
    return {offset, line_, static_cast<std::uint32_t>(offset - line_start_ + 1)};
  }
  void take_newline();

  ByteReader& input_;
  std::array<LitmusToken, 2> ahead_;
  std::size_t ahead_count_ = 0;
  int depth_ = 0;  // open brackets up to the last token scanned
  std::uint32_t line_ = 1;
  std::uint64_t line_start_ = 0;
  std::string problem_;  // what is wrong with the token of kind error
};

/// Can the text stand without quotes? Words that have a meaning somewhere need quotes.
bool is_litmus_word(std::string_view text);

/// A string as the notation has it: bare where it can be, in quotes otherwise.
void append_litmus_string(std::string& to, std::string_view text);

}  // namespace isoscope::format
