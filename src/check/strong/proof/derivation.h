#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "check/strong/proof/proof_writer.h"
#include "check/strong/proof/ruled_out.h"
#include "check/strong/saturation/known_paths.h"
#include "check/strong/saturation/saturation.h"

namespace isoscope::strong {

/// Says why edges of the known graph are there: it writes the steps that lead to them, and only
/// those.
///
/// Saturation does not keep reasons. An edge knows its rule and its read, and it rests on edges
/// that were known before it. So a way through those is searched when a reason is needed.
class Derivation {
 public:
  Derivation(const History& history, const OrderProblem& problem, const KnownGraph& known,
             const Clocks* clocks, const std::vector<std::uint32_t>& place, RuledOut& ruled_out,
             ProofWriter& writer)
      : history_(history),
        p_(problem),
        known_(known),
        ruled_out_(ruled_out),
        writer_(writer),
        paths_(problem, known, clocks, place) {}

  /// The whole refutation.
  void refute(const Contradiction& contradiction);
  /// The same for a cycle of neighbours in the known graph.
  void refute_cycle(const std::vector<std::uint32_t>& nodes);

  /// Proves that one event comes before another: its neighbour in the known graph, or one that is
  /// reached through points in time.
  void prove_known(std::uint32_t from, std::uint32_t to);
  /// Proves that there is a way from one event to another.
  void prove_way(std::uint32_t from, std::uint32_t to);
  /// Takes the first `elements` elements of the list that was read. Proves that none of the
  /// transactions that are ruled out left just these.
  void exclude(ReadId read, std::uint32_t elements);
  /// Proves that the read returned one of the candidates that are left; returns the step.
  std::uint32_t prove_read(ReadId read);

 private:
  /// Something to prove: an edge, the source of a read, or that a transaction committed.
  struct Item {
    enum class Kind : std::uint8_t { edge, source, commit };
    Kind kind;
    std::uint32_t index;
    bool operator==(const Item&) const = default;
  };
  static Item source_of(ReadId read) { return {Item::Kind::source, read.value}; }
  struct ItemHash {
    std::size_t operator()(const Item& item) const {
      return std::hash<std::uint64_t>()(std::uint64_t{item.index} << 2 |
                                        static_cast<std::uint64_t>(item.kind));
    }
  };
  /// Why a candidate is none: the reader began before it committed, or `between` came between.
  struct Dropped {
    Txn candidate;
    Txn between = none;
    Path first;   ///< from the reader to the candidate; or from the candidate to the other one
    Path second;  ///< from there to the reader
  };
  struct Plan {
    std::vector<Item> needs;
    Path path;
    std::vector<Dropped> dropped;
  };

  void prove(const Item& item);
  Plan plan(const Item& item);
  Plan plan_edge(std::uint32_t edge);
  Plan plan_source(ReadId read);
  Plan plan_commit(Txn t);
  Dropped why_dropped(const Read& read, Txn candidate, std::uint32_t edges);
  void need_path(Plan& plan, const Path& path) const;
  void need_reader(Plan& plan, Txn reader) const;
  Path search(std::uint32_t from, std::uint32_t to, std::uint32_t edges);

  void write(const Item& item, const Plan& plan);
  void write_edge(const KnownGraph::Edge& edge, const Plan& plan);
  void write_source(ReadId read, const Plan& plan);
  void write_path(const Path& path);
  void write_cycle(Path cycle);

  const History& history_;
  const OrderProblem& p_;
  const KnownGraph& known_;
  RuledOut& ruled_out_;
  ProofWriter& writer_;
  KnownPaths paths_;
  std::unordered_map<Item, bool, ItemHash> written_;  // false: on the way
};

}  // namespace isoscope::strong
