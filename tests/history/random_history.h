#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::test {

/// What random histories may contain. The default is everything the model can hold; a test of a
/// format that holds less switches the rest off.
struct HistoryFeatures {
  bool string_names = true;  ///< of transactions and sessions; integers otherwise
  bool negative_integers = true;
  bool string_keys = true;
  bool string_values = true;
  bool wild_strings = true;  ///< empty, with quotes, control characters, beyond ASCII
  bool nil_values = true;    ///< written and read; off: only read, where nothing was written
  bool rows = true;
  bool lists = true;  ///< appends and list reads
  bool inserts_and_deletes = true;
  bool updates = true;
  bool predicates = true;
  bool tables = true;
  bool aborted = true;
  bool indeterminate = true;
  bool times = true;
  bool stamps = true;  ///< of commits
  bool cuts = true;    ///< off, in some
  bool levels = true;
  bool unreported = true;
  bool initial_default = true;  ///< anything but nil
  bool initial_rows = true;
  bool origin = true;
  bool empty_sessions = true;
  bool empty_transactions = true;

  /// Registers with integers and nothing else: what the plainest formats hold.
  static HistoryFeatures plain() {
    HistoryFeatures none;
    none.string_names = none.negative_integers = none.string_keys = none.string_values = false;
    none.wild_strings = none.nil_values = none.rows = none.lists = none.inserts_and_deletes = false;
    none.updates = false;
    none.predicates = none.tables = none.aborted = none.indeterminate = none.times = false;
    none.stamps = none.cuts = none.levels = false;
    none.unreported = none.initial_default = none.initial_rows = none.origin = false;
    none.empty_sessions = none.empty_transactions = false;
    return none;
  }
};

/// Makes one random history: a few sessions and transactions over a few keys and values, so that
/// things repeat and collide. It obeys the model's invariants and no isolation level.
class RandomHistory {
 public:
  RandomHistory(std::uint64_t seed, const HistoryFeatures& features)
      : random_(seed), features_(features) {}

  History make() && {
    if (features_.origin && random_.chance(50)) builder_.set_origin(string());
    if (features_.cuts && random_.chance(20)) builder_.set_indeterminate_cuts(false);
    if (features_.initial_default && random_.chance(50)) {
      if (random_.chance(30)) {
        builder_.set_initial_default(std::nullopt);
      } else {
        builder_.set_initial_default(initial_value());
      }
    }
    std::vector<SessionId> sessions;
    for (std::uint64_t i = 0, count = 1 + random_.below(4); i < count; ++i)
      sessions.push_back(session());
    if (features_.levels && random_.chance(10)) builder_.set_default_level(LevelId::serializable);
    std::set<std::size_t> used;
    for (std::uint64_t i = 0, count = random_.below(12); i < count; ++i) {
      const std::size_t at = random_.below(sessions.size());
      used.insert(at);
      transaction(sessions[at]);
    }
    for (std::size_t i = 0; !features_.empty_sessions && i < sessions.size(); ++i) {
      if (!used.contains(i)) transaction(sessions[i]);
    }
    if (features_.initial_rows && random_.chance(50)) {
      for (std::uint64_t i = 0, count = random_.below(4); i < count; ++i) {
        builder_.set_initial(key(), initial_value());
      }
    }
    return std::move(builder_).finish();
  }

 private:
  ValuePool& values() { return builder_.values(); }

