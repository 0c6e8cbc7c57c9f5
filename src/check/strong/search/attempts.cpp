#include "check/strong/search/attempts.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

/// The number of transactions in the first piece: those under way, and some before them.
constexpr std::size_t first_piece = 16;

/// Turns do not grow beyond this round, in which they take years.
constexpr unsigned last_round = 40;

/// The questions whose orders serve as well, and the one that was asked.
std::vector<Question> questions_for(const Question& asked, bool has_clocks) {
  std::vector<Question> questions;
  const auto add = [&](bool session_order) {
    questions.push_back({asked.rules, session_order, {}});
    if (!has_clocks || asked.rules.real_time) return;
    questions.push_back(questions.back());
    questions.back().rules.real_time = true;
  };
  if (!asked.session_order) add(true);
  add(asked.session_order);
  return questions;
}

/// Are these the same question about the whole history, and not about a piece?
bool are_same(const Question& one, const Question& other) {
  return !one.is_piece() && !other.is_piece() && one.rules.real_time == other.rules.real_time &&
         one.session_order == other.session_order;
}

}  // namespace

Attempts::Attempts(const Case& about, const Question& asked, std::uint64_t most_conflicts,
                   Workers workers)
    : case_(about), asked_(asked), most_conflicts_(most_conflicts), workers_(workers) {
  for (const Question& question : questions_for(asked, about.likely.are_clocks())) {
    entries_.push_back({.question = question});
  }
}

bool Attempts::is_asked(const Question& question) const { return are_same(question, asked_); }

std::uint64_t Attempts::turn_of(unsigned round) const {
  return std::max<std::uint64_t>(case_.options.strong.first_turn, 1) << std::min(round, last_round);
}

Means Attempts::means_of(Entry& entry) {
  const CheckOptions& options = case_.options;
  CheckStatistics* statistics = options.statistics != nullptr ? &entry.statistics : nullptr;
  if (is_race_) return {entry.searches, Workers(1), race_limits_, Progress::silent(), statistics};
  return {entry.searches, workers_, options.limits, options.progress, statistics};
}

Attempt* Attempts::run() {
  Lock lock(mutex_);
  bool is_hard = case_.options.strong.first_turn == 0;
  while (!is_over_ && !is_hard) {
    Entry& entry = *next();
    take_turn(entry, lock);
    is_hard = !entry.is_out;
  }
  if (!is_over_ && may_race() && start_race()) {
    lock.unlock();
    race();
  } else {
    while (!is_over_) take_turn(*next(), lock);
  }
  return decided_by_ == nullptr ? nullptr : decided_by_->attempt.get();
}

/// The attempt whose turn it is. In each round all attempts have one turn, in their order. Pieces
/// are added on the way. The result is null if all are running. There always is an attempt, as the
/// question asked is never out.
Attempts::Entry* Attempts::next() {
  Entry* first = nullptr;
  for (Entry& entry : entries_) {
    if (entry.is_out || entry.is_running) continue;
    if (first == nullptr || entry.round < first->round) first = &entry;
  }
  return first;
}

/// Other threads may take their turns meanwhile.
void Attempts::take_turn(Entry& entry, Lock& lock) {
  ISOSCOPE_REQUIRE(!entry.is_running && !entry.is_out && lock.owns_lock());
  entry.is_running = true;
  const Means means = means_of(entry);
  const std::uint64_t conflicts = turn_of(entry.round);
  lock.unlock();
  Attempt::State state = Attempt::State::open;
  try {
    if (!entry.attempt) entry.attempt = std::make_unique<Attempt>(case_, entry.question, means);
    state = entry.attempt->go_on(conflicts);
  } catch (...) {
    lock.lock();
    end();
    throw;
  }
  lock.lock();
  entry.is_running = false;
  ++entry.round;
  if (!is_over_) look_at(entry, state);
  changed_.notify_all();
}

