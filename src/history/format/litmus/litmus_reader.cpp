#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "history/format/litmus/formats.h"
#include "history/format/litmus/litmus_lexer.h"
#include "history/format/litmus/litmus_predicate.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::format {

namespace {

using TokenKind = LitmusToken::Kind;

/// The words of operations; reads of lists are reads that show a list.
std::optional<OperationKind> operation_named(std::string_view word) {
  if (word == "r") return OperationKind::read;
  if (word == "w") return OperationKind::write;
  if (word == "i") return OperationKind::insert;
  if (word == "d") return OperationKind::remove;
  if (word == "a") return OperationKind::append;
  if (word == "rp") return OperationKind::predicate_read;
  if (word == "wp") return OperationKind::predicate_write;
  return std::nullopt;
}

/// Whether an operation begins with the word.
bool names_operation(std::string_view word) {
  return operation_named(word).has_value() || find_update_function(word).has_value();
}

constexpr std::string_view expected_key = "a key: a name, an integer or a string in quotes";

bool is_directive(LitmusLexer& lexer) {
  return (lexer.peek().is_word("initial") || lexer.peek().is_word("origin") ||
          lexer.peek().is_word("cuts")) &&
         !lexer.peek_second().is(":");
}

bool is_name(const LitmusToken& token) {
  return token.kind == TokenKind::word || token.kind == TokenKind::integer ||
         token.kind == TokenKind::string;
}

/// Reads the notation by recursive descent, one method per rule of the grammar in
/// docs/formats/litmus.md.
class LitmusReader {
 public:
  LitmusReader(ByteReader& input, const ReadOptions& options) : lexer_(input), options_(options) {}

  Result<History> read() {
    bool any_session = false;
    bool any_directive = false;
    for (;;) {
      skip_newlines();
      if (lexer_.peek().kind == TokenKind::end) break;
      if (is_directive(lexer_)) {
        if (any_session) return lexer_.unexpected("the sessions after the directives");
        any_directive = true;
        ISOSCOPE_TRY_STATUS(directive());
        continue;
      }
      any_session = true;
      ISOSCOPE_TRY_STATUS(session());
      while (lexer_.take_if("|")) {
        skip_newlines();
        ISOSCOPE_TRY_STATUS(session());
      }
      if (!at_line_end()) return lexer_.unexpected("an operation, ';', '|' or the end of the line");
    }
    if (!any_session && !any_directive) return lexer_.unexpected("a session");
    return std::move(builder_).finish();
  }

 private:
  ValuePool& values() { return builder_.values(); }

  void skip_newlines() {
    while (lexer_.peek().kind == TokenKind::newline) lexer_.take();
  }

  bool at_line_end() {
    return lexer_.peek().kind == TokenKind::newline || lexer_.peek().kind == TokenKind::end;
  }

  Status directive() {
    const LitmusToken word = lexer_.take();
    bool& seen = word.text == "origin" ? origin_seen_
                 : word.text == "cuts" ? cuts_seen_
                                       : initial_seen_;
    if (seen)
      return lexer_.error_at(word, "expected " + word.text + " at most once, found it again");
    seen = true;
    ISOSCOPE_TRY_STATUS(word.text == "origin" ? origin()
                        : word.text == "cuts" ? cuts()
                                              : initial());
    if (!at_line_end()) return lexer_.unexpected("the end of the line");
    return Done{};
  }

  Status origin() {
    if (lexer_.peek().kind != TokenKind::string)
      return lexer_.unexpected("a string in quotes after origin");
    builder_.set_origin(lexer_.take().text);
    return Done{};
  }

  Status cuts() {
    if (lexer_.take_if_word("on")) {
      builder_.set_indeterminate_cuts(true);
    } else if (lexer_.take_if_word("off")) {
      builder_.set_indeterminate_cuts(false);
    } else {
      return lexer_.unexpected("on or off after cuts");
    }
    return Done{};
  }

  Status initial() {
    if (lexer_.peek_second().is("=") || lexer_.peek_second().is(".")) {
      return lexer_.unexpected("none or the value of all other keys before the listed ones");
    }
    if (lexer_.take_if_word("none")) {
      builder_.set_initial_default(std::nullopt);
    } else {
      ISOSCOPE_TRY(value, value_or_list());
      builder_.set_initial_default(value);
    }
    std::unordered_set<KeyId> listed;
    while (!at_line_end()) {
      const LitmusToken first = lexer_.peek();
      ISOSCOPE_TRY(key, this->key());
      if (!listed.insert(key).second) {
        return lexer_.error_at(
            first, "expected each key at most once, found " + first.describe() + " again");
      }
      ISOSCOPE_TRY_STATUS(lexer_.expect("=", "after a key"));
      ISOSCOPE_TRY(value, value_or_list());
      builder_.set_initial(key, value);
    }
    return Done{};
  }

