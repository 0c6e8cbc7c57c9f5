#pragma once

#include "isoscope/spec/structure.h"
#include "isoscope/synth/question.h"
#include "synth/encoder.h"

namespace isoscope::synth {

/// The histories of a scope, as a circuit: one model, one history.
///
/// A value of a key is nothing but a name of its writer, so the circuit has no values. It has at
/// most one writer for each reader and key, and a bound on the writers of each key if the scope has
/// one. A key exists if it is read or written, since a recorded history has no other ones.
class HistorySpace {
 public:
  struct Needs {
    bool real_time = false;        ///< `rt` is a choice, too; otherwise only the initial pairs
    bool seen_before = false;      ///< and the order of reads in a transaction
    bool sessions_ascend = false;  ///< `so` only goes from lower to higher numbers
  };

  /// `transactions` besides the initial one, each of which does something.
  HistorySpace(Circuit& circuit, const Scope& scope, std::size_t transactions, std::size_t keys,
               const Needs& needs);

  const BitHistory& history() const { return history_; }
  /// Each is one operation.
  const std::vector<Bit>& operations() const { return operations_; }
  /// What a model says; keys that do not exist have a number, too.
  spec::Structure structure() const;
  /// The model's facts, each true there: together they are that history and no other.
  std::vector<Bit> facts(const spec::Structure& structure) const;

  /// To be called when all that is known from the start was required: keys are interchangeable, so
  /// only histories whose keys are in order are kept.
  void order_keys();

 private:
  void make_writes();
  void make_reads();
  void make_keys();
  void make_session_order(bool any_order, bool ascending);
  void make_real_time();
  void make_seen_before();
  void bound_operations(const Scope& scope);
  template <class Structure, class Visit>
  void for_each_relation(Structure& structure, Visit visit) const;

  Circuit& circuit_;
  BitHistory history_;
  std::vector<BitRelation> read_order_;  ///< by transaction: key x key, of the keys it reads
  std::vector<Bit> operations_;
};

/// At most `bound` of the bits are true. The bits of the result count: number i is true if more
/// than i are, for i up to `bound`.
std::vector<Bit> counted(Circuit& circuit, const std::vector<Bit>& bits, std::size_t bound);

}  // namespace isoscope::synth
