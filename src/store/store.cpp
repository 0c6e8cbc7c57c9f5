#include "isoscope/store/store.h"

#include <ranges>

#include "isoscope/base/contract.h"

namespace isoscope {

std::string_view name_of(Bug bug) {
  switch (bug) {
    case Bug::none:
      return "none";
    case Bug::dirty_read:
      return "dirty-read";
  }
  return "";
}

Store::Transaction Store::begin() { return next_++; }

std::optional<std::int64_t> Store::read(Transaction transaction, std::size_t key) const {
  ISOSCOPE_REQUIRE(key < committed_.size());
  for (const Pending& write : std::views::reverse(pending_)) {
    if (write.key != key) continue;
    if (write.transaction == transaction) return write.value;
  }
  if (bug_ == Bug::dirty_read) {
    for (const Pending& write : std::views::reverse(pending_)) {
      if (write.key == key) return write.value;
    }
  }
  return committed_[key];
}

void Store::write(Transaction transaction, std::size_t key, std::int64_t value) {
  ISOSCOPE_REQUIRE(key < committed_.size());
  pending_.push_back({transaction, key, value});
}

void Store::commit(Transaction transaction) {
  for (const Pending& write : pending_) {
    if (write.transaction == transaction) committed_[write.key] = write.value;
  }
  forget(transaction);
}

void Store::abort(Transaction transaction) { forget(transaction); }

void Store::forget(Transaction transaction) {
  std::erase_if(pending_, [&](const Pending& write) { return write.transaction == transaction; });
}

}  // namespace isoscope