  Status session() {
    SessionId session;
    bool named = false;
    if (is_name(lexer_.peek()) && lexer_.peek_second().is(":")) {
      const LitmusToken token = lexer_.take();
      lexer_.take();
      named = true;
      const ValueId name = token.kind == TokenKind::integer ? values().integer(token.number)
                                                            : values().string(token.text);
      if (!session_names_.insert(name).second) {
        return lexer_.error_at(token,
                               "expected a new session, found " + token.describe() + " again");
      }
      session = builder_.session(name);
    }
    if (named && (at_line_end() || lexer_.peek().is("|"))) return Done{};
    if (!named) {
      if (!starts_transaction()) return lexer_.unexpected("a session");
      session = builder_.add_session();
    }
    ISOSCOPE_TRY_STATUS(transaction(session));
    while (lexer_.take_if(";")) {
      skip_newlines();
      ISOSCOPE_TRY_STATUS(transaction(session));
    }
    return Done{};
  }

  bool starts_transaction() {
    const LitmusToken& token = lexer_.peek();
    return is_name(token) || token.is("!") || token.is("?") || token.is("@") || token.is("^");
  }

  Status transaction(SessionId session) {
    ISOSCOPE_TRY_STATUS(keep_going(options_, lexer_.input()));
    if (!starts_transaction()) return lexer_.unexpected("a transaction");
    ISOSCOPE_TRY_STATUS(label(session));
    while (lexer_.peek().kind == TokenKind::word) ISOSCOPE_TRY_STATUS(operation());
    return Done{};
  }

  /// NAME, outcome, times and stamp, each optional.
  Status label(SessionId session) {
    std::optional<ValueId> name;
    if (is_name(lexer_.peek()) && !lexer_.peek_second().is("(")) {
      const LitmusToken token = lexer_.take();
      name = token.kind == TokenKind::integer ? values().integer(token.number)
                                              : builder_.transaction_name(token.text);
      if (builder_.has_transaction(*name)) {
        return lexer_.error_at(token,
                               "expected a new transaction, found " + token.describe() + " again");
      }
    }
    builder_.begin_transaction(session, name);
    if (lexer_.take_if("!")) {
      builder_.set_outcome(Outcome::aborted);
    } else if (lexer_.take_if("?")) {
      builder_.set_outcome(Outcome::indeterminate);
    }
    bool has_level = false;
    bool has_times = false;
    while (lexer_.peek().is("@")) {
      const LitmusToken at = lexer_.take();
      const bool is_level = lexer_.peek().kind == TokenKind::word && !lexer_.peek_second().is("(");
      if (std::exchange(is_level ? has_level : has_times, true)) {
        return lexer_.error_at(at, std::string("expected ") +
                                       (is_level ? "one level" : "times once") +
                                       ", found another '@'");
      }
      ISOSCOPE_TRY_STATUS(is_level ? level() : times(at));
    }
    if (lexer_.peek().is("^")) return commit_stamp();
    return Done{};
  }

  Status commit_stamp() {
    const LitmusToken sign = lexer_.take();
    if (lexer_.peek().kind != TokenKind::integer || lexer_.peek().number == INT64_MIN)
      return lexer_.unexpected("the stamp of the commit, an integer but the smallest, after '^'");
    if (builder_.outcome() != Outcome::committed) {
      return lexer_.error_at(
          sign, "expected a stamp of a committed transaction only, found one that is " +
                    std::string(name_of(builder_.outcome())));
    }
    builder_.set_commit_stamp(lexer_.take().number);
    return Done{};
  }

  Status level() {
    const LitmusToken name = lexer_.take();
    Result<LevelId> level = find_recorded_level(name.text);
    if (!level) return lexer_.error_at(name, level.error().what);
    builder_.set_level(*level);
    return Done{};
  }

  Status times(const LitmusToken& at) {
    const auto time = [&]() -> std::optional<std::int64_t> {
      if (lexer_.peek().kind != TokenKind::integer) return std::nullopt;
      return lexer_.take().number;
    };
    const auto begin = time();
    ISOSCOPE_TRY_STATUS(lexer_.expect("..", "between the begin and end times"));
    const auto end = time();
    if (!begin && !end)
      return lexer_.error_at(at, "expected a begin or an end time after '@', found none");
    if (begin == INT64_MIN || end == INT64_MIN) {
      return lexer_.error_at(at, "expected a time in nanoseconds, found the smallest integer");
    }
    if (begin && end && *end < *begin) {
      return lexer_.error_at(at, "expected an end not before the begin, found " +
                                     std::to_string(*begin) + ".." + std::to_string(*end));
    }
    builder_.set_times(begin, end);
    return Done{};
  }

