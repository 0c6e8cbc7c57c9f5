#pragma once

#include <optional>
#include <set>
#include <vector>

#include "isoscope/history/history.h"
#include "reference/execution.h"

namespace isoscope::reference {

/// What a key holds: the elements of a list; a register's value as its only element; nothing at all
/// for nil and for the empty list, which are the same.
using State = std::vector<ValueId>;

/// A history, once it is settled which transactions count as committed: what each of them wrote,
/// and what its reads say about the others. It is open which transaction read from which, and so is
/// the order of versions; choosing them makes it an Execution.
///
/// - Aborted transactions are left out, and so are indeterminate ones that are taken as not
///   committed. Nothing comes after an indeterminate transaction, neither in its session nor in
///   real time: its commit may take effect at any later time. Mostly it cuts its session too,
///   however it ended, since its client has reconnected: what was before it does not come before
///   what is after it.
/// - A transaction's effect on a key takes the key's state to a new one: the last write, insert or
///   removal counts; appends extend the list. A version is the state a transaction leaves. A list
///   version therefore depends on the versions before it.
/// - A read after an own write of the key must return that, and says nothing else. Of a list read
///   after own appends the own end is taken off; what remains is an external read.
/// - Every other read is external: it accepts some versions, and returned one of them. A read of a
///   value accepts the versions that are equal to it. A predicate read is a read of each row that
///   it returned, and for every other key of its table a read that accepts the versions which the
///   predicate does not select. A predicate write is first a read: of a version that the predicate
///   selects for each row it changed, of one that it does not select for every other key of the
///   table.
/// - An update is a read of a version, its base, that accepts those versions to which its function
///   can have been applied, given what the client learned. If it wrote something, it is a write,
///   too, and the base is the version right before that of its transaction. Updates of which the
///   client learned nothing are beyond the limits, unless they write what they were given.
/// - A key holds lists if it is appended to, or read as a list and never written. Its initial value
///   is then the empty list if it is none, and a read of that value is one of the empty list.
/// - A key without initial value has an initial version that no read returns. To a predicate, and
///   to the first append, it is nil.
struct Scenario {
  enum class Wants { value, unselected, selected, base };

  struct Read {
    int reader = 0;
    int place = 0;  ///< among the reader's operations
    int key = 0;
    bool item = true;  ///< see Execution::Read
    /// The accepted versions, if they do not depend on the version order.
    std::optional<Set> accepted = {};
    // What the read wants, otherwise.
    Wants wants = Wants::value;
    State value = {};                      ///< of Wants::value: what was returned
    const Predicate* predicate = nullptr;  ///< of a predicate: what it is or is not selected by
    const Update* update = nullptr;        ///< of Wants::base: what was learned
    bool base = false;                     ///< the update wrote, too: see Execution::Read
    bool after_own_appends = false;
  };

  using Transactions = std::set<TransactionId>;

  struct SessionRule {
    bool session_order = true;
    bool indeterminate_cuts = true;
  };

  /// `committed`: those of the indeterminate transactions that count as committed. `skew`: how much
  /// clocks may differ, in ns.
  Scenario(const History& of, const Transactions& committed, const SessionRule& rule,
           std::int64_t skew);

  /// An execution as a scenario: everything is known, and `known` is its dependencies.
  explicit Scenario(const Execution& execution);

  /// The accepted ones of the versions that the key has had so far, in this order. The versions of
  /// a list that contain the reader's own appends are not among them, nor is its own version.
  Set accepted(const Read& read, const std::vector<int>& versions) const;
  bool accepts(const Read& read, const std::optional<State>& state) const;
  bool selected(const Predicate& predicate, int key, const State& state) const;
  /// Whether the update, applied to the state, lets its client learn what it learned.
  bool can_be_base(const Update& update, const State& state) const;

  /// The state in which the history leaves a key before all transactions; nothing if it has none.
  std::optional<State> initial_state(int key) const;
  /// What a transaction wrote last to a register, or appended to a list.
  const State& effect(int transaction, int key) const;
  bool holds_lists(int key) const { return is_list[key]; }
  bool writes_key(int transaction, int key) const;
  /// The writers of the key, except for the initial one.
  std::vector<int> writers(int key) const;
  State state_of(int key, ValueId value) const;

  const History* history = nullptr;
  std::vector<TransactionId> ids;  ///< of transactions 1, 2, ...
  int size = 1;
  int keys = 0;
  std::vector<bool> is_list;
  Relation so;                           ///< session order; the initial transaction before all
  Relation real_time;                    ///< ended before the other began
  Relation known;                        ///< dependencies that are known beforehand
  std::vector<Relation> assumed;         ///< by key: what every order of its versions contains
  std::vector<Read> reads;               ///< external, by reader and place
  std::vector<Execution::Write> writes;  ///< by writer
  std::vector<State> effects;            ///< as long as `writes`
  /// Every transaction's reads after its own writes are right, and every row that a predicate
  /// returned satisfies it. No level allows anything else.
  bool consistent_inside = true;

 private:
  void order_sessions(bool indeterminate_cuts);
  void order_times(std::int64_t skew);
  void add_transaction(int t);
};

/// One for each set of indeterminate transactions that may have committed.
std::vector<Scenario> all_scenarios(const History& history, const Scenario::SessionRule& rule,
                                    std::int64_t skew);

/// Contract of everything here: how many transactions, and which keys, the reference can do.
bool is_within_limits(const History& history);

}  // namespace isoscope::reference
