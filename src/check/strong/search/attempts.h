#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "check/strong/search/attempt.h"

namespace isoscope::strong {

/// Several attempts at one question that take turns, each round's twice as long as those of the
/// round before.
///
/// An order serves as well if it keeps more than was asked for, and may be easier to find: one that
/// keeps sessions in order, since sessions are chains; one that agrees with the clients' clocks,
/// since then only what happened at about the same time is left to choose. But there may be none,
/// and to find that out can take longer than anything else. So no attempt is given up for good:
/// each goes on where it was, and the whole takes at most about twice as long for each attempt as
/// the quickest one alone (as with restarts: Luby, Sinclair and Zuckerman, Optimal speedup of Las
/// Vegas algorithms, 1993). With a fixed turn instead, 500 transactions on three keys with two
/// values were undecided after 20 s, where an order by their clocks takes half a second.
///
/// Where the search over frontiers finds that there is no order, the solver has to prove it. Mostly
/// there is none because of a few transactions that happened at about the same time. So the solver
/// gets pieces of the history besides the whole, twice as long each time, until the frontiers say
/// of a piece, too, that it has no order.
///
/// After a turn that left its attempt open, turns are taken by several threads at once where there
/// are any: see attempts_at_once.cpp. The attempt that decides the question first ends the others.
/// Which attempt that is may change, and with it the order or the refutation, but not the answer:
/// every attempt's order is one of the question asked, and only what refutes that question counts
/// as a refutation, so no two attempts can decide differently.
class Attempts {
 public:
  /// `most_conflicts` is the maximum number of conflicts that the solver may have on the question
  /// itself; 0: any number. The workers are for the steps of one attempt. The case must outlive the
  /// object.
  Attempts(const Case& about, const Question& asked, std::uint64_t most_conflicts, Workers workers);

  /// Returns the attempt that decided the question: an order was found, or the question itself is
  /// impossible. Null if a limit was reached, or the conflicts are used up.
  Attempt* run();

  /// What was found out about the question so far, in words.
  std::string established() const;
  std::optional<StopReason> stop_reason() const { return stop_reason_; }
  /// Adds the times and counts of all attempts. The other figures are those of the attempt that
  /// decided the question, or else of the question itself.
  void add_to(CheckStatistics& statistics) const;

 private:
  struct Entry {
    Question question;
    unsigned round = 0;  // its next turn's
    Searches searches = Searches::both;
    bool is_running = false;
    bool is_out = false;                    // it has turned out to be impossible, or of no use
    std::unique_ptr<Attempt> attempt = {};  // null: not begun, or out
    CheckStatistics statistics = {};
  };
  using Lock = std::unique_lock<std::mutex>;

  Entry* next();
  void take_turn(Entry& entry, Lock& lock);
  void look_at(Entry& entry, Attempt::State state);
  void decide_by(const Entry& entry);
  void end();
  void drop(Entry& entry);
  void drop_question(const Question& question);
  void add_piece(unsigned round);
  bool is_asked(const Question& question) const;
  std::uint64_t turn_of(unsigned round) const;
  Means means_of(Entry& entry);

  // In attempts_at_once.cpp.
  bool may_race() const;
  bool start_race();
  void race();
  void take_turns();
  void watch_limits();

  const Case& case_;
  const Question asked_;
  const std::uint64_t most_conflicts_;
  const Workers workers_;

  // What follows is guarded while several threads take turns, but for the attempt and the
  // statistics of an entry that is running: they are its thread's.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> entries_;  // they stay where they are, once there are several threads
  bool is_over_ = false;
  const Entry* decided_by_ = nullptr;
  std::optional<StopReason> stop_reason_;
  // That there is no order, of which a proof is still to be found: see add_piece().
  std::vector<TransactionId> lost_;
  std::size_t piece_size_ = 0;

  bool is_race_ = false;
  std::size_t threads_ = 1;
  Limits race_limits_;  // of all attempts in a race: they are stopped when it is over
};

}  // namespace isoscope::strong