  Status operation() {
    static constexpr std::string_view expected =
        "an operation: r, w, i, d, a, add, cas, swap, rp or wp with its arguments";
    const LitmusToken word = lexer_.peek();
    if (!names_operation(word.text) || !lexer_.peek_second().is("("))
      return lexer_.unexpected(expected);
    lexer_.take();
    lexer_.take();
    const auto kind = operation_named(word.text);
    if (!kind) {
      ISOSCOPE_TRY_STATUS(update_operation(word, *find_update_function(word.text)));
    } else if (*kind == OperationKind::predicate_read || *kind == OperationKind::predicate_write) {
      ISOSCOPE_TRY_STATUS(predicate_operation(*kind));
    } else {
      ISOSCOPE_TRY_STATUS(item_operation(*kind));
    }
    return lexer_.expect(")", "after the operation's arguments");
  }

  Status item_operation(OperationKind kind) {
    ISOSCOPE_TRY(key, this->key());
    if (kind == OperationKind::remove) {
      builder_.remove(key);
      return Done{};
    }
    ISOSCOPE_TRY_STATUS(lexer_.expect(",", "after the key"));
    if (kind == OperationKind::read && lexer_.take_if("?")) {
      builder_.read(key, ValuePool::unreported);
      return Done{};
    }
    ISOSCOPE_TRY(value, kind == OperationKind::read ? value_or_list() : this->value());
    const bool list = values().kind(value) == ValueKind::list;
    builder_.add(list ? OperationKind::list_read : kind, key, value);
    return Done{};
  }

  Status update_operation(const LitmusToken& word, Update::Function function) {
    Update update{.function = function};
    ISOSCOPE_TRY(key, this->key());
    ISOSCOPE_TRY_STATUS(lexer_.expect(",", "after the key"));
    ISOSCOPE_TRY(argument, value());
    update.argument = argument;
    if (function == Update::Function::compare_and_set) {
      ISOSCOPE_TRY_STATUS(lexer_.expect(",", "and the new value"));
      ISOSCOPE_TRY(replacement, value());
      update.replacement = replacement;
      if (lexer_.take_if(",")) ISOSCOPE_TRY_STATUS(outcome_of_compare_and_set(update));
    } else if (lexer_.take_if(",")) {
      ISOSCOPE_TRY(seen, value());
      update.learned = Update::Learned::value;
      update.seen = seen;
    }
    const std::string wrong = contradiction_in(update, values());
    if (!wrong.empty()) return lexer_.error_at(word, wrong);
    builder_.update(key, update);
    return Done{};
  }

  Status outcome_of_compare_and_set(Update& update) {
    const bool is_done = lexer_.take_if_word("done");
    if (!is_done && !lexer_.take_if_word("refused")) return lexer_.unexpected("done or refused");
    update.learned = is_done ? Update::Learned::done : Update::Learned::refused;
    if (is_done || !lexer_.take_if(",")) return Done{};
    ISOSCOPE_TRY(seen, value());
    update.learned = Update::Learned::value;
    update.seen = seen;
    return Done{};
  }

  Status predicate_operation(OperationKind kind) {
    TableId table = HistoryBuilder::default_table;
    const LitmusToken& first = lexer_.peek();
    if ((first.kind == TokenKind::word || first.kind == TokenKind::string) &&
        lexer_.peek_second().is(":")) {
      table = builder_.table(lexer_.take().text);
      lexer_.take();
    }
    ISOSCOPE_TRY(predicate, read_litmus_predicate(lexer_));
    const PredicateId id = builder_.predicate(predicate);
    ISOSCOPE_TRY_STATUS(lexer_.expect(",", "and the rows after the condition"));
    if (lexer_.take_if("?")) {
      builder_.add_predicate(kind, table, id, std::nullopt);
      return Done{};
    }
    if (!lexer_.take_if("{")) return lexer_.unexpected("the rows as {key:value ...}, or '?'");
    std::vector<RowVersion> rows;
    while (!lexer_.take_if("}")) {
      if (!rows.empty()) lexer_.take_if(",");
      ISOSCOPE_TRY(name, key_name());
      ISOSCOPE_TRY_STATUS(lexer_.expect(":", "after a row's key"));
      if (kind == OperationKind::predicate_read && lexer_.peek().is_word("nil")) {
        return lexer_.unexpected("the value of a row that was returned");
      }
      ISOSCOPE_TRY(value, this->value());
      rows.push_back({builder_.key(name, table), value});
    }
    builder_.add_predicate(kind, table, id, rows);
    return Done{};
  }

