#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "certificate/key_order.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/sha256.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope {

namespace {

/// Writes a history as bytes from which it could be read again, and hashes them.
///
/// Ids of keys and values depend on how the file was read, so they are not written. A key, a value
/// or a predicate is written in full where it comes up first, and from then on by the number of its
/// first appearance: the same bytes for equal histories, a few for an operation, and nothing twice
/// for lists, which are written as their prefix and one element more.
class Digest {
 public:
  explicit Digest(const History& history)
      : history_(history),
        value_numbers_(history.values().size(), 0),
        key_numbers_(history.key_count(), 0) {
    bytes_ = "isoscope-history 1\n";
    if (history.values().has_integers_of_rows()) find_equal_integers();
  }

  std::string run() && {
    number(history_.transaction_count());
    for (const TransactionId t : history_.transactions()) transaction(t);
    initial_values();
    commit_stamps();
    updates();
    recorded_levels();
    hash_.add(bytes_);
    std::string hex = hash_.hex();
    ISOSCOPE_ENSURE(hex.size() == 64);  // or no certificate with it could be read again
    return hex;
  }

 private:
  /// Equal values have the same id, except for integers in rows.
  void find_equal_integers() {
    const ValuePool& values = history_.values();
    std::vector<std::pair<std::int64_t, ValueId>> integers;
    for (std::size_t id = 0; id < values.size(); ++id) {
      if (values.kind(ValueId(id)) != ValueKind::integer) continue;
      integers.emplace_back(values.integer_of(ValueId(id)), id);
    }
    std::ranges::sort(integers);
    first_equal_.resize(values.size());
    for (std::size_t i = 0; i < integers.size(); ++i) {
      const auto [integer, id] = integers[i];
      const bool again = i > 0 && integers[i - 1].first == integer;
      first_equal_[id.index()] = again ? first_equal_[integers[i - 1].second.index()] : id;
    }
  }

  void byte(unsigned value) { bytes_.push_back(static_cast<char>(value)); }

  /// Writes seven bits in each byte, and marks the last byte.
  void number(std::uint64_t value) {
    for (; value >= 128; value >>= 7) byte(value & 127);
    byte(static_cast<unsigned>(value) | 128);
  }

  void text(std::string_view text) {
    number(text.size());
    bytes_.append(text);
  }

  void integer(std::int64_t value) { number(static_cast<std::uint64_t>(value)); }

  /// Writes its number, from 1 on, or 0; after 0 its content has to follow.
  bool is_new(std::vector<std::uint32_t>& numbers, std::uint32_t& count, std::size_t index) {
    if (numbers.size() <= index) numbers.resize(index + 1, 0);
    std::uint32_t& its = numbers[index];
    number(its);
    if (its != 0) return false;
    its = ++count;
    return true;
  }

  void value(ValueId value) {
    const ValuePool& values = history_.values();
    if (values.kind(value) == ValueKind::list) return list(value);
    const bool is_integer = values.kind(value) == ValueKind::integer;
    if (is_integer && !first_equal_.empty()) value = first_equal_[value.index()];
    if (!is_new(value_numbers_, values_, value.index())) return;
    content(value);
  }

  void content(ValueId of) {
    const ValuePool& values = history_.values();
    ISOSCOPE_REQUIRE(values.kind(of) != ValueKind::list);  // written by its prefix
    byte(static_cast<unsigned>(values.kind(of)));
    if (values.kind(of) == ValueKind::integer) integer(values.integer_of(of));
    if (values.kind(of) == ValueKind::string) text(values.string_of(of));
    if (values.kind(of) != ValueKind::row) return;
    number(values.row_of(of).size());
    for (const Column& column : values.row_of(of)) {  // sorted by name
      value(column.name);
      value(column.value);
    }
  }

  /// The elements after the longest prefix that was written before; long lists forbid recursion.
  void list(ValueId list) {
    const ValuePool& values = history_.values();
    std::vector<ValueId> longer;
    while (list != ValuePool::empty_list && value_numbers_[list.index()] == 0) {
      longer.push_back(list);
      list = values.list_prefix(list);
    }
    const std::uint32_t written = value_numbers_[list.index()];  // of the empty one: 0
    if (longer.empty() && written != 0) return number(written);
    number(0);
    byte(static_cast<unsigned>(ValueKind::list));
    number(written);
    number(longer.size());
    for (; !longer.empty(); longer.pop_back()) {
      value(values.list_last(longer.back()));
      // Its elements are smaller than the list, so that none of them is the list.
      ISOSCOPE_ENSURE(value_numbers_[longer.back().index()] == 0);
      value_numbers_[longer.back().index()] = ++values_;
    }
  }

  void key(KeyId key) {
    if (!is_new(key_numbers_, keys_, key.index())) return;
    text(history_.table_name(history_.key_table(key)));
    value(history_.key_name(key));
  }

