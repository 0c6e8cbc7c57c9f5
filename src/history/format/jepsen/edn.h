#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "history/format/jepsen/term.h"
#include "isoscope/base/byte_reader.h"

namespace isoscope::format {

/// A streaming reader of EDN, Clojure's data notation (github.com/edn-format/edn).
///
///   {:type :ok, :f :txn, :value [[:append 7 1] [:r 8 [3 4]]]}   ; a comment
///   #inst "2020-02-02"   #jepsen.history.Op{:index 3}   #_(not there)
///
/// Each next() gives one form. Where the file is one enclosing vector or list, its elements are the
/// forms, so that no file is ever held as a whole: memory is what the largest form takes. Reading
/// takes linear time. Nesting may go up to max_depth, TermTree limits the sizes, and strings must
/// be valid UTF-8.
///
/// Numbers that are no 64-bit integers (fractions, ratios, hexadecimal as #object[...] has it) are
/// kept as text, and code that meets them refuses them. Metadata (^), quotes and the rest of
/// Clojure's reader syntax are no EDN, and errors.
class EdnReader {
 public:
  static constexpr int max_depth = 256;

  /// Reads from `input`, which must outlive the reader.
  explicit EdnReader(ByteReader& input) : input_(input) {}

  /// Puts the next form into `tree`; false when there is none left. After an Error, do not go on.
  /// An Error about something that started more than a buffer ago has only its byte; locate.h finds
  /// the line.
  Result<bool> next(TermTree& tree);

 private:
  // All of these return false (or -2) after an error, which error_ then holds.
  static constexpr int failed = -2;
  /// Passes white space, comments and discarded forms; the first byte of what follows, -1 at the
  /// end.
  int skip_blank(TermTree& tree, int depth);
  bool form(TermTree& tree, int first, int depth);
  bool collection(TermTree& tree, TermKind kind, std::size_t bracket_size, char closing, int depth);
  bool dispatch(TermTree& tree, int depth);
  bool string(TermTree& tree);
  bool escape(std::string& text);
  bool character(TermTree& tree);
  bool number(TermTree& tree);
  bool word(TermTree& tree);
  /// The token that starts here, at least `least` bytes of it; nothing after an error. Not
  /// consumed.
  std::optional<std::string_view> token(std::size_t least);

  bool enter_enclosing(TermTree& tree);
  Result<bool> at_end();
  bool fail(std::uint64_t offset, std::string what);
  bool fail_expected(std::string_view expected);

  ByteReader& input_;
  std::optional<Error> error_;
  bool started_ = false;
  char enclosing_ = 0;  // the bracket that closes the enclosing form, if there is one
};

/// Is `text`, with its colon, one keyword that EdnReader reads as such?
bool is_edn_keyword(std::string_view text);

}  // namespace isoscope::format
