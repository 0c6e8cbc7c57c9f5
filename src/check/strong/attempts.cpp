#include "check/strong/attempts.h"

#include <algorithm>

namespace isoscope::strong {

namespace {

/// Conflicts of the first turn: most histories have fewer, and need no other attempt. The solver
/// has some ten thousand in a second.
constexpr std::uint64_t first_turn = 5'000;

/// Transactions of the first piece: those under way, and some before them.
constexpr std::size_t first_piece = 16;

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

}  // namespace

Attempts::Attempts(const Case& about, const Question& asked, std::uint64_t most_conflicts,
                   Workers workers)
    : case_(about), asked_(asked), most_conflicts_(most_conflicts), workers_(workers) {
  for (const Question& question : questions_for(asked, about.likely.are_clocks())) {
    entries_.push_back({question, nullptr});
  }
}

bool Attempts::is_asked(const Entry& entry) const {
  return !entry.question.is_piece() && entry.question.rules.real_time == asked_.rules.real_time &&
         entry.question.session_order == asked_.session_order;
}

Attempt* Attempts::run() {
  for (std::uint64_t turn = first_turn;; turn *= 2) {
    // Pieces are added on the way.
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].is_out) continue;
      if (take_turn(i, turn)) return entries_[i].attempt.get();
      if (stop_reason_) return nullptr;
      const Entry& entry = entries_[i];
      if (is_asked(entry) && most_conflicts_ != 0 &&
          entry.attempt->statistics().conflicts >= most_conflicts_) {
        return nullptr;
      }
    }
  }
}

/// True if that decides the question.
bool Attempts::take_turn(std::size_t which, std::uint64_t conflicts) {
  Entry& entry = entries_[which];
  if (!entry.attempt) entry.attempt = std::make_unique<Attempt>(case_, entry.question, workers_);
  const bool is_piece = entry.question.is_piece();
  switch (entry.attempt->go_on(conflicts)) {
    case Attempt::State::open:
      if (!entry.attempt->has_no_order() || is_piece) return false;
      if (!is_asked(entry)) break;
      if (lost_.empty()) {
        lost_ = entry.attempt->lost();
        add_piece();
      }
      return false;
    case Attempt::State::stopped:
      stop_reason_ = entry.attempt->stop_reason();
      return false;
    case Attempt::State::holds:
      if (!is_piece) return true;
      drop(entry);
      add_piece();
      return false;
    case Attempt::State::impossible:
      if (is_piece || is_asked(entry)) return true;
      break;
  }
  drop(entry);
  return false;
}

void Attempts::drop(Entry& entry) {
  entry.is_out = true;
  decisions_ += entry.attempt->statistics().decisions;
  conflicts_ += entry.attempt->statistics().conflicts;
  entry.attempt.reset();
}

void Attempts::add_piece() {
  if (piece_size_ >= lost_.size()) return;
  piece_size_ = piece_size_ == 0 ? first_piece : 2 * piece_size_;
  Question piece = asked_;
  piece.readers.assign(case_.history.transaction_count(), 0);
  for (std::size_t i = 0; i < std::min(piece_size_, lost_.size()); ++i) {
    piece.readers[lost_[i].index()] = 1;
  }
  entries_.push_back({std::move(piece), nullptr});
}

std::string Attempts::established() const {
  if (!lost_.empty()) {
    return "no order keeps it, as a search of all that clients' clocks allow has found, but there "
           "is "
           "no proof of that which somebody else could confirm";
  }
  for (const Entry& entry : entries_) {
    if (is_asked(entry) && entry.attempt) return entry.attempt->established();
  }
  return "no single read speaks against it";
}

std::uint64_t Attempts::decisions() const {
  std::uint64_t all = decisions_;
  for (const Entry& entry : entries_) {
    if (entry.attempt) all += entry.attempt->statistics().decisions;
  }
  return all;
}

std::uint64_t Attempts::conflicts() const {
  std::uint64_t all = conflicts_;
  for (const Entry& entry : entries_) {
    if (entry.attempt) all += entry.attempt->statistics().conflicts;
  }
  return all;
}

}  // namespace isoscope::strong
