#include <algorithm>
#include <optional>
#include <utility>

#include "check/strong/problem/chain_cover.h"
#include "check/weak/known_sources.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/open_table.h"
#include "isoscope/base/prefetch.h"

namespace isoscope::weak {

namespace {

constexpr Txn nobody = 0;
constexpr Txn overwritten = open_source;  // its writer wrote the key once more
constexpr Txn ahead = 3;                  // how many transactions ahead to prefetch

bool is_write(OperationKind kind) {
  return kind == OperationKind::write || kind == OperationKind::insert;
}

/// Whether the operation says which register it is about and what that held.
bool is_plain(const Operation& operation) {
  const OperationKind kind = operation.kind();
  if (kind != OperationKind::read && !is_write(kind)) return false;
  const ValueId value = operation.value();
  if (value == ValuePool::unreported || value == ValuePool::empty_list) return false;
  return value != ValuePool::nil || kind == OperationKind::read;
}

}  // namespace

/// Fills a KnownSources in two walks over the operations: one that notes who left which value, and
/// one that looks the reads up.
///
///   T1 w(x,1) | T2 r(x,1) w(y,2)                  plain
///   T1 w(x,1) | T2 w(x,1)                         not plain: the value does not say who wrote it
///   T1 w(x,1) w(x,2) | T2 r(x,1)                  not plain: the first pass has to judge the read
///
/// Anything that is not plain ends it, so all that it accepts is what the first pass has no finding
/// about, and reads have one source each.
class PlainSourcesBuilder {
 public:
  PlainSourcesBuilder(KnownSources& into, const CheckOptions& options)
      : into_(into), history_(into.history_), limits_(options.limits.get()) {
    if (history_.initial_rows().empty()) initial_default_ = initial_of(history_.initial_default());
  }

  bool run(const strong::SessionRule& rule) {
    const std::optional<std::vector<std::uint8_t>> committed = find_committed();
    if (!committed) return false;
    into_.number_transactions(strong::session_chains(history_, *committed, rule));
    into_.certain_.assign(into_.size(), 1);
    latest_.assign(history_.key_count(), {});
    left_by_.assign(history_.values().size(), {});
    for (const TransactionId t : history_.transactions()) {
      if (!note_writes(t)) return false;
    }
    into_.reads_.reserve(history_.operation_count() - writes_ - operations_left_out_);
    into_.written_.reserve(writes_);
    into_.read_starts_.reserve(into_.size() + 1);
    into_.write_starts_.reserve(into_.size() + 1);
    latest_.assign(history_.key_count(), {});
    for (Txn t = 1; t < into_.size(); ++t) {
      if (!look_up_reads(t)) return false;
    }
    ISOSCOPE_ENSURE(into_.read_starts_.size() == into_.size() + 1);
    ISOSCOPE_ENSURE(into_.written_.size() == writes_);  // both walks saw the same
    return true;
  }

 private:
  /// The transaction that left a value, and the key at which it did.
  struct Left {
    Txn writer = nobody;
    KeyId key = {};
  };
  /// What the latest transaction that used a key did to it.
  struct Latest {
    Txn by = nobody;
    ValueId value = {};
    bool wrote = false;
  };

  static ValueId initial_of(std::optional<ValueId> value) {
    return value ? register_value(*value) : ValuePool::unreported;
  }
  /// What the key holds before all transactions; `unreported`, which no plain read has, if that is
  /// not known.
  ValueId initial_value(KeyId key) const {
    return initial_default_ ? *initial_default_ : initial_of(history_.initial_value(key));
  }

  /// By TransactionId; nothing if the outcome of a transaction is not known.
  std::optional<std::vector<std::uint8_t>> find_committed() const {
    std::vector<std::uint8_t> committed(history_.transaction_count(), 0);
    for (const TransactionId t : history_.transactions()) {
      if (history_.outcome(t) == Outcome::indeterminate) return std::nullopt;
      committed[t.index()] = history_.outcome(t) == Outcome::committed ? 1 : 0;
    }
    return committed;
  }

