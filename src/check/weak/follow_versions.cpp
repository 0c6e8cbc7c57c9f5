#include <algorithm>

#include "check/weak/causal_clocks.h"
#include "check/weak/forced_edges.h"
#include "isoscope/base/contract.h"

namespace isoscope::weak {

namespace {

/// Looks, for every read and every session of which something is known, at the last transaction
/// there that accessed the key. What it wrote, or else all that it read, is visible. The accesses
/// before it need not be looked at: they have been, when it was its turn to read.
class Versions {
 public:
  Versions(const KnownSources& sources, std::span<const Txn> order)
      : sources_(sources),
        order_(order),
        clocks_(sources),
        accesses_(sources.history().key_count()) {
    for (Txn t = 1; t < sources.size(); ++t) {
      for (const Read& read : sources.reads_of(t)) access(t, read.key).reads = true;
      for (const KeyId key : sources.written_by(t)) access(t, key).writes = true;
    }
  }

  std::optional<StopReason> run(const Limits& limits, ForcedEdges& into) {
    for (const Txn t : order_) {
      if (const auto reason = limits.reached()) return reason;
      clocks_.make(t);
      look_at(t, into);
      clocks_.made(t);
      clocks_.pass(t);
    }
    return std::nullopt;
  }

 private:
  struct AccessOfKey {
    Txn by = 0;
    bool reads = false;
    bool writes = false;
  };

  AccessOfKey& access(Txn t, KeyId key) {
    auto& its = accesses_[key.index()];
    ISOSCOPE_REQUIRE(its.empty() || its.back().by <= t);  // look_into() searches by transaction
    if (its.empty() || its.back().by != t) its.push_back({t});
    return its.back();
  }

  void look_at(Txn t, ForcedEdges& into) {
    const auto reads = sources_.reads_of(t);
    std::vector<std::uint32_t> earlier(sources_.chain_count(), 0);
    if (sources_.follows_in_chain(t)) clocks_.join_into(earlier, t - 1);
    std::vector<std::uint32_t> now;
    for (std::size_t i = 0, seen = 0; i < reads.size(); ++i) {
      // Rows of one predicate read are not before one another.
      for (; seen < i && sources_.is_earlier(reads[seen], reads[i]); ++seen) {
        if (reads[seen].source != open_source) clocks_.join_into(earlier, reads[seen].source);
      }
      if (reads[i].source == open_source) continue;
      now = earlier;
      clocks_.join_into(now, reads[i].source);
      const auto index = sources_.first_read(t) + static_cast<std::uint32_t>(i);
      for (std::uint32_t chain = 1; chain < now.size(); ++chain) {
        if (now[chain] > 0) look_into(chain, now[chain], t, index, into);
      }
    }
  }

  /// What is known of a chain: the reads of its first `count` transactions, and the writes of all
  /// of them but the last. Of its own session the reader knows the last one's writes, too.
  void look_into(std::uint32_t chain, std::uint32_t count, Txn reader, std::uint32_t index,
                 ForcedEdges& into) {
    const Read& read = sources_.reads()[index];
    const auto& its = accesses_[read.key.index()];
    const Txn end = sources_.first_of_chain(chain) + count;
    const bool knows_last_writes = chain == sources_.chain(reader);
    auto at = std::ranges::lower_bound(its, end, {}, &AccessOfKey::by);
    const auto step_back = [&] {
      if (at == its.begin() || sources_.chain((at - 1)->by) != chain) return false;
      --at;
      return true;
    };
    if (!step_back()) return;
    const bool only_reads = at->by == end - 1 && !knows_last_writes;
    if (only_reads && !at->reads && !step_back()) return;
    const auto add = [&](Txn version) {
      if (version == 0 || version == open_source || version == read.source) return;
      into.add(version, read.source, reader, index);
    };
    if (at->writes && (at->by != end - 1 || knows_last_writes)) {
      add(at->by);
      return;
    }
    for (const Read& other : sources_.reads_of(at->by)) {
      if (other.key == read.key) add(other.source);
    }
  }

  const KnownSources& sources_;
  std::span<const Txn> order_;
  CausalClocks clocks_;
  std::vector<std::vector<AccessOfKey>> accesses_;  // by key, then by transaction
};

}  // namespace

std::optional<StopReason> follow_versions(const KnownSources& sources, std::span<const Txn> order,
                                          const Limits& limits, ForcedEdges& into) {
  ISOSCOPE_REQUIRE(order.size() + 1 == sources.size());
  return Versions(sources, order).run(limits, into);
}

}  // namespace isoscope::weak
