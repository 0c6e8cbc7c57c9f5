#include "check/weak/session_guarantees.h"

#include <algorithm>
#include <map>

#include "check/weak/causal_clocks.h"
#include "check/weak/commit_graph.h"
#include "check/weak/version_graph.h"
#include "isoscope/base/contract.h"

namespace isoscope::weak {

namespace {

/// Versions of one key that a session wrote come in session order.
void keep_session_order(const KnownSources& sources, const Limits& limits, VersionGraph& graph) {
  for (Txn t = 1; t < sources.size(); ++t) {
    if (limits.reached()) return;
    for (const KeyId key : sources.written_by(t)) {
      const Txn before = graph.last_writer_before(key, t);
      if (before != 0) graph.add(graph.version(before, key), graph.version(t, key));
    }
  }
}

/// No version of the key that the session wrote before is newer than what is read. These versions
/// have no order among themselves: a node for each of them stands for it and all before.
void see_own_writes(const KnownSources& sources, const Limits& limits, VersionGraph& graph) {
  struct Session {
    std::uint32_t chain = 0;
    VersionGraph::Node all_so_far = 0;
  };
  std::vector<Session> by_key(sources.history().key_count());
  sources.for_each_in_sessions([&](Txn t, std::uint32_t chain, bool is_leaf) {
    if (limits.reached()) return;
    for (const Read& read : sources.reads_of(t)) {
      const Session& session = by_key[read.key.index()];
      if (session.chain == chain) graph.add_before(session.all_so_far, read);
    }
    if (is_leaf) return;
    for (const KeyId key : sources.written_by(t)) {
      Session& session = by_key[key.index()];
      const VersionGraph::Node node = graph.add_node();
      graph.add(graph.version(t, key), node);
      if (session.chain == chain) graph.add(session.all_so_far, node);
      session = {chain, node};
    }
  });
}

/// What the session read of the key before is not newer. The last transaction that read the key is
/// enough: what it read is not older than what those before it read.
void see_own_reads(const KnownSources& sources, const Limits& limits, VersionGraph& graph) {
  struct LastReader {
    std::uint32_t chain = 0;
    Txn reader = 0;
  };
  std::vector<LastReader> last(sources.history().key_count());
  sources.for_each_in_sessions([&](Txn t, std::uint32_t chain, bool is_leaf) {
    if (limits.reached()) return;
    for (const Read& read : sources.reads_of(t)) {
      const auto [its_chain, reader] = last[read.key.index()];
      if (its_chain != chain) continue;
      for (const Read& before : sources.reads_of(reader)) {
        if (before.key != read.key || before.source == 0) continue;
        graph.add_before(graph.version(before.source, read.key), read);
      }
    }
    if (is_leaf) return;
    for (const Read& read : sources.reads_of(t)) last[read.key.index()] = {chain, t};
  });
}

/// Once something of W was seen, nothing is read that is older than what W's session wrote before
/// W. The latest W of each session is enough if versions are in session order.
void see_writers_writes(const KnownSources& sources, bool remembers, const Limits& limits,
                        VersionGraph& graph) {
  std::map<std::uint32_t, Txn> latest;  // by chain: what was seen of it
  std::uint32_t present = 0;            // chain
  const auto see = [&](Txn writer) {
    if (writer != 0)
      latest[sources.chain(writer)] = std::max(latest[sources.chain(writer)], writer);
  };
  sources.for_each_in_sessions([&](Txn t, std::uint32_t chain, bool is_leaf) {
    if (limits.reached()) return;
    if (!remembers || present != chain) latest.clear();
    present = chain;
    std::map<std::uint32_t, Txn> before_leaf;
    if (is_leaf) before_leaf = latest;
    const auto reads = sources.reads_of(t);
    for (std::size_t i = 0, seen = 0; i < reads.size(); ++i) {
      // Rows of one predicate read are not before one another.
      for (; seen < i && sources.is_earlier(reads[seen], reads[i]); ++seen) see(reads[seen].source);
      const auto miss_nothing = [&](Txn writer) {
        const Txn earlier = graph.last_writer_before(reads[i].key, writer);
        if (earlier == 0) return;
        graph.add_before(graph.version(earlier, reads[i].key), reads[i]);
      };
      if (limits.reached(static_cast<std::uint32_t>(latest.size() + 1))) return;
      for (const auto& [its_chain, writer] : latest) miss_nothing(writer);
      if (reads[i].source != 0) miss_nothing(reads[i].source);
    }
    for (const Read& read : reads) see(read.source);
    if (is_leaf) latest = before_leaf;
  });
}

/// A version comes after every version of its key that its writer, or its session before, has read.
class WriteAfterReads {
 public:
  WriteAfterReads(const KnownSources& sources, const Limits& limits, VersionGraph& graph)
      : sources_(sources), limits_(limits), graph_(graph), with_later_(sources.write_count()) {}

