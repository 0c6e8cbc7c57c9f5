// Histories as structures.
//
// A structure keeps what other transactions can notice of a transaction: its external reads (those
// not preceded by an own write of the key) and its last write of each key. Example:
//
//   a: T1 w(x,1) w(x,2) r(x,2)  |  b: T2 r(x,2) r(y,nil)
//
// T1 writes x; T2 reads x from T1 and y from the initial transaction, and saw T1 before it read y.
//
// Lists are not translated, although a list read has a writer, that of the last element. The lists
// that were read also tell in which order the versions came, and the language has no word for what
// is known of that order. Leaving it out would allow histories that are forbidden.

#include <map>
#include <utility>

#include "isoscope/history/litmus_text.h"
#include "isoscope/spec/structure.h"

namespace isoscope::spec {
namespace {

constexpr std::size_t most_transactions = 63;
constexpr std::size_t most_keys = 64;

class Translation {
 public:
  explicit Translation(const History& history) : history_(history) {}

  Result<Structure> run() {
    ISOSCOPE_TRY_STATUS(choose_transactions());
    for (std::size_t t = 1; t < result_.transactions; ++t) ISOSCOPE_TRY_STATUS(add_writes(t));
    for (std::size_t t = 1; t < result_.transactions; ++t) ISOSCOPE_TRY_STATUS(add_reads(t));
    add_session_order();
    add_real_time();
    return std::move(result_);
  }

 private:
  TransactionId id(std::size_t t) const { return ids_[t - 1]; }

  Error error(std::size_t t, const Operation& operation, std::string_view what) const {
    return Error{operation_text(history_, operation) + " of " + history_.label(id(t)) + " " +
                 std::string(what)};
  }

  Status choose_transactions() {
    if (history_.has_updates()) {
      return Error{update_text(history_, history_.updates().front()) +
                   " is an update, of which level texts do not speak"};
    }
    for (const TransactionId t : history_.transactions()) {
      if (history_.outcome(t) == Outcome::indeterminate) {
        return Error{"level texts cannot judge histories with indeterminate transactions; " +
                     history_.label(t) + " is one"};
      }
      if (history_.outcome(t) == Outcome::committed) ids_.push_back(t);
    }
    if (ids_.size() > most_transactions || history_.key_count() > most_keys) {
      return Error{
          "level texts can judge at most 63 committed transactions and 64 keys; there are " +
          std::to_string(ids_.size()) + " and " + std::to_string(history_.key_count())};
    }
    result_ = empty_structure(ids_.size(), history_.key_count());
    for (std::size_t t = 1; t < result_.transactions; ++t) {
      result_.transaction_names[t] = history_.label(id(t));
    }
    for (const KeyId key : history_.keys()) {
      result_.key_names[key.index()] = key_text(history_, key);
    }
    return Done{};
  }

  Status add_writes(std::size_t t) {
    std::map<KeyId, ValueId> last;
    for (const Operation& operation : history_.operations(id(t))) {
      if (operation.is_predicate()) {
        return error(t, operation, "is on a predicate, of which level texts do not speak");
      }
      if (operation.kind() == OperationKind::append ||
          operation.kind() == OperationKind::list_read) {
        return error(t, operation, "is on a list, of which level texts do not speak");
      }
      if (!operation.is_item_write()) continue;
      if (operation.value() == ValuePool::unreported) {
        return error(t, operation, "may be what any read returned: its value is not known");
      }
      last[operation.key()] = operation.value();
    }
    for (const auto& [key, value] : last) {
      result_.writes.add(t, key.index());
      writers_[{key, value}].push_back(t);
    }
    return Done{};
  }

  Status add_reads(std::size_t t) {
    std::map<KeyId, ValueId> own;
    std::vector<std::pair<std::size_t, std::size_t>>
        before;  // keys, and the writers they were read from
    for (const Operation& operation : history_.operations(id(t))) {
      const KeyId key = operation.key();
      if (operation.is_item_write()) {
        own[key] = operation.value();
        continue;
      }
      if (operation.value() == ValuePool::unreported) continue;
      if (const auto at = own.find(key); at != own.end()) {
        if (at->second == operation.value()) continue;
        return error(t, operation, "does not return what it wrote itself");
      }
      ISOSCOPE_TRY(writer, writer_of(t, operation));
      result_.wr[key.index()].add(writer, t);
      for (const auto& [other, seen] : before) {
        if (other != key.index()) result_.seen_before[key.index()].add(seen, t);
      }
      before.emplace_back(key.index(), writer);
    }
    return Done{};
  }

  Result<std::size_t> writer_of(std::size_t reader, const Operation& read) const {
    std::vector<std::size_t> writers;
    if (history_.initial_value(read.key()) == read.value()) writers.push_back(0);
    if (const auto at = writers_.find({read.key(), read.value()}); at != writers_.end()) {
      for (const std::size_t t : at->second) {
        if (t != reader) writers.push_back(t);
      }
    }
    if (writers.empty()) {
      return error(reader, read, "returns what no other committed transaction left there");
    }
    if (writers.size() > 1) {
      return error(reader, read,
                   "may be of " + result_.transaction_names[writers[0]] + " or " +
                       result_.transaction_names[writers[1]] +
                       ": level texts need different values");
    }
    return writers[0];
  }

  void add_session_order() {
    for (std::size_t t = 1; t < result_.transactions; ++t) {
      for (std::size_t s = t + 1; s < result_.transactions; ++s) {
        // A builder gets the transactions of a session in their order, and numbers them so.
        if (history_.session_of(id(t)) == history_.session_of(id(s))) result_.so.add(t, s);
      }
    }
  }

  void add_real_time() {
    for (std::size_t t = 1; t < result_.transactions; ++t) {
      const auto end = history_.end_time(id(t));
      for (std::size_t s = 1; end && s < result_.transactions; ++s) {
        const auto begin = history_.begin_time(id(s));
        if (begin && *end < *begin) result_.rt.add(t, s);
      }
    }
  }

  const History& history_;
  std::vector<TransactionId> ids_;  // of transactions 1, 2, ...
  std::map<std::pair<KeyId, ValueId>, std::vector<std::size_t>> writers_;
  Structure result_;
};

}  // namespace

Result<Structure> structure_of(const History& history) { return Translation(history).run(); }

}  // namespace isoscope::spec
