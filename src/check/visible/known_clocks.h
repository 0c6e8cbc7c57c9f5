#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "check/visible/problem.h"

namespace isoscope::visible {

/// For each node of a graph, which transactions are known to come before it: one number for each
/// chain, how many of its transactions do. They only grow.
class KnownClocks {
 public:
  using Own = std::vector<std::uint32_t>;
  using Clock = std::span<const std::uint32_t>;

  /// The sources must outlive the object.
  KnownClocks(const weak::KnownSources& sources, std::size_t nodes)
      : sources_(sources), chains_(sources.chain_count()), entries_(nodes * chains_, 0) {}

  std::size_t chains() const { return chains_; }
  Clock of(std::uint32_t node) const {
    return std::span(entries_).subspan(node * chains_, chains_);
  }
  std::uint32_t number_in_chain(Txn t) const {
    return t - sources_.first_of_chain(sources_.chain(t)) + 1;
  }
  bool has(Clock clock, Txn t) const { return clock[sources_.chain(t)] >= number_in_chain(t); }
  bool has(std::uint32_t node, Txn t) const { return has(of(node), t); }

  /// Whether something was new.
  bool join(std::uint32_t node, Clock other) {
    return join(std::span(entries_).subspan(node * chains_, chains_), other);
  }
  static bool join(std::span<std::uint32_t> into, Clock other) {
    bool is_new = false;
    for (std::size_t i = 0; i < into.size(); ++i) {
      is_new |= into[i] < other[i];
      into[i] = std::max(into[i], other[i]);
    }
    return is_new;
  }
  void add(std::uint32_t node, Txn t) {
    std::uint32_t& entry = entries_[node * chains_ + sources_.chain(t)];
    entry = std::max(entry, number_in_chain(t));
  }

 private:
  const weak::KnownSources& sources_;
  std::size_t chains_;
  std::vector<std::uint32_t> entries_;
};

}  // namespace isoscope::visible
