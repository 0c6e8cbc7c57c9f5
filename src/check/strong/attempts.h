#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/strong/attempt.h"

namespace isoscope::strong {

/// Several attempts at one question that take turns, each round's twice as long as those of the
/// round before.
///
/// An order serves as well if it keeps more than was asked for, and may be easier to find: one that
/// keeps sessions in order, since sessions are chains; one that agrees with the clients' clocks,
/// since then only what happened at about the same time is left to choose. But there may be none,
/// and to find that out can take longer than anything else. So nobody is given up for good: each
/// goes on where it was, and the whole takes at most about twice as long for each attempt as the
/// quickest one alone (as with restarts: Luby, Sinclair and Zuckerman, Optimal speedup of Las Vegas
/// algorithms, 1993). With a fixed turn instead, 500 transactions on three keys with two values
/// were undecided after 20 s, where an order by their clocks takes half a second.
///
/// Where the search over frontiers finds that there is no order, the solver has to prove it. Mostly
/// that is because of a few that happened at about the same time, so it gets pieces of the history
/// besides the whole, twice as long each time, until the frontiers say of one, too, that there is
/// no order.
class Attempts {
 public:
  /// `most_conflicts`: how many the solver may have on the question itself, 0: any number. The case
  /// must outlive the object.
  Attempts(const Case& about, const Question& asked, std::uint64_t most_conflicts, Workers workers);

  /// Returns the attempt that decided the question: an order was found, or the question itself is
  /// impossible. Null if a limit was reached, or the conflicts are used up.
  Attempt* run();

  /// What was found out about the question so far, in words.
  std::string established() const;
  std::optional<StopReason> stop_reason() const { return stop_reason_; }
  /// Of all attempts, for statistics.
  std::uint64_t decisions() const;
  std::uint64_t conflicts() const;

 private:
  struct Entry {
    Question question;
    std::unique_ptr<Attempt> attempt;  // null: not begun
    bool is_out = false;               // it has turned out to be impossible
  };

  bool take_turn(std::size_t which, std::uint64_t conflicts);
  void drop(Entry& entry);
  void add_piece();
  bool is_asked(const Entry& entry) const;

  const Case& case_;
  const Question asked_;
  const std::uint64_t most_conflicts_;
  const Workers workers_;
  std::vector<Entry> entries_;
  std::optional<StopReason> stop_reason_;
  // That there is no order, of which a proof is still to be found: see add_piece().
  std::vector<TransactionId> lost_;
  std::size_t piece_size_ = 0;
  std::uint64_t decisions_ = 0;  // of those that are out
  std::uint64_t conflicts_ = 0;
};

}  // namespace isoscope::strong
