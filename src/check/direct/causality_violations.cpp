#include <algorithm>

#include "check/direct/scans.h"
#include "isoscope/base/contract.h"

namespace isoscope::direct {

namespace {

/// A transaction read from several writers. This is the maximum number of them that are asked what
/// they have seen.
constexpr std::size_t most_asked = 8;

/// The violations found here span two transactions: the one that overwrote what was read has been
/// seen by one that the reader has seen. At most one violation is found for each reader.
class CausalityViolations final : public ReaderScan {
 public:
  explicit CausalityViolations(const Overwrites& overwrites)
      : reads_(overwrites.reads()), order_(overwrites.order()) {}

  void look_at(const ReaderInView& view, Collection& into) override {
    if (view.newer().empty()) return;
    const auto asked = view.reads().first(std::min(view.reads().size(), most_asked));
    collect_candidates(view.newer());
    collect_sightings(asked);
    for (std::size_t i = 0, place = 0; i < view.reads().size(); ++i) {
      for (const Number other : view.newer(i)) {
        const auto path = path_from(other, place++, asked);
        if (!path) continue;
        into.add({Anomaly::causality_violation,
                  {path->first, Link::read_from(*path->second),
                   Link::overwritten(view.reads()[i], other)}});
        return;
      }
    }
  }

 private:
  /// How a transaction was seen: what comes before a writer, and what was read of that writer.
  struct Path {
    Link first;
    const CertainRead* second = nullptr;
  };
  struct Sighting {
    const CertainRead* read = nullptr;    // of the reader; none: the writers have not read from it
    const CertainRead* before = nullptr;  // of the writer that it read from
  };
  struct Candidate {
    Number other = 0;
    std::uint32_t place = 0;  // among all that are newer than what was read
    auto operator<=>(const Candidate&) const = default;
  };

  /// The bit that stands for a transaction in `bits_`.
  static std::uint64_t bit_of(Number t) { return std::uint64_t{1} << (t % 64); }

  void collect_candidates(std::span<const Number> newer) {
    candidates_.clear();
    bits_ = 0;
    for (const Number other : newer) {
      candidates_.push_back({other, static_cast<std::uint32_t>(candidates_.size())});
      bits_ |= bit_of(other);
    }
    std::ranges::sort(candidates_);
    sightings_.assign(newer.size(), {});
  }

  /// Most of what the writers have read is not from a candidate, and the bits say so at once.
  void collect_sightings(std::span<const CertainRead> asked) {
    for (const CertainRead& seen : asked) {
      if (seen.source == 0) continue;
      for (const CertainRead& before : reads_.of(seen.source)) {
        if ((bits_ & bit_of(before.source)) == 0) continue;
        auto at = std::ranges::lower_bound(candidates_, before.source, {}, &Candidate::other);
        for (; at != candidates_.end() && at->other == before.source; ++at) {
          Sighting& one = sightings_[at->place];
          if (one.read == nullptr) one = {&seen, &before};
        }
      }
    }
  }

  std::optional<Path> path_from(Number other, std::size_t place,
                                std::span<const CertainRead> asked) const {
    ISOSCOPE_REQUIRE(place < sightings_.size());
    if (const Sighting& one = sightings_[place]; one.read != nullptr) {
      return Path{Link::read_from(*one.before), one.read};
    }
    if (!order_.has_sessions()) return std::nullopt;
    for (const CertainRead& seen : asked) {
      if (seen.source == other || !order_.in_session(other, seen.source)) continue;
      return Path{Link::known_order(other, seen.source), &seen};
    }
    return std::nullopt;
  }

  const CertainReads& reads_;
  const KnownOrder& order_;
  std::vector<Candidate> candidates_;  // by transaction
  std::uint64_t bits_ = 0;             // the candidates', which may share bits with others
  std::vector<Sighting> sightings_;    // by place
};

}  // namespace

std::unique_ptr<ReaderScan> causality_violations(const Overwrites& overwrites) {
  return std::make_unique<CausalityViolations>(overwrites);
}

}  // namespace isoscope::direct
