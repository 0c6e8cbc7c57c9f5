#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "check/weak/known_sources.h"

namespace isoscope::weak {

/// What a level's readers must not miss, as the hops of docs/certificates.md.
struct KnownBy {
  /// Which reads of its own transaction a read knows the sources of.
  enum class Own : std::uint8_t { none, earlier, by_then, any };

  Own own = Own::none;
  bool session = false;           ///< what its session wrote before
  bool past = false;              ///< what leads to those by sessions and reads, too
  bool by_version = false;        ///< with `past`: what those have read of the key, not they
  bool sessions_of_past = false;  ///< by_version: what the sessions of those wrote before
  bool session_reads = false;     ///< what its session read of the key before
  bool writers_sessions = false;  ///< what the sessions of sources wrote before the sources
  bool remembers = false;         ///< ... of sources of its session's earlier transactions, too
};

/// One step from a transaction to a later one.
struct HopTaken {
  static constexpr std::uint32_t in_session = UINT32_MAX;

  Txn to = 0;
  std::uint32_t read = in_session;  ///< by this read of it, or in the session

  bool is_read() const { return read != in_session; }
};

/// Finds out by which hops a reader knew of a writer. Cost: of a breadth-first search where the
/// past counts.
class HopSearch {
 public:
  /// `sources` must outlive the object.
  HopSearch(const KnownSources& sources, const KnownBy& rule);

  /// The hops from `writer`, which wrote the read's key, to the reader; nothing if the reader need
  /// not have known of it.
  std::optional<std::vector<HopTaken>> find(std::uint32_t read, Txn writer);

  /// Whether both are in one session, in this order, and the first one is not indeterminate.
  bool before_in_session(Txn first, Txn second) const;
  /// The transaction before this one in its session; 0 if there is none.
  Txn session_before(Txn t) const;

 private:
  using Hops = std::vector<HopTaken>;

  std::optional<Hops> find_near(std::uint32_t read, Txn reader, Txn writer) const;
  std::optional<Hops> find_before(Txn of, std::uint32_t read, Txn writer) const;
  std::optional<Hops> find_far(std::uint32_t read, Txn reader, Txn writer);
  std::optional<HopTaken> first_hop(Txn to, KeyId key, Txn writer) const;
  bool counts(const Read& own, const Read& read) const;
  void reach(Txn t, HopTaken by);

  const KnownSources& sources_;
  KnownBy rule_;
  std::vector<Txn> after_;  // of leaves: what they come after
  // What follows is about the present search.
  std::vector<std::uint32_t> reached_in_;  // by transaction: the last search
  std::vector<HopTaken> onwards_;          // by transaction: the hop that leads on
  std::deque<Txn> to_look_at_;
  std::uint32_t search_ = 0;
};

}  // namespace isoscope::weak