  void run() {
    for (const KeyId key : sources_.history().keys()) make_nodes(key);
    for (Txn t = 1; t < sources_.size(); ++t) {
      if (limits_.reached()) return;
      for (const Read& read : sources_.reads_of(t)) {
        if (read.source != 0) put_before_later_writes(read, t);
      }
    }
    for (const KnownEdge& leaf : sources_.leaves()) put_after_reads_before(leaf);
  }

 private:
  /// A node for each version stands for it and all later ones of the session.
  void make_nodes(KeyId key) {
    const auto writers = graph_.writers(key);
    for (std::size_t i = writers.size(); i-- > 0;) {
      const VersionGraph::Node node = graph_.add_node();
      const VersionGraph::Node version = graph_.version(writers[i], key);
      with_later_[version] = node;
      graph_.add(node, version);
      const bool goes_on =
          i + 1 < writers.size() && sources_.chain(writers[i]) == sources_.chain(writers[i + 1]);
      if (goes_on) graph_.add(node, with_later_[graph_.version(writers[i + 1], key)]);
    }
  }

  void put_before_later_writes(const Read& read, Txn reader) {
    const auto writers = graph_.writers(read.key);
    const VersionGraph::Node source = graph_.version(read.source, read.key);
    const auto at = std::ranges::lower_bound(writers, reader);
    const bool in_session = at != writers.end() && sources_.chain(*at) == sources_.chain(reader);
    if (in_session) graph_.add(source, with_later_[graph_.version(*at, read.key)]);
  }

  void put_after_reads_before(const KnownEdge& leaf) {
    const Txn first = sources_.first_of_chain(sources_.chain(leaf.from));
    for (Txn t = first; t <= leaf.from; ++t) {
      if (limits_.reached()) return;
      for (const Read& read : sources_.reads_of(t)) {
        if (read.source == 0 || !sources_.writes(leaf.to, read.key)) continue;
        graph_.add(graph_.version(read.source, read.key), graph_.version(leaf.to, read.key));
      }
    }
  }

  const KnownSources& sources_;
  const Limits& limits_;
  VersionGraph& graph_;
  std::vector<VersionGraph::Node> with_later_;  // by version
};

/// Once something of W was seen, nothing is read that is older than what W or its session before
/// has read, nor than what the writers of that have read, and so on: than what was read in W's
/// causal past.
class SeeWritersReads {
 public:
  SeeWritersReads(const KnownSources& sources, const Limits& limits, VersionGraph& graph)
      : sources_(sources),
        limits_(limits),
        graph_(graph),
        clocks_(sources),
        reads_(sources.history().key_count()) {}

  /// `order` contains sessions and reads-from.
  void run(std::span<const Txn> order) {
    for (Txn t = 1; t < sources_.size(); ++t) {
      for (const Read& read : sources_.reads_of(t)) add_node(t, read);
    }
    for (const Txn t : order) {
      if (limits_.reached()) return;
      clocks_.make(t);
      look_at(t);
      clocks_.made(t);
      clocks_.pass(t);
    }
  }

 private:
  /// A read of a key. Its node stands for what it returned and what the session read before it.
  struct Node {
    Txn reader = 0;
    VersionGraph::Node with_earlier = 0;
    bool shows_version = false;  // another one than the initial version, that is
  };

