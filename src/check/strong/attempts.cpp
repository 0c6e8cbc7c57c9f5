#include "check/strong/attempts.h"

#include <algorithm>

namespace isoscope::strong {

namespace {

/// Conflicts of the first turn: most histories have fewer, and need no other attempt. The solver
/// has some ten thousand in a second.
constexpr std::uint64_t first_turn = 5'000;

/// The questions whose orders serve as well, and the one that was asked.
std::vector<Question> questions_for(const Question& asked, bool has_clocks) {
  std::vector<Question> questions;
  const auto add = [&](bool session_order) {
    questions.push_back({asked.rules, session_order});
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
  return entry.question.rules.real_time == asked_.rules.real_time &&
         entry.question.session_order == asked_.session_order;
}

Attempt* Attempts::run() {
  for (std::uint64_t turn = first_turn;; turn *= 2) {
    for (Entry& entry : entries_) {
      if (entry.is_out) continue;
      if (take_turn(entry, turn)) return entry.attempt.get();
      if (stop_reason_) return nullptr;
      const bool asked = is_asked(entry);
      if (asked && most_conflicts_ != 0 &&
          entry.attempt->statistics().conflicts >= most_conflicts_) {
        return nullptr;
      }
    }
  }
}

/// True if that decides the question.
bool Attempts::take_turn(Entry& entry, std::uint64_t conflicts) {
  if (!entry.attempt) entry.attempt = std::make_unique<Attempt>(case_, entry.question, workers_);
  switch (entry.attempt->go_on(conflicts)) {
    case Attempt::State::open:
      if (!entry.attempt->has_no_order() || is_asked(entry)) return false;
      break;
    case Attempt::State::stopped:
      stop_reason_ = entry.attempt->stop_reason();
      return false;
    case Attempt::State::holds:
      return true;
    case Attempt::State::impossible:
      break;
  }
  if (is_asked(entry)) return true;
  entry.is_out = true;
  decisions_ += entry.attempt->statistics().decisions;
  conflicts_ += entry.attempt->statistics().conflicts;
  entry.attempt.reset();
  return false;
}

std::string Attempts::established() const {
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
