#include "store/versions.h"

#include <ranges>

#include "isoscope/base/contract.h"

namespace isoscope {

std::vector<Version>& Versions::entry(KeyId key, TableId table) {
  if (key.index() >= by_key_.size()) by_key_.resize(key.index() + 1);
  if (table.index() >= by_table_.size()) by_table_.resize(table.index() + 1);
  std::vector<Version>& versions = by_key_[key.index()];
  if (versions.empty()) by_table_[table.index()].push_back(key);
  return versions;
}

void Versions::start_with(KeyId key, TableId table, ValueId value) {
  entry(key, table).push_back({0, value});
}

void Versions::install(KeyId key, TableId table, Version version) {
  std::vector<Version>& versions = entry(key, table);
  ISOSCOPE_REQUIRE(versions.empty() || versions.back().commit <= version.commit);
  versions.push_back(version);
}

std::span<const Version> Versions::of(KeyId key) const {
  if (key.index() >= by_key_.size()) return {};
  return by_key_[key.index()];
}

Version Versions::latest(KeyId key) const {
  const std::span<const Version> versions = of(key);
  return versions.empty() ? Version{0, initial_} : versions.back();
}

Version Versions::seen(const View& view, KeyId key) const {
  for (const Version& version : std::views::reverse(of(key))) {
    if (view.sees(version.commit, key)) return version;
  }
  return {0, initial_};
}

std::span<const KeyId> Versions::keys_of(TableId table) const {
  if (table.index() >= by_table_.size()) return {};
  return by_table_[table.index()];
}

}  // namespace isoscope