  void add_node(Txn reader, const Read& read) {
    std::vector<Node>& its = reads_[read.key.index()];
    const VersionGraph::Node node = graph_.add_node();
    if (read.source != 0) graph_.add(graph_.version(read.source, read.key), node);
    const bool goes_on =
        !its.empty() && sources_.chain(its.back().reader) == sources_.chain(reader);
    if (goes_on) graph_.add(its.back().with_earlier, node);
    its.push_back({reader, node, read.source != 0 || (goes_on && its.back().shows_version)});
  }

  void look_at(Txn t) {
    const auto reads = sources_.reads_of(t);
    std::vector<std::uint32_t> earlier(sources_.chain_count(), 0);
    std::vector<std::uint32_t> now;
    for (std::size_t i = 0, seen = 0; i < reads.size(); ++i) {
      // Rows of one predicate read are not before one another.
      for (; seen < i && sources_.is_earlier(reads[seen], reads[i]); ++seen) {
        clocks_.join_into(earlier, reads[seen].source);
      }
      now = earlier;
      clocks_.join_into(now, reads[i].source);
      if (limits_.reached(static_cast<std::uint32_t>(now.size()))) return;
      for (std::uint32_t chain = 1; chain < now.size(); ++chain) {
        if (now[chain] > 0) miss_nothing(reads[i], chain, now[chain]);
      }
    }
  }

  /// The first `count` transactions of the chain are in the past.
  void miss_nothing(const Read& read, std::uint32_t chain, std::uint32_t count) {
    const auto& its = reads_[read.key.index()];
    const Txn end = sources_.first_of_chain(chain) + count;
    const auto behind = std::ranges::lower_bound(its, end, {}, &Node::reader);
    if (behind == its.begin() || sources_.chain((behind - 1)->reader) != chain) return;
    if ((behind - 1)->shows_version) {
      graph_.add_before((behind - 1)->with_earlier, read);
    }
  }

  const KnownSources& sources_;
  const Limits& limits_;
  VersionGraph& graph_;
  CausalClocks clocks_;
  std::vector<std::vector<Node>> reads_;  // by key
};

}  // namespace

std::optional<Guarantee> guarantee_of(LevelId level) {
  switch (level) {
    case LevelId::read_your_writes:
      return Guarantee{.own_writes = true};
    case LevelId::monotonic_reads:
      return Guarantee{.own_reads = true};
    case LevelId::monotonic_writes_per_key:
      return Guarantee{.session_order = true};
    case LevelId::writes_follow_reads_per_key:
      return Guarantee{.after_reads = true};
    case LevelId::monotonic_writes:
      return Guarantee{.writers_writes = true, .session_order = true};
    case LevelId::writes_follow_reads:
      return Guarantee{.writers_reads = true, .after_reads = true};
    case LevelId::pram:
      return Guarantee{.own_writes = true,
                       .own_reads = true,
                       .writers_writes = true,
                       .remembers = true,
                       .session_order = true};
    default:
      return std::nullopt;
  }
}

std::optional<bool> satisfies(const KnownSources& sources, const Guarantee& guarantee,
                              const Limits& limits, VersionGrounds* grounds) {
  ISOSCOPE_REQUIRE(!guarantee.remembers || guarantee.session_order);
  VersionGraph graph(sources);
  if (guarantee.session_order) keep_session_order(sources, limits, graph);
  if (guarantee.own_writes) see_own_writes(sources, limits, graph);
  if (guarantee.own_reads) see_own_reads(sources, limits, graph);
  if (guarantee.writers_writes) see_writers_writes(sources, guarantee.remembers, limits, graph);
  if (guarantee.after_reads) WriteAfterReads(sources, limits, graph).run();
  if (guarantee.writers_reads) {
    // Writes follow reads in no circle.
    CommitGraph circles(sources, 0);
    circles.add(sources.leaves());
    const auto order = circles.order();
    if (!order) {
      if (grounds != nullptr) grounds->circle = circles.short_cycle();
      return false;
    }
    SeeWritersReads(sources, limits, graph).run(*order);
  }
  // The graph lacks edges then.
  if (limits.reached_now()) return std::nullopt;
  const bool holds = graph.has_order();
  if (grounds == nullptr) return holds;
  if (holds) {
    grounds->order = graph.order();
  } else {
    grounds->before_initial = graph.before_initial();
    if (!grounds->before_initial) grounds->cycle = graph.cycle();
  }
  return holds;
}

}  // namespace isoscope::weak
