#include <algorithm>

#include "check/strong/repair.h"

// What other checkers do: every choice is given to the solver before it starts, and with it all
// short cycles, as clauses. VeriStrong's sections 4.1 and 6.1.2; for comparison only.

namespace isoscope::strong {

bool Repair::reaches(std::uint32_t from, std::uint32_t to) const {
  if (from == to) return true;
  if (clocks_ == nullptr) return false;
  return from == p_.commit(0) || clocks_->reaches(from, to);
}

bool Repair::is_ordered(std::uint32_t first, std::uint32_t second) const {
  const Txn a = p_.versions[first].writer;
  const Txn b = p_.versions[second].writer;
  return reaches(p_.commit(a), p_.begin(b)) || reaches(p_.commit(b), p_.begin(a));
}

bool Repair::add_all_choices() {
  place_.assign(order_.size(), 0);
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  for (std::uint32_t key = 0; key < p_.key_count(); ++key) {
    if (limits_ != nullptr && limits_->reached()) return false;
    add_all_orders(key);
  }
  for (std::uint32_t r = 0; r < p_.reads.size(); ++r) {
    if (limits_ != nullptr && limits_->reached()) return false;
    if (!is_certain(p_.reads[r])) add_all_selections(r);
  }
  const auto width = static_cast<std::size_t>(techniques_.eager_width);
  return width < 2 || add_small_cycles(width);
}

/// Where writers must not overlap all of them are ordered, else only those somebody read from.
void Repair::add_all_orders(std::uint32_t key) {
  const auto versions = p_.versions_of(key);
  for (std::size_t i = 0; i < versions.size(); ++i) {
    for (const std::uint32_t b : versions.subspan(i + 1)) {
      const std::uint32_t a = versions[i];
      const bool is_read =
          p_.versions[a].first_reader != none || p_.versions[b].first_reader != none;
      if ((is_read || !p_.rules.one_event) && !is_ordered(a, b)) earlier(a, b, true);
    }
  }
}

void Repair::add_all_selections(std::uint32_t r) {
  const Read& read = p_.reads[r];
  has_choice_.insert(r);
  choose_among_candidates(r);
  for (const std::uint32_t candidate : p_.candidates_of(read)) {
    if (p_.versions[candidate].writer == read.reader) continue;
    for (const std::uint32_t v : p_.versions_of(read.key)) {
      if (p_.versions[v].writer == read.reader || p_.fits(read, v)) continue;
      add_between(r, candidate, v);
    }
  }
}

/// All cycles with 2 to `width` edges of choices whose other parts are known.
bool Repair::add_small_cycles(std::size_t width) {
  for (std::uint32_t first = 0; first < edges_.size(); ++first) {
    cycle_.assign(1, first);
    if (!extend_cycle(width)) return false;
  }
  return true;
}

bool Repair::extend_cycle(std::size_t width) {
  if (limits_ != nullptr && limits_->reached()) return false;
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
