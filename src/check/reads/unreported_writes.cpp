#include "check/reads/unreported_writes.h"

#include <algorithm>
#include <tuple>

#include "isoscope/base/contract.h"

namespace isoscope {

UnreportedWrites::UnreportedWrites(const History& history, std::vector<UnreportedWrite> writes)
    : history_(history), writes_(std::move(writes)) {
  std::ranges::sort(writes_, {}, [](const UnreportedWrite& w) {
    return std::tuple(w.whole_table, w.target, w.at);
  });
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    const UnreportedWrite& write = writes_[i];
    if (targets_.empty() || targets_.back().whole_table != write.whole_table ||
        targets_.back().id != write.target) {
      targets_.push_back({write.whole_table, write.target, i, i, {}, false});
    }
    targets_.back().last = i + 1;
  }
}

void UnreportedWrites::update(const std::vector<PresumedOutcome>& presumed) {
  ISOSCOPE_REQUIRE(presumed.size() == history_.transaction_count());
  for (Target& target : targets_) {
    target.committed = {};
    target.aborted = false;
    for (std::size_t i = target.first; i < target.last; ++i) {
      const OperationRef at = writes_[i].at;
      if (counts(presumed[at.transaction.index()])) {
        target.committed.add(at.transaction.value);
      } else {
        target.aborted = true;
      }
    }
  }
}

const UnreportedWrites::Target* UnreportedWrites::find(bool whole_table, std::uint32_t id) const {
  const auto key = [](const Target& target) { return std::pair(target.whole_table, target.id); };
  const auto found = std::ranges::lower_bound(targets_, std::pair(whole_table, id), {}, key);
  return found != targets_.end() && key(*found) == std::pair(whole_table, id) ? &*found : nullptr;
}

std::array<const UnreportedWrites::Target*, 2> UnreportedWrites::targets(KeyId key) const {
  ISOSCOPE_REQUIRE(key.index() < history_.key_count());
  if (none()) return {};
  return {find(false, key.value), find(true, history_.key_table(key).value)};
}

bool UnreportedWrites::by_other(KeyId key, TransactionId reader) const {
  return std::ranges::any_of(targets(key), [&](const Target* target) {
    return target != nullptr && target->committed.has_other_than(reader);
  });
}

bool UnreportedWrites::by_self(KeyId key, TransactionId t, std::int64_t after,
                               std::int64_t before) const {
  ISOSCOPE_REQUIRE(after <= before);
  return std::ranges::any_of(targets(key), [&](const Target* target) {
    if (target == nullptr) return false;
    const auto writes = std::span(writes_).subspan(target->first, target->last - target->first);
    const auto next =
        std::ranges::upper_bound(writes, std::pair(t, after), {}, [](const UnreportedWrite& w) {
          return std::pair(w.at.transaction, std::int64_t{w.at.operation});
        });
    return next != writes.end() && next->at.transaction == t && next->at.operation < before;
  });
}

bool UnreportedWrites::by_aborted(KeyId key) const {
  return std::ranges::any_of(
      targets(key), [](const Target* target) { return target != nullptr && target->aborted; });
}

}  // namespace isoscope
