#include "check/accesses.h"

namespace isoscope {

namespace {

enum KeyFlag : std::uint8_t { appended = 1, written = 2, list_read = 4 };

ValueId without_empty_list(ValueId value) {
  return value == ValuePool::empty_list ? ValuePool::nil : value;
}

/// Calls visit(key, access, flag) for every access of the transaction.
template <class Visit>
void for_each_access(const History& history, TransactionId t, const Visit& visit) {
  const bool reads_count = history.outcome(t) != Outcome::aborted;
  const std::span<const Operation> operations = history.operations(t);
  const auto read = [&](KeyId key, std::uint32_t at, ValueId value) {
    if (!reads_count || value == ValuePool::unreported) return;
    visit(key, Access(Access::Kind::read, {t, at}, without_empty_list(value)), 0);
  };
  const auto write = [&](KeyId key, std::uint32_t at, ValueId value) {
    visit(key, Access(Access::Kind::write, {t, at}, without_empty_list(value)), written);
  };
  for (std::uint32_t at = 0; at < operations.size(); ++at) {
    const Operation& operation = operations[at];
    switch (operation.kind()) {
      case OperationKind::read:
      case OperationKind::list_read:
        read(operation.key(), at, operation.value());
        break;
      case OperationKind::write:
      case OperationKind::insert:
      case OperationKind::remove:
        write(operation.key(), at, operation.value());
        break;
      case OperationKind::append:
        visit(operation.key(), Access(Access::Kind::append, {t, at}, operation.value()), appended);
        break;
      case OperationKind::predicate_read:
        for (const RowVersion& row : history.predicate_access(operation).rows)
          read(row.key, at, row.value);
        break;
      case OperationKind::predicate_write:
        for (const RowVersion& row : history.predicate_access(operation).rows)
          write(row.key, at, row.value);
        break;
    }
  }
}

}  // namespace

std::optional<StopReason> KeyAccesses::collect(const History& history, const Limits* limits,
                                               KeyAccesses& into) {
  const auto stopped = [&] { return limits == nullptr ? std::nullopt : limits->reached(); };
  into = KeyAccesses();
  into.starts_.assign(history.key_count() + 1, 0);
  into.flags_.assign(history.key_count(), 0);
  for (const TransactionId t : history.transactions()) {
    if (const auto reason = stopped()) return reason;
    // Such a transaction would not fit the 12 bytes of an access (nor most memories).
    if (history.operations(t).size() > Access::max_operations) return StopReason::memory;
    for_each_access(history, t, [&](KeyId key, const Access& access, int flag) {
      ++into.starts_[key.index() + 1];
      into.flags_[key.index()] |= static_cast<std::uint8_t>(flag);
      if (!access.is_read() && access.value == ValuePool::unreported) {
        into.unreported_.push_back({false, key.value, access.ref()});
      }
    });
    bool uses_predicates = false;
    for (const Operation& operation : history.operations(t)) {
      // Also a list read that says nothing says that the key holds lists.
      if (operation.kind() == OperationKind::list_read)
        into.flags_[operation.key().index()] |= list_read;
      if (!operation.is_predicate()) continue;
      const PredicateAccess access = history.predicate_access(operation);
      const auto at = static_cast<std::uint32_t>(&operation - history.operations(t).data());
      uses_predicates |= access.reported;
      if (operation.kind() == OperationKind::predicate_write && !access.reported) {
        into.unreported_.push_back({true, access.table.value, {t, at}});
      }
    }
    if (uses_predicates && history.outcome(t) != Outcome::aborted)
      into.predicate_users_.push_back(t);
  }
  for (std::size_t key = 1; key < into.starts_.size(); ++key)
    into.starts_[key] += into.starts_[key - 1];
  into.accesses_.resize(into.starts_.back());
  // Placing moves each start to its end; shifting the starts by one key puts them back.
  for (const TransactionId t : history.transactions()) {
    if (const auto reason = stopped()) return reason;
    for_each_access(history, t, [&](KeyId key, const Access& access, int) {
      into.accesses_[into.starts_[key.index()]++] = access;
    });
  }
  for (std::size_t key = into.starts_.size() - 1; key > 0; --key)
    into.starts_[key] = into.starts_[key - 1];
  into.starts_[0] = 0;
  return std::nullopt;
}

KeyUse KeyAccesses::use(KeyId key) const {
  const std::uint8_t flags = flags_[key.index()];
  if ((flags & appended) != 0) return (flags & written) != 0 ? KeyUse::both : KeyUse::list;
  return (flags & list_read) != 0 && (flags & written) == 0 ? KeyUse::list : KeyUse::reg;
}

}  // namespace isoscope
