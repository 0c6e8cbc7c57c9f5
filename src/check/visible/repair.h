#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/visible/execution.h"
#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/base/satisfiability.h"
#include "isoscope/graph/digraph.h"
#include "isoscope/solver/acyclic_solver.h"
#include "isoscope/solver/proof.h"

namespace isoscope::visible {

/// What a variable of the solver stands for.
struct Choice {
  enum class Kind : std::uint8_t {
    order,      ///< `first` comes before `second`; negated: after it
    selection,  ///< `read` is from `first`
    committed,  ///< the uncertain transaction `first` committed
  };
  Kind kind = Kind::order;
  Txn first = 0;
  Txn second = 0;
  std::uint32_t read = none;
  KeyId key = {};  ///< of an order: whose versions it is about
};

/// Turns a guessed execution into a right one, or finds out that there is none.
///
/// The execution is replayed. Each read that is wrong becomes a clause: it is from another
/// candidate, or a hop of the way by which it sees a newer version is not there, or that version is
/// older than its source. Only what clauses speak of is a variable of the solver, whose theory is
/// that the commit order has no cycle. The solver answers with another execution, which is replayed
/// next. Each round adds a clause that was not there before, so it ends.
class Repair {
 public:
  /// `known`: the nodes, with what is known of their order; `order`: topological for it. The judge
  /// may look at `known_orders`, to which this adds. All must outlive the object.
  Repair(const Problem& problem, const OrderNodes& nodes, Judge& judge, KnownOrders& known_orders,
         const Digraph& known, std::span<const std::uint32_t> order, const Limits& limits,
         Progress& progress);

  /// Stops when the solver has had this many conflicts; 0: it does not.
  Satisfiability run(std::uint64_t most_conflicts);

  /// satisfiable: an execution in which nothing is wrong.
  const Execution& execution() const { return e_; }
  /// The same for reads of rows that nobody made, as Judge::tell_rows() has it.
  bool tell_rows(const Judge::TellRow& tell, std::size_t most) {
    return judge_.tell_rows(e_, tell, most);
  }

  // unsatisfiable: why.
  const std::vector<Choice>& choices() const { return choices_; }
  const RecordedProof& proof() const { return proof_; }
  /// For each clause that a wrong read made, by the clause's id, what was wrong.
  const std::unordered_map<std::uint32_t, Misfit>& misfits() const { return misfits_; }
  /// For each clause that says that a read is from one of its candidates, by the clause's id, the
  /// read.
  const std::unordered_map<std::uint32_t, std::uint32_t>& chosen_reads() const {
    return chosen_reads_;
  }

  const AcyclicSolver::Statistics& statistics() const { return solver_.statistics(); }
  std::size_t rounds() const { return rounds_; }
  std::size_t first_misfits() const { return first_misfits_; }

 private:
  /// False if a limit was reached.
  bool replay(std::vector<Misfit>& misfits);
  void add(const Misfit& misfit);
  void add_clause(const Misfit& misfit);
  std::vector<Txn> likeliest_candidates(std::uint32_t read) const;
  void take_model();

  std::uint32_t add_choice(const Choice& choice);
  /// The first one left its version of the key earlier, or committed earlier.
  SatLiteral earlier(Txn first, Txn second, KeyId key);
  SatLiteral selected(std::uint32_t read, Txn source);
  SatLiteral committed(Txn t);
  void choose_among_candidates(std::uint32_t read);
  void add_hop(const Hop& hop, KeyId key, std::vector<SatLiteral>& clause);
  void add_selection(std::uint32_t read, Txn source, std::vector<SatLiteral>& clause);

  const Problem& p_;
  const OrderNodes& nodes_;
  Judge& judge_;
  KnownOrders& known_orders_;
  const Digraph& known_;
  const Limits& limits_;
  Progress& progress_;
  RecordedProof proof_;
  AcyclicSolver solver_;
  Execution e_;
  std::vector<Choice> choices_;
  std::unordered_map<std::uint64_t, std::uint32_t> orders_;      // by nodes, ascending
  std::unordered_map<std::uint64_t, std::uint32_t> selections_;  // by read and source
  std::unordered_map<Txn, std::uint32_t> committed_;
  std::vector<std::uint32_t> reads_with_choice_;
  std::vector<std::uint8_t> has_choice_;  // by read
  std::unordered_map<std::uint32_t, Misfit> misfits_;
  std::unordered_map<std::uint32_t, std::uint32_t> chosen_reads_;
  std::size_t literals_ = 0;  // choices, and what clauses have, as a measure of work
  std::size_t rounds_ = 0;
  std::size_t first_misfits_ = 0;
};

}  // namespace isoscope::visible
