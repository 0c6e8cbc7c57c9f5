#include <algorithm>
#include <optional>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/history/history_builder.h"

/// Updates as the operations that they amount to.
///
/// The base of an addition that comes to its own amount is 0 or nil. Which of the two is clear only
/// when the whole history is there:
///
///   add(x,5,5), and x starts as nil      r(x,nil) w(x,5), if nobody ever wrote 0
///   initial 0 / add(x,5,5)               r(x,0) w(x,5), if nobody ever deleted x
///   w(x,0) add(x,5,5)                    r(x,0) w(x,5), since it is the own write
///
/// Where both were there at some time the read says nothing, and what is undecided because of that
/// is unknown.

namespace isoscope {

namespace {

/// What a key ever held, as far as this matters.
struct HeldNothing {
  bool nil = false;
  bool zero = false;
};

bool is_zero(const ValuePool& values, ValueId value) {
  return values.kind(value) == ValueKind::integer && values.integer_of(value) == 0;
}

bool comes_to_its_amount(const Update& update, const ValuePool& values) {
  return update.function == Update::Function::add && update.has_read() &&
         values.integer_of(update.seen) == values.integer_of(update.argument);
}

}  // namespace

void HistoryBuilder::update(KeyId key, Update update) {
  ISOSCOPE_REQUIRE(contradiction_in(update, values()).empty());
  if (update.has_read()) {
    const bool is_open = comes_to_its_amount(update, values());
    read(key, is_open ? ValuePool::unreported : base_of(update, values()));
  }
  if (update.has_write()) {
    ValueId written = ValuePool::unreported;
    if (update.function == Update::Function::swap) written = update.argument;
    if (update.learned == Update::Learned::done) written = update.replacement;
    if (update.function == Update::Function::add && update.has_read()) written = update.seen;
    write(key, written);
  }
  note_update(update);
}

void HistoryBuilder::note_update(Update update) {
  ISOSCOPE_REQUIRE(history_.operations_.size() >= update.operation_count());
  update.first_operation =
      static_cast<std::uint32_t>(history_.operations_.size()) - update.operation_count();
  ISOSCOPE_REQUIRE(history_.updates_.empty() ||
                   history_.updates_.back().first_operation < update.first_operation);
  history_.updates_.push_back(update);
}

/// What the transaction itself left at the key before the operation, if it wrote there.
std::optional<ValueId> HistoryBuilder::own_write_before(std::uint32_t at) const {
  const KeyId key = history_.operations_[at].key();
  const auto next = std::ranges::upper_bound(history_.transactions_, at, {},
                                             &History::Transaction::first_operation);
  ISOSCOPE_REQUIRE(next != history_.transactions_.begin());
  for (std::uint32_t i = at; i > (next - 1)->first_operation; --i) {
    const Operation& before = history_.operations_[i - 1];
    if (!before.is_predicate()) {
      if (before.is_item_write() && before.key() == key) return before.value();
      continue;
    }
    if (before.kind() != OperationKind::predicate_write) continue;
    const PredicateAccess access = history_.predicate_access(before);
    if (!access.reported && access.table == key_table(key)) return ValuePool::unreported;
    const auto row = std::ranges::find(access.rows, key, &RowVersion::key);
    if (row != access.rows.end()) return row->value;
  }
  return std::nullopt;
}

void HistoryBuilder::find_bases_of_zero() {
  std::vector<std::uint32_t> open;
  for (const Update& update : history_.updates_) {
    if (comes_to_its_amount(update, values())) open.push_back(update.first_operation);
  }
  if (open.empty()) return;
  std::vector<HeldNothing> held(history_.keys_.size());
  const auto note = [&](KeyId key, ValueId value) {
    held[key.index()].nil |= value == ValuePool::nil;
    held[key.index()].zero |= is_zero(values(), value);
  };
  for (const KeyId key : history_.keys()) {
    if (const auto initial = history_.initial_value(key)) note(key, *initial);
  }
  for (const Operation& operation : history_.operations_) {
    if (!operation.is_predicate() && operation.is_item_write()) {
      note(operation.key(), operation.value());
    }
  }
  for (const RowVersion& row : history_.rows_) note(row.key, row.value);
  for (const std::uint32_t at : open) {
    const KeyId key = history_.operations_[at].key();
    const HeldNothing its = held[key.index()];
    ValueId base = values().integer(0);
    if (its.nil) base = its.zero ? ValuePool::unreported : ValuePool::nil;
    if (const auto own = own_write_before(at)) {
      const bool fits = *own == ValuePool::nil || *own == ValuePool::unreported;
      base = fits ? *own : values().integer(0);
    }
    history_.operations_[at] = Operation::item(OperationKind::read, key, base);
  }
}

}  // namespace isoscope
