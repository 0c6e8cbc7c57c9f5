#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "protocol/explore/cells.h"
#include "protocol/explore/decision_diagrams.h"

namespace isoscope::protocol {

/// A cell gets a constant, or what another cell had before the step, where `condition` holds.
struct Assignment {
  std::uint32_t cell = 0;
  Diagram condition = DecisionDiagrams::always;
  std::optional<std::uint32_t> source = {};
  std::uint8_t value = 0;
};

/// An event with all its parameters filled in.
struct Action {
  std::uint32_t event = 0;
  std::vector<std::uint8_t> parameters;
  Diagram guard = DecisionDiagrams::never;
  std::vector<Assignment> assignments;
  std::optional<std::uint8_t> commits = {};  ///< this transaction
};

/// One atom of what a model says about its states: a formula with all variables filled in.
struct Fact {
  std::uint8_t a = 0, b = 0, c = 0;
  Diagram diagram = DecisionDiagrams::never;
};

/// A model of definite sizes, compiled: no formula is walked any more, no quantifier is left, and
/// what can never happen is left out.
///
/// To know what can never happen, the constructor computes for each cell the values that some
/// sequence of steps might give it. It starts from the initial values and takes each step wherever
/// its guard is not plainly false for these sets. The result covers more than the reachable states,
/// which is all that is needed: tests that always go one way vanish, and packed states have no room
/// for what does not occur.
class System {
 public:
  System(const Model& model, Sizes sizes, RememberedTime time);
  /// What can still happen from a state on, with its constants and with these orders.
  System(const Model& model, Sizes sizes, const std::vector<std::vector<std::uint8_t>>& orders,
         const State& state);

  const Cells& cells() const { return cells_; }
  const Model& model() const { return cells_.model(); }
  const DecisionDiagrams& diagrams() const { return diagrams_; }
  const std::vector<Action>& actions() const { return actions_; }
  /// The values that each cell can have.
  const std::vector<Bits>& possible() const { return possible_; }

  // The refinement. installed: key, writer. later: key, writer, later writer. readers: key, writer,
  // reader. views: client, transaction.
  const std::vector<Fact>& installed() const { return installed_; }
  const std::vector<Fact>& later() const { return later_; }
  const std::vector<Fact>& readers() const { return readers_; }
  const std::vector<Fact>& views() const { return views_; }
  bool maps_views() const { return maps_views_; }

  // What clients see. committed: transaction. reads: transaction, key, writer. writes: transaction,
  // key.
  const std::vector<Fact>& committed() const { return committed_; }
  const std::vector<Fact>& reads() const { return reads_; }
  const std::vector<Fact>& writes() const { return writes_; }
  // The witness's orders: before: a is before b. sees: b sees a.
  const std::vector<Fact>& before() const { return before_; }
  const std::vector<Fact>& sees() const { return sees_; }

  /// The model's invariants, by number.
  const std::vector<Diagram>& invariants() const { return invariants_; }

  /// By transaction: the earlier ones of its client.
  const std::vector<Bits>& earlier_in_session() const { return earlier_in_session_; }

  bool is_enabled(const Action& action, Values values) const {
    return diagrams_.holds(action.guard, values);
  }
  /// `next` already is a copy of `values`.
  void apply(const Action& action, Values values, std::uint8_t* next) const {
    for (const Assignment& one : action.assignments) {
      if (diagrams_.holds(one.condition, values)) {
        next[one.cell] = one.source ? values[*one.source] : one.value;
      }
    }
  }
  /// Is the cell looked at by anything at all?
  bool is_used(std::size_t cell) const { return used_[cell]; }

 private:
  void find_sessions();
  void close();
  void compile();
  void add_times(const Event& event, Action& action) const;
  bool widen();
  void compile_facts();
  void compile_invariants();
  void find_used();

  Cells cells_;
  DecisionDiagrams diagrams_;
  std::vector<Bits> possible_;
  std::vector<Action> actions_;
  std::vector<Fact> installed_, later_, readers_, views_, committed_, reads_, writes_, before_,
      sees_;
  std::vector<Diagram> invariants_;
  bool maps_views_ = false;
  std::vector<Bits> earlier_in_session_;
  std::vector<bool> used_;
};

}  // namespace isoscope::protocol
