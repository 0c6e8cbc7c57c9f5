#include <algorithm>

#include "shrink/part_history.h"

namespace isoscope::shrinking {

namespace {

bool is_listed(const PredicateAccess& access, KeyId key) {
  return std::ranges::find(access.rows, key, &RowVersion::key) != access.rows.end();
}

}  // namespace

PartMaker::PartMaker(const History& history)
    : history_(history), needs_(history), next_cut_(history.transaction_count()) {
  for (const SessionId session : history.sessions()) {
    const std::span<const TransactionId> all = history.session(session);
    std::optional<TransactionId> cut;
    for (std::size_t i = all.size(); i > 0; --i) {
      next_cut_[all[i - 1].index()] = cut;
      if (history.outcome(all[i - 1]) == Outcome::indeterminate) cut = all[i - 1];
    }
  }
}

Part PartMaker::sound(Part part) const {
  const Part before = part;  // reads depend on writes only, and these stay
  for (KeptTransaction& kept : part) {
    const bool reads_count = history_.outcome(kept.id) != Outcome::aborted;
    const auto operations = history_.operations(kept.id);
    const auto is_lost = [&](std::uint32_t place, KeyId key) {
      return !reads_count || !needs_.is_met(before, kept.id, place, key);
    };
    std::erase_if(kept.operations, [&](KeptOperation& one) {
      const Operation& operation = operations[one.place];
      if (operation.is_item_write()) return false;
      if (operation.is_item_read()) return is_lost(one.place, operation.key());
      std::erase_if(one.looked, [&](KeyId key) { return is_lost(one.place, key); });
      return false;
    });
  }
  forget_unsayable(part);
  const Keys named = named_keys(part);
  for (KeptTransaction& kept : part) {
    std::erase_if(kept.operations, [&](KeptOperation& one) {
      const Operation& operation = history_.operations(kept.id)[one.place];
      if (!operation.is_predicate()) return false;
      std::erase_if(one.looked, [&](KeyId key) { return !named.contains(key); });
      const bool writes_unreported = operation.kind() == OperationKind::predicate_write &&
                                     !history_.predicate_access(operation).reported;
      return one.looked.empty() && one.written.empty() && !writes_unreported;
    });
  }
  return part;
}

/// A predicate operation that no longer says what it saw of a key is narrowed to others. If its
/// transaction has yet to write the key that is not the same as saying nothing, and it goes.
void PartMaker::forget_unsayable(Part& part) const {
  const Keys named = named_keys(part);
  for (KeptTransaction& kept : part) {
    Keys written_before;
    Keys written_later;
    const auto written_at = [&](const KeptOperation& one, Keys& into) {
      const Operation& operation = history_.operations(kept.id)[one.place];
      if (operation.is_item_write()) into.insert(operation.key());
      into.insert(one.written.begin(), one.written.end());
    };
    for (std::size_t i = 0; i < kept.operations.size(); ++i) {
      KeptOperation& one = kept.operations[i];
      const Operation& operation = history_.operations(kept.id)[one.place];
      if (!one.looked.empty()) {
        const TableId table = history_.predicate_access(operation).table;
        written_later.clear();
        for (std::size_t j = i; j < kept.operations.size(); ++j) {
          written_at(kept.operations[j], written_later);
        }
        const bool unsayable = std::ranges::any_of(written_later, [&](KeyId key) {
          return history_.key_table(key) == table && named.contains(key) &&
                 !written_before.contains(key) && !std::ranges::binary_search(one.looked, key);
        });
        if (unsayable) one.looked.clear();
      }
      written_at(one, written_before);
    }
  }
}

PartMaker::Keys PartMaker::named_keys(const Part& part) const {
  Keys named;
  for (const KeptTransaction& kept : part) {
    for (const KeptOperation& one : kept.operations) {
      const Operation& operation = history_.operations(kept.id)[one.place];
      if (!operation.is_predicate()) {
        named.insert(operation.key());
        continue;
      }
      named.insert(one.written.begin(), one.written.end());
      const PredicateAccess access = history_.predicate_access(operation);
      for (const KeyId key : one.looked) {
        if (is_listed(access, key) || misses_initial_row(access, key)) named.insert(key);
      }
    }
  }
  return named;
}

bool PartMaker::misses_initial_row(const PredicateAccess& access, KeyId key) const {
  const auto initial = history_.initial_value(key);
  if (!initial || is_listed(access, key)) return false;
  const bool is_list = history_.values().kind(*initial) == ValueKind::list;
  if (needs_.index().use(key) == KeyUse::list && !is_list) return false;
  return *initial != ValuePool::empty_list &&
         needs_.selects(history_.predicate(access.predicate), key, *initial);
}

Part PartMaker::with_session_cuts(const Part& part) const {
  Part result = part;
  std::vector<std::optional<TransactionId>> latest(history_.session_count());
  for (const KeptTransaction& kept : part) {
    std::optional<TransactionId>& before = latest[history_.session_of(kept.id).index()];
    if (before && history_.outcome(*before) != Outcome::indeterminate) {
      const auto cut = next_cut_[before->index()];
      if (cut && *cut < kept.id) result.push_back({*cut, {}});
    }
    before = kept.id;
  }
  std::ranges::sort(result, {}, &KeptTransaction::id);
  return result;
}

}  // namespace isoscope::shrinking