/// Looks at what a turn has found out.
void Attempts::look_at(Entry& entry, Attempt::State state) {
  const bool is_piece = entry.question.is_piece();
  switch (state) {
    case Attempt::State::open:
      if (entry.is_out) return drop(entry);
      if (entry.attempt->has_no_order() && !is_piece) {
        if (!is_asked(entry.question)) return drop_question(entry.question);
        if (lost_.empty()) {
          lost_ = entry.attempt->lost();
          add_piece(entry.round - 1);
        }
      }
      if (entry.searches == Searches::frontiers && entry.attempt->frontiers_are_over()) {
        return drop(entry);
      }
      if (is_asked(entry.question) && most_conflicts_ != 0 &&
          entry.attempt->statistics().conflicts >= most_conflicts_) {
        end();
      }
      return;
    case Attempt::State::stopped:
      stop_reason_ = entry.attempt->stop_reason();
      return end();
    case Attempt::State::holds:
      if (!is_piece) return decide_by(entry);
      drop(entry);
      return add_piece(entry.round - 1);
    case Attempt::State::impossible:
      if (is_piece || is_asked(entry.question)) return decide_by(entry);
      return drop_question(entry.question);
  }
}

void Attempts::decide_by(const Entry& entry) {
  // Frontiers and the solver would contradict each other.
  const bool holds = entry.attempt->state() == Attempt::State::holds;
  ISOSCOPE_ENSURE(!holds || (lost_.empty() && !entry.is_out));
  decided_by_ = &entry;
  end();
}

void Attempts::end() {
  is_over_ = true;
  race_limits_.request_stop();
  changed_.notify_all();
}

void Attempts::drop(Entry& entry) {
  ISOSCOPE_REQUIRE(entry.attempt && !entry.is_running);
  entry.is_out = true;
  const AcyclicSolver::Statistics solver = entry.attempt->statistics();
  entry.statistics.decisions = solver.decisions;
  entry.statistics.conflicts = solver.conflicts;
  entry.attempt.reset();
}

/// Drops all attempts at that question, which is not the one that was asked. An attempt that is
/// running drops out after its turn.
void Attempts::drop_question(const Question& question) {
  ISOSCOPE_REQUIRE(!is_asked(question));  // or nobody would be left to decide it
  for (Entry& entry : entries_) {
    if (!are_same(entry.question, question)) continue;
    entry.is_out = true;
    if (!entry.is_running && entry.attempt) drop(entry);
  }
}

/// It has its first turn in this round.
void Attempts::add_piece(unsigned round) {
  if (piece_size_ >= lost_.size()) return;
  piece_size_ = piece_size_ == 0 ? first_piece : 2 * piece_size_;
  Question piece = asked_;
  piece.readers.assign(case_.history.transaction_count(), 0);
  for (std::size_t i = 0; i < std::min(piece_size_, lost_.size()); ++i) {
    piece.readers[lost_[i].index()] = 1;
  }
  entries_.push_back({.question = std::move(piece), .round = round});
}

std::string Attempts::established() const {
  if (!lost_.empty()) {
    return "no order keeps it, as a search of all that clients' clocks allow has found, but there "
           "is "
           "no proof of that which somebody else could confirm";
  }
  for (const Entry& entry : entries_) {
    if (is_asked(entry.question) && entry.attempt) return entry.attempt->established();
  }
  return "no single read speaks against it";
}

void Attempts::add_to(CheckStatistics& statistics) const {
  const Entry* main = &entries_.front();
  CheckStatistics all = {.phases = statistics.phases, .configurations = statistics.configurations};
  for (const Entry& entry : entries_) {
    if (is_asked(entry.question) && entry.attempt) main = &entry;
    const AcyclicSolver::Statistics solver =
        entry.attempt ? entry.attempt->statistics() : AcyclicSolver::Statistics{};
    all.decisions += entry.statistics.decisions + solver.decisions;
    all.conflicts += entry.statistics.conflicts + solver.conflicts;
    all.configurations += entry.statistics.configurations;
    for (const CheckStatistics::Phase& phase : entry.statistics.phases) add_phase(phase, all);
  }
  if (decided_by_ != nullptr) main = decided_by_;
  statistics = main->statistics;
  statistics.phases = std::move(all.phases);
  statistics.decisions = all.decisions;
  statistics.conflicts = all.conflicts;
  statistics.configurations = all.configurations;
  statistics.racing_threads = threads_;
}

}  // namespace isoscope::strong
