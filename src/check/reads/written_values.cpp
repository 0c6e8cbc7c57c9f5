#include "check/reads/written_values.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "isoscope/base/prefetch.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope {

namespace {

constexpr std::uint32_t none = UINT32_MAX;
constexpr std::uint32_t several = UINT32_MAX - 1;

}  // namespace

WrittenValues::WrittenValues(const History& history, const KeyAccesses& accesses,
                             std::span<const std::uint8_t> takes_part)
    : history_(history), use_(history.key_count(), Use::reg) {
  ISOSCOPE_REQUIRE(takes_part.empty() || takes_part.size() == history.transaction_count());
  for (const KeyId key : history.keys()) {
    const KeyUse use = accesses.use(key);
    if (use == KeyUse::both) use_[key.index()] = Use::aside;
    if (use == KeyUse::list) use_[key.index()] = Use::list;
  }
  collect(takes_part);
  group();
  set_unclear_lists_aside();
}

void WrittenValues::collect(std::span<const std::uint8_t> takes_part) {
  versions_.reserve(history_.operation_count());
  starts_.assign(2, 0);  // the initial state's are not listed
  std::vector<std::size_t> latest(history_.key_count(), SIZE_MAX);  // by key: its last version
  for (const TransactionId t : history_.transactions()) {
    const auto first = static_cast<std::ptrdiff_t>(versions_.size());
    const bool counts = takes_part.empty() || takes_part[t.index()] != 0;
    if (history_.outcome(t) != Outcome::aborted && counts) {
      for_each_access(history_, t, [&](KeyId key, const Access& access) {
        if (access.is_read()) return;
        std::size_t& last = latest[key.index()];
        const bool again = last != SIZE_MAX && versions_[last].writer == number_of(t);
        if (again && access.kind() != Access::Kind::append) {
          versions_[last].value = access.value;
          return;
        }
        last = versions_.size();
        versions_.push_back({key, access.value, number_of(t)});
      });
    }
    std::ranges::sort(versions_.begin() + first, versions_.end(), {}, &Version::key);
    starts_.push_back(static_cast<std::uint32_t>(versions_.size()));
  }
  ISOSCOPE_ENSURE(starts_.size() == history_.transaction_count() + 2);
}

/// Most values are written once: their version is found in one step. Only the others are sorted.
void WrittenValues::group() {
  ISOSCOPE_ENSURE(versions_.size() <
                  several);  // the numbers above that have a meaning of their own
  only_version_.assign(history_.values().size(), none);
  for (std::uint32_t i = 0; i < versions_.size(); ++i) {
    std::uint32_t& only = only_version_[versions_[i].value.index()];
    only = only == none ? i : several;
  }
  for (std::uint32_t i = 0; i < versions_.size(); ++i) {
    if (only_version_[versions_[i].value.index()] == several) repeated_.push_back(i);
  }
  std::ranges::sort(repeated_, {}, [&](std::uint32_t i) {
    return std::tuple(versions_[i].value, versions_[i].key, i);
  });
}

void WrittenValues::set_unclear_lists_aside() {
  const auto set_aside = [&](KeyId key) {
    if (use_[key.index()] == Use::list) use_[key.index()] = Use::aside;
  };
  for (std::size_t i = 1; i < repeated_.size(); ++i) {
    const Version& one = versions_[repeated_[i]];
    const Version& before = versions_[repeated_[i - 1]];
    if (one.key == before.key && one.value == before.value) set_aside(one.key);
  }
  const ValuePool& values = history_.values();
  for (const KeyId key : history_.keys()) {
    if (use(key) != Use::list) continue;
    for (ValueId list = initial_list(key); values.list_size(list) > 0;
         list = values.list_prefix(list)) {
      if (!find(key, values.list_last(list)).empty()) set_aside(key);
    }
  }
}

ValueId WrittenValues::initial_list(KeyId key) const {
  const auto initial = history_.initial_value(key);
  const bool is_list = initial && history_.values().kind(*initial) == ValueKind::list;
  return is_list ? *initial : ValuePool::empty_list;
}

std::span<const std::uint32_t> WrittenValues::find(KeyId key, ValueId value) const {
  ISOSCOPE_REQUIRE(value.index() < only_version_.size());
  const std::uint32_t& only = only_version_[value.index()];
  if (only == none) return {};
  if (only != several) {
    return versions_[only].key == key ? std::span(&only, 1) : std::span<const std::uint32_t>();
  }
  const auto range = std::ranges::equal_range(
      repeated_, std::pair(value, key), {},
      [&](std::uint32_t i) { return std::pair(versions_[i].value, versions_[i].key); });
  return {range.begin(), range.end()};
}

void WrittenValues::prefetch_place(ValueId value) const { prefetch(&only_version_[value.index()]); }

void WrittenValues::prefetch_found(ValueId value) const {
  const std::uint32_t only = only_version_[value.index()];
  if (only < several) prefetch(&versions_[only]);
}

void WrittenValues::prefetch_start(std::uint32_t writer) const { prefetch(&starts_[writer]); }

void WrittenValues::prefetch_versions(std::uint32_t writer) const {
  prefetch(versions_.data() + starts_[writer]);
  prefetch(versions_.data() + starts_[writer + 1]);
}

}  // namespace isoscope
