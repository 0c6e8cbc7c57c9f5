#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "check/direct/overwrites.h"
#include "isoscope/base/limits.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/level/anomaly.h"

namespace isoscope::direct {

/// An edge of a cycle of transactions, plain to see.
struct Link {
  enum class Kind : std::uint8_t {
    read_from,    ///< wr: `to` is the read's reader, `from` its source
    known_order,  ///< session order or real time
    overwritten,  ///< rw: `from` is the read's reader, `to` overwrote what was read
  };
  Kind kind = Kind::known_order;
  Number from = 0;
  Number to = 0;
  CertainRead read = {};

  static Link read_from(const CertainRead& read) {
    return {Kind::read_from, read.source, read.reader, read};
  }
  static Link known_order(Number from, Number to) { return {Kind::known_order, from, to, {}}; }
  static Link overwritten(const CertainRead& read, Number other) {
    return {Kind::overwritten, read.reader, other, read};
  }
};

/// A cycle of two or three transactions: first what comes before what, then anti-dependencies.
struct SmallCycle {
  Anomaly kind = Anomaly::lost_update;
  std::array<Link, 3> links = {};
  std::size_t size = 0;

  SmallCycle(Anomaly its_kind, std::initializer_list<Link> its_links) : kind(its_kind) {
    ISOSCOPE_REQUIRE(its_links.size() >= 2 && its_links.size() <= links.size());
    for (const Link& link : its_links) links[size++] = link;
  }
  std::span<const Link> edges() const { return std::span(links).first(size); }
};

/// Counts the cycles that scans find, and keeps the simplest of them: those with the fewest
/// transactions, and then those with the fewest other transactions that have to be spoken of.
class Collection {
 public:
  Collection(const Overwrites& overwrites, std::size_t most_kept, const Limits& limits)
      : overwrites_(overwrites), most_(most_kept), limits_(limits) {}

  /// If its edges rest on real time or session order, that may make it another kind.
  void add(SmallCycle cycle);
  /// Whether a limit was reached. Then scans end early, and what was found is still true. It is
  /// asked for each transaction.
  bool should_stop() const;

  /// Whether as many cycles as shall be kept are at least as simple as any of this size and kind.
  bool is_full(std::size_t size, Anomaly kind) const;

  /// The counts by kind. Kinds that speak against more levels come first.
  std::vector<AnomalyCount> counts() const;
  /// The kept cycles, the simplest first.
  std::vector<SmallCycle> take();
  /// The simplest cycle of each kind, the simplest first.
  std::vector<SmallCycle> take_one_of_each();

 private:
  struct Kept {
    std::array<std::uint64_t, 4> rank;  // smaller is simpler; the last one is the order of finding
    SmallCycle cycle;
  };
  static bool simpler(const Kept& a, const Kept& b) { return a.rank < b.rank; }

  const Overwrites& overwrites_;
  std::size_t most_;
  const Limits& limits_;
  std::uint64_t found_ = 0;
  std::map<Anomaly, std::uint64_t> counts_;
  std::map<Anomaly, Kept> simplest_;
  std::vector<Kept> kept_;  // a heap, the least simple on top
};

// The scans, each in a file of its own. Their facts are certain: CertainReads knows the sources of
// reads, and Overwrites knows what is newer. Cost: near linear. Where there might be many
// candidates only the nearest are looked at, so only what was seen is counted.

/// Two transactions read one version of a key and both write the key.
void find_lost_updates(const Overwrites& overwrites, Collection& into);
/// A transaction reads a version that was overwritten in its session before, or of which its
/// session has read a newer one.
void find_session_regressions(const Overwrites& overwrites, Collection& into);

/// A scan that looks at one reader after another, by number. Several of them go over a history
/// together: what is fetched from memory for one then serves the others.
class ReaderScan {
 public:
  virtual ~ReaderScan() = default;
  virtual void look_at(const ReaderInView& view, Collection& into) = 0;
};
/// Ends early when a limit is reached.
void scan_readers(const Overwrites& overwrites, std::span<const std::unique_ptr<ReaderScan>> scans,
                  Collection& into);

/// A transaction reads from T, and reads a version of another key that T overwrote.
std::unique_ptr<ReaderScan> fractured_reads(const Overwrites& overwrites);
/// A transaction reads a version that was overwritten before it began, by the clocks.
std::unique_ptr<ReaderScan> stale_reads(const Overwrites& overwrites);
/// Two transactions each overwrite what the other has read, and maybe a common key.
std::unique_ptr<ReaderScan> write_skews(const Overwrites& overwrites, bool only_with_common_key);
/// A transaction reads from one that has seen T, and also reads a version that T overwrote.
std::unique_ptr<ReaderScan> causality_violations(const Overwrites& overwrites);

}  // namespace isoscope::direct
