#include "check/reads/accesses.h"

#include <algorithm>

#include "isoscope/base/contract.h"
#include "isoscope/base/prefetch.h"

namespace isoscope {

std::uint8_t KeyAccesses::flag_of(Access::Kind kind) {
  switch (kind) {
    case Access::Kind::read:
      return 0;
    case Access::Kind::write:
      return written;
    case Access::Kind::append:
      return appended;
  }
  return 0;
}

std::optional<StopReason> KeyAccesses::collect(const History& history, const Limits& limits,
                                               KeyAccesses& into) {
  const auto stopped = [&] { return limits.reached(); };
  into = KeyAccesses();
  into.starts_.assign(history.key_count() + 1, 0);
  into.flags_.assign(history.key_count(), 0);
  for (const TransactionId t : history.transactions()) {
    if (const auto reason = stopped()) return reason;
    // Such a transaction would not fit the 12 bytes of an access (nor most memories).
    if (history.operations(t).size() > Access::max_operations) return StopReason::memory;
    for_each_access(history, t, [&](KeyId key, const Access& access) {
      ++into.starts_[key.index() + 1];
      into.flags_[key.index()] |= flag_of(access.kind());
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
  // Keys are far apart in memory. Their places are prefetched before their transaction's turn, so
  // that they are there when they are needed.
  const auto fetch_places = [&](std::size_t transaction) {
    if (transaction >= history.transaction_count()) return;
    const auto id = TransactionId(static_cast<std::uint32_t>(transaction));
    for (const Operation& operation : history.operations(id)) {
      if (operation.is_predicate()) continue;
      prefetch_to_write(into.accesses_.data() + into.starts_[operation.key().index()]);
    }
  };
  // Placing moves each start to its end; shifting the starts by one key puts them back.
  for (const TransactionId t : history.transactions()) {
    if (const auto reason = stopped()) return reason;
    fetch_places(t.index() + 2);
    for_each_access(history, t, [&](KeyId key, const Access& access) {
      into.accesses_[into.starts_[key.index()]++] = access;
    });
  }
  for (std::size_t key = into.starts_.size() - 1; key > 0; --key)
    into.starts_[key] = into.starts_[key - 1];
  ISOSCOPE_ENSURE(into.starts_.back() == into.accesses_.size());
  ISOSCOPE_ENSURE(std::ranges::is_sorted(into.predicate_users_));
  into.starts_[0] = 0;
  return std::nullopt;
}

bool KeyAccesses::has_lists() const {
  return std::ranges::any_of(flags_,
                             [](std::uint8_t flags) { return use_of(flags) != KeyUse::reg; });
}

void KeyAccesses::forget_rows() {
  ISOSCOPE_REQUIRE(!rows_are_gone_);
  rows_are_gone_ = true;
  accesses_ = {};
}

}  // namespace isoscope