  void constant(const Constant& constant) {
    byte(static_cast<unsigned>(constant.index()));
    if (const auto* known = std::get_if<std::int64_t>(&constant)) integer(*known);
    if (const auto* known = std::get_if<std::string>(&constant)) text(*known);
  }

  void condition(const Predicate& predicate) {
    byte(static_cast<unsigned>(predicate.kind));
    text(predicate.operand);
    number(predicate.constants.size());
    for (const Constant& one : predicate.constants) constant(one);
    number(predicate.children.size());
    for (const Predicate& child : predicate.children) condition(child);
  }

  void operation(const Operation& operation) {
    byte(static_cast<unsigned>(operation.kind()));
    if (!operation.is_predicate()) {
      key(operation.key());
      value(operation.value());
      return;
    }
    const PredicateAccess access = history_.predicate_access(operation);
    text(history_.table_name(access.table));
    if (is_new(predicate_numbers_, predicates_, access.predicate.index())) {
      condition(history_.predicate(access.predicate));
    }
    byte(access.reported ? 1 : 0);
    number(access.rows.size());
    for (const RowVersion& row : access.rows) {
      key(row.key);
      value(row.value);
    }
  }

  void time(std::optional<std::int64_t> time) {
    byte(time ? 1 : 0);
    if (time) integer(*time);
  }

  /// Adds the stamps of the transactions that have one. A history without stamps keeps the digest
  /// that it had before there were any.
  void commit_stamps() {
    if (!history_.has_commit_stamps()) return;
    text("commit stamps");
    for (const TransactionId t : history_.transactions()) time(history_.commit_stamp(t));
  }

  /// Adds which operations are updates. A history without updates keeps its digest, too.
  void updates() {
    if (!history_.has_updates()) return;
    text("updates");
    number(history_.updates().size());
    for (const Update& update : history_.updates()) {
      number(update.first_operation);
      byte(static_cast<unsigned>(update.function));
      byte(static_cast<unsigned>(update.learned));
      value(update.argument);
      value(update.replacement);
      value(update.seen);
    }
  }

  /// Adds the name of each transaction's level, likewise.
  void recorded_levels() {
    if (!history_.has_recorded_levels()) return;
    text("levels");
    for (const TransactionId t : history_.transactions()) {
      const auto level = history_.recorded_level(t);
      text(level ? name_of(*level) : std::string_view());
    }
  }

  void transaction(TransactionId t) {
    value(history_.session_name(history_.session_of(t)));
    value(history_.name(t));
    byte(static_cast<unsigned>(history_.outcome(t)));
    time(history_.begin_time(t));
    time(history_.end_time(t));
    number(history_.operations(t).size());
    for (const Operation& one : history_.operations(t)) operation(one);
    if (bytes_.size() < flush_size) return;
    hash_.add(bytes_);
    bytes_.clear();
  }

  void initial(std::optional<ValueId> initial) {
    byte(initial ? 1 : 0);
    if (initial) value(*initial);
  }

  /// Writes the default, then the keys that have another initial value and that operations use, in
  /// the order of their numbers, and then the other keys that are listed, sorted.
  void initial_values() {
    initial(history_.initial_default());
    std::vector<KeyId> listed;
    for (const RowVersion& row : history_.initial_rows()) listed.push_back(row.key);
    std::ranges::sort(listed);
    listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
    std::erase_if(listed, [&](KeyId key) {
      return key_numbers_[key.index()] != 0 &&
             history_.initial_value(key) == history_.initial_default();
    });
    std::ranges::sort(listed, [&](KeyId a, KeyId b) {
      const std::uint32_t number_a = key_numbers_[a.index()] - 1;  // not used: the largest
      const std::uint32_t number_b = key_numbers_[b.index()] - 1;
      if (number_a != number_b) return number_a < number_b;
      return key_before(history_, a, b);
    });
    number(listed.size());
    for (const KeyId one : listed) {
      key(one);
      initial(history_.initial_value(one));
    }
  }

  static constexpr std::size_t flush_size = std::size_t{1} << 16;

  const History& history_;
  Sha256 hash_;
  std::string bytes_;  // not hashed yet
  // Numbers of first appearance, by id; 0: not seen.
  std::vector<std::uint32_t> value_numbers_;
  std::vector<ValueId> first_equal_;  // of integers, by id; empty where all differ
  std::vector<std::uint32_t> key_numbers_;
  std::vector<std::uint32_t> predicate_numbers_;
  std::uint32_t values_ = 0;
  std::uint32_t keys_ = 0;
  std::uint32_t predicates_ = 0;
};

}  // namespace

std::string digest(const History& history) { return Digest(history).run(); }

}  // namespace isoscope
