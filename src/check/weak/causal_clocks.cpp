#include "check/weak/causal_clocks.h"

#include <algorithm>
#include <limits>

#include "isoscope/base/contract.h"
#include "isoscope/base/prefetch.h"

namespace isoscope::weak {

template <class Count>
ClocksOf<Count>::ClocksOf(const KnownSources& sources)
    : sources_(sources),
      width_((sources.chain_count() + per_line - 1) / per_line * per_line),
      uses_(sources.size(), 1),  // one of its own
      slots_(sources.size(), 0),
      after_(sources.size(), 0) {
  ISOSCOPE_REQUIRE(fits(sources));  // or a count would begin anew
  for (const Read& read : sources.reads()) {
    if (read.source != open_source) ++uses_[read.source];
  }
  for (Txn t = 1; t < sources.size(); ++t) {
    if (sources.follows_in_chain(t)) ++uses_[t - 1];
  }
  for (const KnownEdge& leaf : sources.leaves()) {
    after_[leaf.to] = leaf.from;
    ++uses_[leaf.from];
  }
}

template <class Count>
void ClocksOf<Count>::take_slot(Txn t) {
  if (free_.empty()) {
    const auto first = static_cast<std::uint32_t>(blocks_.size()) * per_block;
    for (std::uint32_t i = per_block; i-- > 0;) free_.push_back(first + i);
    blocks_.push_back(std::make_unique_for_overwrite<Count[]>(per_block * width_));
  }
  slots_[t] = free_.back();
  free_.pop_back();
}

template <class Count>
void ClocksOf<Count>::join(Txn t, Txn before) {
  if (before == 0 || knows(t, before)) return;  // what is known is known with its past
  Count* const its = clock_of(t);
  const Count* const other = clock_of(before);
  // A copy: what is written to may be bytes, which may be anything, also the object's own width.
  const std::size_t width = width_;
  for (std::size_t i = 0; i < width; ++i) its[i] = std::max(its[i], other[i]);
}

template <class Count>
void ClocksOf<Count>::make(Txn t) {
  take_slot(t);
  if (sources_.follows_in_chain(t)) {
    std::copy_n(clock_of(t - 1), width_, clock_of(t));
  } else {
    std::fill_n(clock_of(t), width_, 0);
  }
  join(t, after_[t]);
  for (const Read& read : sources_.reads_of(t)) {
    if (read.source != open_source) join(t, read.source);
  }
}

template <class Count>
void ClocksOf<Count>::pass(Txn t) {
  if (sources_.follows_in_chain(t)) release(t - 1);
  if (after_[t] != 0) release(after_[t]);
  for (const Read& read : sources_.reads_of(t)) {
    if (read.source != 0 && read.source != open_source) release(read.source);
  }
  release(t);
}

template <class Count>
void ClocksOf<Count>::prefetch(Txn t) const {
  for (const Read& read : sources_.reads_of(t)) {
    if (read.source == 0 || read.source == open_source) continue;
    const std::size_t block = slots_[read.source] / per_block;
    if (block < blocks_.size()) {
      isoscope::prefetch(blocks_[block].get() + slots_[read.source] % per_block * width_);
    }
  }
}

template <class Count>
bool ClocksOf<Count>::fits(const KnownSources& sources) {
  for (std::uint32_t chain = 0; chain < sources.chain_count(); ++chain) {
    const Txn length = sources.end_of_chain(chain) - sources.first_of_chain(chain);
    if (length > std::numeric_limits<Count>::max()) return false;
  }
  return true;
}

template class ClocksOf<std::uint8_t>;
template class ClocksOf<std::uint16_t>;
template class ClocksOf<std::uint32_t>;

}  // namespace isoscope::weak