  /// KEY or TABLE.KEY.
  Result<KeyId> key() {
    TableId table = HistoryBuilder::default_table;
    if (lexer_.peek_second().is(".")) {
      if (lexer_.peek().kind != TokenKind::word && lexer_.peek().kind != TokenKind::string) {
        return lexer_.unexpected("a table's name before '.'");
      }
      table = builder_.table(lexer_.take().text);
      lexer_.take();
    }
    ISOSCOPE_TRY(name, key_name());
    return builder_.key(name, table);
  }

  Result<ValueId> key_name() {
    if (lexer_.peek().is_word("nil")) return lexer_.unexpected(expected_key);
    return scalar(expected_key);
  }

  /// What a key can hold: a register's value or a list.
  Result<ValueId> value_or_list() {
    if (lexer_.peek().is("[")) return list();
    return value(
        "a value: nil, an integer, a name, a string in quotes, a row {...} or a list [...]");
  }

  Result<ValueId> value(std::string_view expected =
                            "a value: nil, an integer, a name, a string in quotes or a row {...}") {
    if (lexer_.peek().is("{")) return row();
    return scalar(expected);
  }

  Result<ValueId> scalar(std::string_view expected) {
    const LitmusToken& token = lexer_.peek();
    if (lexer_.take_if_word("nil")) return ValuePool::nil;
    if (token.kind == TokenKind::integer) return values().integer(lexer_.take().number);
    if (token.kind != TokenKind::string &&
        !(token.kind == TokenKind::word && is_litmus_word(token.text))) {
      return lexer_.unexpected(expected);
    }
    return values().string(lexer_.take().text);
  }

  Result<ValueId> row() {
    lexer_.take();
    std::vector<Column> columns;
    std::unordered_set<ValueId> names;
    while (!lexer_.take_if("}")) {
      if (!columns.empty()) lexer_.take_if(",");
      const LitmusToken name = lexer_.peek();
      if (name.kind != TokenKind::word && name.kind != TokenKind::string)
        return lexer_.unexpected("a column name or '}'");
      if (name.text.starts_with('@'))
        return lexer_.unexpected("a column name that does not start with @");
      lexer_.take();
      const ValueId id = values().string(name.text);
      if (!names.insert(id).second) {
        return lexer_.error_at(name,
                               "expected each column once, found " + name.describe() + " again");
      }
      ISOSCOPE_TRY_STATUS(lexer_.expect(":", "after a column name"));
      ISOSCOPE_TRY(value,
                   scalar("a column's value: nil, an integer, a name or a string in quotes"));
      columns.push_back({id, value});
    }
    return values().row(columns);
  }

  Result<ValueId> list() {
    lexer_.take();
    ValueId result = ValuePool::empty_list;
    while (!lexer_.take_if("]")) {
      if (result != ValuePool::empty_list) lexer_.take_if(",");
      ISOSCOPE_TRY(
          element,
          value("an element or ']': nil, an integer, a name, a string in quotes or a row {...}"));
      result = values().list_with(result, element);
    }
    return result;
  }

  LitmusLexer lexer_;
  const ReadOptions& options_;
  HistoryBuilder builder_;
  std::unordered_set<ValueId> session_names_;
  bool origin_seen_ = false;
  bool initial_seen_ = false;
  bool cuts_seen_ = false;
};

}  // namespace

/// A directive, or an operation after nothing but names, outcomes, times and stamps.
bool looks_like_litmus(const Head& head) {
  const Source copy = Source::from_memory(head.source.name(), std::string(head.bytes));
  auto input = copy.open_file(0);
  if (!input) return false;
  LitmusLexer lexer(*input);
  while (lexer.peek().kind == TokenKind::newline) lexer.take();
  if (is_directive(lexer)) return true;
  for (;;) {
    const LitmusToken& token = lexer.peek();
    if (token.kind == TokenKind::word && lexer.peek_second().is("("))
      return names_operation(token.text);
    const bool may_precede = is_name(token) || token.kind == TokenKind::newline || token.is(":") ||
                             token.is(";") || token.is("|") || token.is("!") || token.is("?") ||
                             token.is("@") || token.is("..") || token.is("^");
    if (!may_precede) return false;
    lexer.take();
  }
}

Result<History> read_litmus(const Source& source, const ReadOptions& options) {
  ISOSCOPE_TRY(input, open_single_file(source));
  return LitmusReader(input, options).read();
}

}  // namespace isoscope::format
