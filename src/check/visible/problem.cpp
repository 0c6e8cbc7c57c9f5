#include "check/visible/problem.h"

#include <algorithm>
#include <unordered_map>

#include "check/reads/accesses.h"
#include "isoscope/base/contract.h"

namespace isoscope::visible {

Problem::Problem(const weak::KnownSources& sources) : sources_(sources) {
  previous_.assign(size(), 0);
  for (Txn t = 1; t < size(); ++t) {
    if (sources.follows_in_chain(t)) previous_[t] = t - 1;
  }
  for (const weak::KnownEdge& leaf : sources.leaves()) previous_[leaf.to] = leaf.from;
  for (Txn t = 0; t < size(); ++t) {
    std::uint32_t place = sources.first_read(t);
    for (const weak::Read& read : sources.reads_of(t)) {
      reads_.push_back({.reader = t, .key = read.key, .operation = sources.operation(place++)});
      if (history().has_updates() && t != 0) {
        reads_.back().base = history().reads_base(sources.id(t), reads_.back().operation);
      }
      if (read.source != weak::open_source) reads_.back().only = read.source;
    }
  }
  ISOSCOPE_ENSURE(reads_.size() == sources.reads().size());  // a read keeps its number
  value_sets_.assign(version_count(), none);
  std::unordered_map<std::uint64_t, std::uint32_t> known;  // by where the candidates stand
  for (const weak::KnownSources::OpenRead& open : sources.open_reads()) {
    const auto [set, is_new] = known.try_emplace(std::uint64_t{open.first} << 32 | open.count,
                                                 static_cast<std::uint32_t>(sets_.size()));
    Read& read = reads_[open.read];
    read.set = set->second;
    if (!is_new) continue;
    const auto its = sources.candidates(open);
    sets_.push_back({static_cast<std::uint32_t>(candidates_.size()), open.count, true});
    candidates_.insert(candidates_.end(), its.begin(), its.end());
    for (const Txn writer : its) {
      if (writer != 0) value_sets_[version(writer, read.key)] = read.set;
    }
  }
  find_places();
}

void Problem::find_places() {
  written_at_.assign(version_count(), none);
  for (Txn t = 1; t < size(); ++t) {
    for_each_access(history(), sources_.id(t), [&](KeyId key, const Access& access) {
      if (access.is_read()) return;
      std::uint32_t& at = written_at_[version(t, key)];
      at = std::min(at, access.operation());
    });
  }
}

void Problem::reads_of(Txn t, std::vector<std::uint32_t>& into) const {
  into.clear();
  const std::uint32_t first = sources_.first_read(t);
  for (std::uint32_t i = 0; i < sources_.reads_of(t).size(); ++i) into.push_back(first + i);
  if (added_.empty() || added_[t].empty()) return;
  into.insert(into.end(), added_[t].begin(), added_[t].end());
  std::ranges::stable_sort(into, {}, [&](std::uint32_t r) { return reads_[r].operation; });
}

std::uint32_t Problem::add_read(const Read& read) {
  ISOSCOPE_REQUIRE(read.reader != 0 && read.reader < size());
  ISOSCOPE_REQUIRE(!read.item && (read.set < sets_.size() || read.set == none));
  added_.resize(size());
  added_[read.reader].push_back(static_cast<std::uint32_t>(reads_.size()));
  reads_.push_back(read);
  return added_[read.reader].back();
}

std::uint32_t Problem::add_set(std::span<const Txn> candidates) {
  ISOSCOPE_REQUIRE(std::ranges::is_sorted(candidates));  // replays search in it
  sets_.push_back({static_cast<std::uint32_t>(candidates_.size()),
                   static_cast<std::uint32_t>(candidates.size()), false});
  candidates_.insert(candidates_.end(), candidates.begin(), candidates.end());
  return static_cast<std::uint32_t>(sets_.size() - 1);
}

void Problem::narrow(std::uint32_t r, std::span<const Txn> left) {
  Read& read = reads_[r];
  ISOSCOPE_REQUIRE(read.set != none && !left.empty());
  narrowed_.try_emplace(r, read);
  // Whether an uncertain transaction committed is still a choice.
  if (left.size() == 1 && (left[0] == 0 || sources_.certain(left[0]))) {
    read.only = left[0];
    read.set = none;
    return;
  }
  const auto [known, is_new] =
      narrowed_sets_.try_emplace(std::vector<Txn>(left.begin(), left.end()));
  if (is_new) known->second = add_set(left);
  read.set = known->second;
}

void Problem::widen() {
  for (const auto& [r, read] : narrowed_) reads_[r] = read;
  narrowed_.clear();
}

std::uint32_t Problem::version(Txn t, KeyId key) const {
  const auto written = sources_.written_by(t);
  const auto at = std::ranges::lower_bound(written, key);
  ISOSCOPE_REQUIRE(at != written.end() && *at == key);
  return sources_.first_write(t) + static_cast<std::uint32_t>(at - written.begin());
}

std::pair<Txn, KeyId> Problem::writer_and_key(std::uint32_t version) const {
  ISOSCOPE_REQUIRE(version < version_count());
  Txn first = 1;
  Txn end = static_cast<Txn>(size());
  while (first + 1 < end) {
    const Txn middle = first + (end - first) / 2;
    (sources_.first_write(middle) <= version ? first : end) = middle;
  }
  return {first, sources_.written()[version]};
}

}  // namespace isoscope::visible