  bool note_writes(TransactionId id) {
    if (limits_.reached()) return false;
    const std::span<const Operation> operations = history_.operations(id);
    const Txn t = into_.numbers_[id.index()];
    if (t == open_source) {
      // It aborted: whoever read from it will not find it.
      operations_left_out_ += operations.size();
      return std::ranges::all_of(operations, is_plain);
    }
    for (const Operation& operation : operations) {
      if (!is_plain(operation)) return false;
      if (operation.kind() == OperationKind::read) continue;
      const KeyId key = operation.key();
      if (operation.value() == initial_value(key) || !note(t, key, operation.value())) return false;
      Latest& latest = latest_[key.index()];
      if (latest.by == t) {
        Txn* const noted = find(key, latest.value);
        ISOSCOPE_ENSURE(noted != nullptr);
        *noted = overwritten;
      } else {
        ++writes_;
      }
      latest = {t, operation.value(), true};
    }
    return true;
  }

  /// False if somebody has written this before.
  bool note(Txn t, KeyId key, ValueId value) {
    Left& first = left_by_[value.index()];
    if (first.writer == nobody) {
      first = {t, key};
      return true;
    }
    Txn& writer = first.key == key ? first.writer : left_at_others_[name_of(key, value)];
    return std::exchange(writer, t) == nobody;
  }

  /// The place where the writer of the value stands; null if nobody wrote it.
  Txn* find(KeyId key, ValueId value) {
    Left& first = left_by_[value.index()];
    if (first.writer == nobody) return nullptr;
    return first.key == key ? &first.writer : left_at_others_.find(name_of(key, value));
  }

  static std::uint64_t name_of(KeyId key, ValueId value) {
    return std::uint64_t{key.value} << 32 | value.value;
  }

  bool look_up_reads(Txn t) {
    if (limits_.reached()) return false;
    fetch_ahead(t);
    const std::span<const Operation> operations = history_.operations(into_.id(t));
    for (const Operation& operation : operations) {
      if (is_write(operation.kind())) {
        add_write(t, operation);
      } else if (!add_read(t, operation)) {
        return false;
      }
    }
    std::sort(into_.written_.begin() + into_.write_starts_.back(), into_.written_.end());
    into_.read_starts_.push_back(static_cast<std::uint32_t>(into_.reads_.size()));
    into_.write_starts_.push_back(static_cast<std::uint32_t>(into_.written_.size()));
    return true;
  }

  /// What was read is far apart in memory, and so are the operations of transactions that took
  /// turns.
  void fetch_ahead(Txn t) const {
    if (t + 2 * ahead < into_.size()) {
      const auto later = history_.operations(into_.id(t + 2 * ahead));
      for (std::size_t i = 0; i < later.size(); i += 8) prefetch(&later[i]);
    }
    if (t + ahead < into_.size()) {
      for (const Operation& operation : history_.operations(into_.id(t + ahead))) {
        if (!is_write(operation.kind())) prefetch(&left_by_[operation.value().index()]);
      }
    }
  }

  void add_write(Txn t, const Operation& operation) {
    Latest& latest = latest_[operation.key().index()];
    if (latest.by != t || !latest.wrote) into_.written_.push_back(operation.key());
    latest = {t, operation.value(), true};
  }

  /// False if the read is for the first pass to judge.
  bool add_read(Txn t, const Operation& operation) {
    const KeyId key = operation.key();
    const ValueId value = operation.value();
    Latest& latest = latest_[key.index()];
    if (latest.by == t) {
      if (latest.value != value) return false;
      if (latest.wrote) return true;
    } else {
      latest = {t, value, false};
    }
    const Txn* const writer = find(key, value);
    if (writer == nullptr && value != initial_value(key)) return false;
    const Txn source = writer == nullptr ? 0 : *writer;
    if (source == overwritten || source == t) return false;
    into_.reads_.push_back({key, source});
    return true;
  }

  KnownSources& into_;
  const History& history_;
  const Limits& limits_;
  std::optional<ValueId> initial_default_;  // of all keys, if they have the same one
  std::size_t writes_ = 0;                  // of different keys by a transaction
  std::size_t operations_left_out_ = 0;
  std::vector<Latest> latest_;                                   // by key
  std::vector<Left> left_by_;                                    // by value: at the first key
  OpenTable<std::uint64_t, UINT64_MAX, Txn> left_at_others_{4};  // by name_of
};

std::unique_ptr<KnownSources> KnownSources::if_plain(const History& history, bool session_order,
                                                     const CheckOptions& options) {
  std::unique_ptr<KnownSources> result(new KnownSources(history));
  const strong::SessionRule rule{session_order, indeterminate_cuts(history, options)};
  if (!PlainSourcesBuilder(*result, options).run(rule)) result.reset();
  return result;
}

}  // namespace isoscope::weak
