#include <algorithm>
#include <map>
#include <utility>

#include "check/strong/search/repair.h"
#include "isoscope/base/contract.h"

// This file does what other checkers do: every choice is given to the solver before it starts, and
// with it all short cycles, as clauses. (See sections 4.1 and 6.1.2 of VeriStrong.) Here that is
// for comparison, and for keys that stay wrong: few values of few keys, where everything depends on
// everything.

namespace isoscope::strong {

namespace {

/// After this many conflicts, all choices about the keys that were wrong are made.
constexpr std::uint64_t patience = 10'000;
/// The choices about a key are left alone if there would be more of them than this.
constexpr std::size_t many_choices = 1'000'000;

}  // namespace

bool Repair::add_choices_of_hard_keys(const Misfits& misfits) {
  for (const ReadId r : misfits.wrong_reads) wrong_keys_.try_emplace(p_.reads[r].key, false);
  if (!techniques_.lazy_choices || solver_->statistics().conflicts < patience) return true;
  // The keys whose choices are not made yet, and how many choices they have.
  std::map<KeyId, std::size_t> hard;
  for (auto& [key, is_done] : wrong_keys_) {
    const std::size_t versions = p_.versions_of(key).size();
    if (!std::exchange(is_done, true)) hard.emplace(key, versions * versions);
  }
  if (hard.empty()) return true;
  std::vector<ReadId> reads;
  for (const ReadId r : p_.reads.ids()) {
    const auto key = hard.find(p_.reads[r].key);
    if (key == hard.end() || is_certain(p_.reads[r])) continue;
    key->second += p_.candidates_of(p_.reads[r]).size() * p_.versions_of(key->first).size();
    reads.push_back(r);
  }
  std::erase_if(hard, [](const auto& key) { return key.second > many_choices; });
  for (const auto& [key, choices] : hard) {
    if (!add_all_orders(key)) return false;
  }
  return std::ranges::all_of(
      reads, [&](ReadId r) { return !hard.contains(p_.reads[r].key) || add_all_selections(r); });
}

bool Repair::reaches(std::uint32_t from, std::uint32_t to) const {
  if (from == to) return true;
  if (clocks_ == nullptr) return false;
  return from == p_.commit(0) || clocks_->reaches(from, to);
}

bool Repair::is_ordered(VersionId first, VersionId second) const {
  const Txn a = p_.versions[first].writer;
  const Txn b = p_.versions[second].writer;
  return reaches(p_.commit(a), p_.held_from(b)) || reaches(p_.commit(b), p_.held_from(a));
}

bool Repair::add_all_choices() {
  place_.assign(order_.size(), 0);
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  for (const KeyId key : p_.keys()) {
    if (!add_all_orders(key)) return false;
  }
  for (const ReadId r : p_.reads.ids()) {
    if (!is_certain(p_.reads[r]) && !add_all_selections(r)) return false;
  }
  const auto width = static_cast<std::size_t>(techniques_.eager_width);
  return width < 2 || add_small_cycles(width);
}

/// Where writers must not overlap, all of them are ordered; otherwise only those that a transaction
/// read from.
bool Repair::add_all_orders(KeyId key) {
  const auto versions = p_.versions_of(key);
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (is_stopped()) return false;
    for (const VersionId b : versions.subspan(i + 1)) {
      const VersionId a = versions[i];
      const bool is_read =
          p_.versions[a].first_reader != none || p_.versions[b].first_reader != none;
      if ((is_read || p_.rules.writers_conflict) && !is_ordered(a, b)) earlier(a, b, true);
    }
  }
  return true;
}

bool Repair::add_all_selections(ReadId r) {
  ISOSCOPE_REQUIRE(!is_certain(p_.reads[r]));
  const Read& read = p_.reads[r];
  if (has_choice_.insert(r).second) choose_among_candidates(r);
  if (!p_.is_current(r)) return true;
  for (const VersionId candidate : p_.candidates_of(read)) {
    if (is_stopped()) return false;
    if (p_.versions[candidate].writer == read.reader) continue;
    for (const VersionId v : p_.versions_of(read.key)) {
      if (p_.versions[v].writer == read.reader || p_.fits(read, v)) continue;
      add_between(r, candidate, v);
    }
  }
  return true;
}

/// All cycles with 2 to `width` edges of choices whose other parts are known.
bool Repair::add_small_cycles(std::size_t width) {
  ISOSCOPE_REQUIRE(width >= 2);
  for (std::uint32_t first = 0; first < edges_.size(); ++first) {
    cycle_.assign(1, first);
    if (!extend_cycle(width)) return false;
  }
  return true;
}

bool Repair::extend_cycle(std::size_t width) {
  ISOSCOPE_REQUIRE(!cycle_.empty() && cycle_.size() < width);
  if (is_stopped()) return false;
  const CycleEdge& first = edges_[cycle_.front()];
  const std::uint32_t end = edges_[cycle_.back()].to;
  // Each cycle starts with its lowest edge, so that it is found once.
  for (std::uint32_t next = cycle_.front() + 1; next < edges_.size(); ++next) {
    const CycleEdge& edge = edges_[next];
    const bool known = std::ranges::any_of(cycle_, [&](std::uint32_t e) {
      return edges_[e].literal == edge.literal || edges_[e].literal == !*edge.literal;
    });
    if (known || !reaches(end, edge.from)) continue;
    cycle_.push_back(next);
    if (reaches(edge.to, first.from)) {
      std::vector<SatLiteral> clause;
      std::vector<CycleEdge> edges;
      for (const std::uint32_t e : cycle_) {
        clause.push_back(!*edges_[e].literal);
        edges.push_back(edges_[e]);
      }
      given_cycles_[add_clause(clause)] = std::move(edges);
    } else if (cycle_.size() < width && !extend_cycle(width)) {
      return false;
    }
    cycle_.pop_back();
  }
  return true;
}

}  // namespace isoscope::strong