  std::int64_t integer() {
    static constexpr std::array<std::int64_t, 4> extremes = {
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(), -1,
        1'000'000'007};
    if (!features_.negative_integers || random_.chance(90))
      return static_cast<std::int64_t>(random_.below(6));
    return extremes[random_.below(extremes.size())];
  }

  std::string string() {
    static constexpr std::array<std::string_view, 6> tame = {"x",   "y", "acct_7",
                                                             "a-b", "Z", "value"};
    static constexpr std::array<std::string_view, 28> wild = {
        "",         "7", "-7",  "nil", "none", "null", "true",    "false",  "T12", "T-1",
        "T012",     "r", "a b", "a.b", ":k",   "@key", "a\"b\\c", "50%_\\", "\n",  "\x01",
        "\xC3\xA9", "#", "//",  "a|b", "x;y",  "and",  "mod",     "initial"};
    if (!features_.wild_strings || random_.chance(60))
      return std::string(tame[random_.below(tame.size())]);
    if (random_.chance(80)) return std::string(wild[random_.below(wild.size())]);
    std::string text;
    for (std::uint64_t i = 0, count = random_.below(12); i < count; ++i) {
      text.push_back(static_cast<char>(random_.below(0x7F)));
    }
    return text;
  }

  ValueId integer_or_string(bool strings) {
    return strings && random_.chance(50) ? values().string(string()) : values().integer(integer());
  }

  ValueId scalar() {
    if (features_.nil_values && random_.chance(10)) return ValuePool::nil;
    return integer_or_string(features_.string_values);
  }

  ValueId row() {
    std::vector<Column> columns;
    std::set<std::string> names;
    for (std::uint64_t i = 0, count = random_.below(4); i < count; ++i) {
      const std::string name = string();
      // Predicates keep @ for themselves.
      if (name.starts_with('@') || !names.insert(name).second) continue;
      const ValueId value = random_.chance(10) ? ValuePool::nil : scalar();
      columns.push_back({values().string(name), value});
    }
    return values().row(columns);
  }

  /// A register's value: anything but a list.
  ValueId written_value() { return features_.rows && random_.chance(25) ? row() : scalar(); }

  ValueId list() {
    ValueId result = ValuePool::empty_list;
    for (std::uint64_t i = 0, count = random_.below(5); i < count; ++i) {
      result = values().list_with(result, written_value());
    }
    return result;
  }

  ValueId initial_value() {
    return features_.lists && random_.chance(20) ? list() : written_value();
  }

  TableId table() {
    if (!features_.tables || random_.chance(60)) return HistoryBuilder::default_table;
    return builder_.table(string());
  }

  KeyId key_in(TableId table) {
    return builder_.key(integer_or_string(features_.string_keys), table);
  }
  KeyId key() { return key_in(table()); }

  SessionId session() {
    if (random_.chance(40)) return builder_.add_session();
    for (;;) {
      const ValueId name = integer_or_string(features_.string_names);
      const SessionId session = builder_.session(name);
      if (session_names_.insert(name).second) return session;
    }
  }

  std::optional<ValueId> transaction_name() {
    if (random_.chance(40)) return std::nullopt;
    ValueId name = integer_or_string(features_.string_names);
    // A string that is the label of an integer is that integer.
    if (values().kind(name) == ValueKind::string) {
      name = builder_.transaction_name(std::string(values().string_of(name)));
    }
    if (builder_.has_transaction(name)) return std::nullopt;
    return name;
  }

  void transaction(SessionId session) {
    builder_.begin_transaction(session, transaction_name());
    const bool aborted = features_.aborted && random_.chance(15);
    const bool indeterminate = features_.indeterminate && random_.chance(15);
    if (aborted) builder_.set_outcome(Outcome::aborted);
    if (indeterminate) builder_.set_outcome(Outcome::indeterminate);
    if (features_.times && random_.chance(50)) {
      const std::int64_t begin =
          features_.negative_integers ? integer() : static_cast<std::int64_t>(random_.below(1000));
      const std::int64_t length = static_cast<std::int64_t>(random_.below(1000));
      const bool fits = begin <= std::numeric_limits<std::int64_t>::max() - length;
      // The least integer stands for "no time" in the model.
      const bool known = begin != std::numeric_limits<std::int64_t>::min();
      builder_.set_times(
          known && random_.chance(80) ? std::optional(begin) : std::nullopt,
          known && fits && random_.chance(80) ? std::optional(begin + length) : std::nullopt);
    }
    if (features_.stamps && !aborted && !indeterminate && random_.chance(25)) {
      const std::int64_t stamp = features_.negative_integers ? integer() : 7;
      if (stamp != std::numeric_limits<std::int64_t>::min()) builder_.set_commit_stamp(stamp);
    }
    if (features_.levels && random_.chance(40)) {
      builder_.set_level(static_cast<LevelId>(random_.below(level_count)));
    }
    const std::uint64_t least = features_.empty_transactions ? 0 : 1;
    for (std::uint64_t i = 0, count = least + random_.below(5); i < count; ++i) operation();
  }

  void operation() {
    const std::uint64_t choice = random_.below(100);
    if (features_.lists && choice < 20) {
      if (choice < 10) {
        builder_.append(key(), written_value());
      } else {
        builder_.list_read(key(), list());
      }
    } else if (features_.inserts_and_deletes && choice < 35) {
      if (choice < 28) {
        builder_.insert(key(), written_value());
      } else {
        builder_.remove(key());
      }
    } else if (features_.predicates && choice < 55) {
      predicate_operation();
    } else if (features_.updates && choice < 65) {
      update();
    } else if (choice < 75) {
      builder_.write(key(), written_value());
    } else {
      const bool unreported = features_.unreported && random_.chance(10);
      const bool nothing = random_.chance(10);
      builder_.read(key(), unreported ? ValuePool::unreported
                           : nothing  ? ValuePool::nil
                                      : written_value());
    }
  }

  void update() {
    Update update;
    update.function = static_cast<Update::Function>(random_.below(3));
    const bool adds = update.function == Update::Function::add;
    const auto any = [&] { return adds ? values().integer(integer()) : written_value(); };
    update.argument = any();
    if (update.function == Update::Function::compare_and_set) {
      update.replacement = any();
      update.learned = static_cast<Update::Learned>(random_.below(4));
    } else {
      update.learned = random_.chance(70) ? Update::Learned::value : Update::Learned::nothing;
    }
    if (update.learned == Update::Learned::value) update.seen = any();
    if (contradiction_in(update, values()).empty()) builder_.update(key(), update);
  }

  void predicate_operation() {
    const TableId where = table();
    const OperationKind kind =
        random_.chance(70) ? OperationKind::predicate_read : OperationKind::predicate_write;
    const PredicateId predicate = builder_.predicate(this->predicate(3));
    std::vector<RowVersion> rows;
    for (std::uint64_t i = 0, count = random_.below(4); i < count; ++i) {
      const bool deleted = kind == OperationKind::predicate_write && random_.chance(20);
      const ValueId value = deleted ? ValuePool::nil : written_value();
      // A row that a predicate read returns exists.
      if (kind == OperationKind::predicate_read && value == ValuePool::nil) continue;
      rows.push_back({key_in(where), value});
    }
    if (features_.unreported && random_.chance(15)) {
      builder_.add_predicate(kind, where, predicate, std::nullopt);
    } else {
      builder_.add_predicate(kind, where, predicate, rows);
    }
  }

  Constant constant() {
    if (random_.chance(10)) return {};
    if (features_.string_values && random_.chance(40)) return string();
    return integer();
  }

  std::string operand() {
    if (random_.chance(20)) return Predicate::key_operand;
    if (random_.chance(30)) return Predicate::value_operand;
    std::string name = string();
    return name.starts_with('@') ? "v" : name;
  }

  Predicate predicate(int depth) {
    using Kind = Predicate::Kind;
    Predicate result;
    result.kind = static_cast<Kind>(random_.below(static_cast<std::uint64_t>(Kind::negation) + 1));
    const bool inner = result.kind >= Kind::conjunction;
    if (inner && depth == 0) result.kind = Kind::equal;
    if (result.kind == Kind::always) return result;
    if (result.kind >= Kind::conjunction) {
      const std::uint64_t count = result.kind == Kind::negation ? 1 : random_.below(4);
      for (std::uint64_t i = 0; i < count; ++i) result.children.push_back(predicate(depth - 1));
      return result;
    }
    result.operand = operand();
    switch (result.kind) {
      case Kind::between:
        result.constants = {constant(), constant()};
        break;
      case Kind::in:
        for (std::uint64_t i = 0, count = random_.below(4); i < count; ++i)
          result.constants.push_back(constant());
        break;
      case Kind::is_null:
        break;
      case Kind::prefix:
        result.constants = {Constant(string())};
        break;
      case Kind::modulo:
        result.constants = {Constant(std::int64_t{1} + static_cast<std::int64_t>(random_.below(9))),
                            Constant(integer())};
        break;
      default:
        result.constants = {constant()};
        break;
    }
    return result;
  }

  Random random_;
  HistoryFeatures features_;
  HistoryBuilder builder_;
  std::set<ValueId> session_names_;
};

/// The same seed and features always make the same history.
inline History random_history(std::uint64_t seed, const HistoryFeatures& features = {}) {
  return RandomHistory(seed, features).make();
}

}  // namespace isoscope::test
