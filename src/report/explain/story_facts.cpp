// The sentences of a story: one function for each kind of fact.

#include <algorithm>

#include "isoscope/history/litmus_text.h"
#include "report/explain/fact_words.h"
#include "report/explain/story.h"
#include "report/proof/writes.h"

namespace isoscope::report {

using Step = ProofStep::Kind;

void Story::tell_times(const FoldedEdge& edge, ExplainedFact& fact) const {
  const std::string from = label(edge.from_transaction());
  const std::string to = label(edge.to_transaction());
  if (edge.first.kind == FactKind::session_order) {
    const SessionId session = history_.session_of(*fact.from);
    fact.text = from + " comes before " + to + " in session " +
                value_text(history_, history_.session_name(session)) + ".";
    return;
  }
  const auto at = [](std::optional<std::int64_t> time) {
    return time ? " (at " + std::to_string(*time) + ")" : std::string();
  };
  fact.text = from + " ended" + at(history_.end_time(*fact.from)) + " before " + to + " began" +
              at(history_.begin_time(*fact.to));
  if (certificate_.clock_skew != 0) {
    fact.text +=
        ", more than the clock skew of " + std::to_string(certificate_.clock_skew) + " ns earlier";
  }
  fact.text += ".";
}

/// The literal by which an edge supposes where its read came from.
std::optional<Story::Literal> Story::selection_of(const Edge& edge) const {
  for (const Literal premise : facts_.premises(edge.step, edge.literal)) {
    if (proof_.meaning(premise).kind == ProofLiteral::Kind::selection) return premise;
  }
  return std::nullopt;
}

/// What an edge rests on was found before this place of the trail.
std::uint32_t Story::place_of(const Edge& edge) const {
  const bool known = facts_.is_true(edge.literal) && facts_.reason(edge.literal) == edge.step;
  return known ? facts_.place(edge.literal) : Propagation::none;
}

void Story::tell_read_dependency(const Edge& edge, int depth, ExplainedFact& fact) {
  const ProofStep& step = proof_.step(edge.step);
  const KeyId key = reads_.key(step.read);
  const auto write = final_write(history_, step.writer, key);
  fact.key = key;
  involve_write(step.writer, key, fact);
  involve(step.read, fact);
  fact.text = read_words(reads_, step.read);
  if (write && write->is_append() && reads_.is_item(step.read)) {
    fact.text += "; " + label(step.writer) + " " + write_words(history_, step.writer, key);
  } else {
    fact.text += seen_words(reads_, step.read, step.writer);
  }
  const auto selection = selection_of(edge);
  if (selection && facts_.is_true(*selection) && !is_sole_source(step.read, step.writer)) {
    if (facts_.reason(*selection) == Propagation::none) {
      fact.text += " in this case";
    } else {
      fact.text += "; it can be from nobody else, " +
                   by_exclusion(facts_.premises(*selection), depth + 1, fact.because);
    }
  }
  fact.text += ".";
}

void Story::tell_anti_dependency(const Edge& edge, int depth, ExplainedFact& fact) {
  const ProofStep& step = proof_.step(edge.step);
  const KeyId key = reads_.key(step.read);
  fact.key = key;
  involve(step.read, fact);
  involve_write(step.other, key, fact);
  involve_write(step.writer, key, fact);
  fact.text = read_words(reads_, step.read) + seen_words(reads_, step.read, step.writer);
  const std::string other = label(step.other);
  if (step.writer == 0) {
    fact.text += ", before " + other + " " + write_words(history_, step.other, key) + ".";
    return tell_only_source(edge, depth, fact);
  }
  const auto chain =
      order_.chain(Event::commit(step.writer), Event::commit(step.other), place_of(edge));
  const bool read_it_too = chain && chain->size() == 1 &&
                           chain->front().kind == FactKind::read_dependency &&
                           reads_.key(proof_.step(chain->front().step).read) == key;
  if (read_it_too) {
    const ReadNumber its = proof_.step(chain->front().step).read;
    involve(its, fact);
    fact.text += "; " + other + (reads_.is_item(its) ? " read" : " saw") + " that too, and " +
                 write_words(history_, step.other, key);
  } else {
    const std::string grounds = by_chain(Event::commit(step.writer), Event::commit(step.other),
                                         place_of(edge), depth + 1, fact.because);
    fact.text += "; " + other + " " + write_words(history_, step.other, key) + " after " +
                 label(step.writer) + ", " + grounds;
  }
  fact.text += ": " + before_words(edge) + ".";
  tell_only_source(edge, depth, fact);
}

/// For a read that other transactions might have served, were it not for what else is known.
void Story::tell_only_source(const Edge& edge, int depth, ExplainedFact& fact) {
  const ProofStep& step = proof_.step(edge.step);
  const auto selection = selection_of(edge);
  if (!selection || !facts_.is_true(*selection) || is_sole_source(step.read, step.writer) ||
      facts_.reason(*selection) == Propagation::none) {
    return;
  }
  const std::vector<Literal> premises = facts_.premises(*selection);
  const bool had_choice = std::ranges::any_of(premises, [&](Literal premise) {
    return proof_.meaning(premise).kind == ProofLiteral::Kind::selection;
  });
  if (step.writer == 0 && !had_choice) return;
  fact.text += (reads_.is_item(step.read) ? " The read can be from nobody but " + label(step.writer)
                                          : " It can have seen nothing else") +
               ", " + by_exclusion(premises, depth + 1, fact.because) + ".";
}

void Story::tell_overwrite(const Edge& edge, int depth, ExplainedFact& fact) {
  const ProofStep& step = proof_.step(edge.step);
  if (step.kind == Step::conflict) return tell_conflict(edge, depth, fact);
  const KeyId key = reads_.key(step.read);
  const std::uint32_t from = edge.from.transaction;
  const std::uint32_t to = edge.to.transaction;
  fact.key = key;
  involve_write(from, key, fact);
  involve_write(to, key, fact);
  involve(step.read, fact);
  if (step.kind == Step::list) {
    if (to != step.read.transaction) {
      fact.text = read_words(reads_, step.read) + ", so " + version_words(history_, from, key) +
                  " came before " + version_words(history_, to, key) + ".";
    } else {
      fact.text = read_words(reads_, step.read) + ", and appended itself: after " +
                  version_words(history_, from, key) + ".";
    }
    return;
  }
  if (step.kind == Step::next || step.kind == Step::apart)
    return tell_neighbours(edge, depth, fact);
  const Edge to_reader{Event::commit(from), Event::begin(step.read.transaction)};
  fact.text = version_words(history_, from, key) + " is older than " +
              version_words(history_, to, key) + ": " + label(step.read.transaction) +
              (reads_.is_item(step.read) ? " read" : " saw") + " the latter, and " +
              before_words(to_reader) + ", " +
              by_chain(to_reader.from, to_reader.to, place_of(edge), depth + 1, fact.because) + ".";
}

/// Two transactions whose appends stand one behind the other in a list.
void Story::tell_neighbours(const Edge& edge, int depth, ExplainedFact& fact) {
  const ProofStep& step = proof_.step(edge.step);
  const KeyId key = reads_.key(step.read);
  std::vector<std::string> numbers;
  for (const Literal premise : facts_.premises(edge.step, edge.literal)) {
    if (facts_.is_true(premise)) numbers.push_back(refer(premise, depth + 1, fact.because));
  }
  fact.text = version_words(history_, step.writer, key) + " came right after " +
              version_words(history_, step.other, key);
  if (step.kind == Step::apart) {
    involve_write(step.third, key, fact);
    fact.text += ", and " + label(step.third) + "'s appends not in between";
  }
  fact.text += ", " + by(numbers) + ": " + before_words(edge) + ".";
}

void Story::tell_conflict(const Edge& edge, int depth, ExplainedFact& fact) {
  const std::uint32_t from = edge.from.transaction;
  const std::uint32_t to = edge.to.transaction;
  fact.key = common_key(history_, from, to);
  if (fact.key) {
    involve_write(from, *fact.key, fact);
    involve_write(to, *fact.key, fact);
  }
  const std::string key = fact.key ? key_text(history_, *fact.key) : "one key";
  fact.text =
      label(from) + " and " + label(to) + " both wrote " + key +
      ", so one committed before the other began; " + label(from) + " began before " + label(to) +
      " committed, " +
      by_chain(Event::begin(from), Event::commit(to), place_of(edge), depth + 1, fact.because) +
      ", so it was " + label(from);
  if (fact.key) {
    fact.text += ", and " + overwrite_words(history_, from, to, *fact.key);
  }
  fact.text += ".";
}

/// What is told here is added to what makes `from` come before `to`.
void Story::tell_as_overwrite(KeyId key, ExplainedFact& fact) const {
  const std::uint32_t from = isoscope::number_of(*fact.from);
  const std::uint32_t to = isoscope::number_of(*fact.to);
  involve_write(from, key, fact);
  involve_write(to, key, fact);
  fact.kind = FactKind::overwrite;
  fact.key = key;
  fact.text += " Both wrote " + key_text(history_, key) + ", so " +
               overwrite_words(history_, from, to, key) + ".";
}

void Story::tell_outcomes(const Edge& edge, int depth, ExplainedFact& fact) {
  if (edge.step == Propagation::none) return;
  for (const Literal premise : facts_.premises(edge.step, edge.literal)) {
    const ProofLiteral meaning = proof_.meaning(premise);
    if (meaning.kind != ProofLiteral::Kind::committed || !facts_.is_true(premise)) continue;
    const std::string number = refer(premise, depth + 1, fact.because);
    fact.text += " " + label(meaning.writer) + " did commit, " + by({number}) + ".";
  }
}

/// Tells a statement about a read's source or about a transaction's outcome.
void Story::tell_statement(Literal literal, int depth, ExplainedFact& fact) {
  const ProofLiteral meaning = proof_.meaning(literal);
  const bool selection = meaning.kind == ProofLiteral::Kind::selection;
  fact.kind = selection ? FactKind::source : FactKind::outcome;
  const bool is_part = selection && meaning.read.elements != ReadNumber::whole;
  const auto subject =
      selection && (!is_part || meaning.writer == 0) ? meaning.read.transaction : meaning.writer;
  fact.to = TransactionId(subject - 1);
  if (selection) {
    fact.key = reads_.key(meaning.read);
    if (meaning.writer != 0 && !is_part) fact.from = TransactionId(meaning.writer - 1);
    involve(meaning.read, fact);
    involve_write(meaning.writer, *fact.key, fact);
  }
  fact.text = literal_words(reads_, certificate_.level, meaning);
  const std::uint32_t reason = facts_.reason(literal);
  if (reason == Propagation::none) {
    fact.text = "In this case " + fact.text + ".";
    return;
  }
  const ProofStep& step = proof_.step(reason);
  const std::uint32_t before = facts_.place(literal);
  const Event writer = Event::commit(step.writer);
  const Event reader = Event::begin(step.read.transaction);
  if (selection && meaning.negated && step.kind == Step::from) {
    fact.text += ": " + before_words({reader, writer}) + ", " +
                 by_chain(reader, writer, before, depth + 1, fact.because);
  } else if (selection && meaning.negated && step.kind == Step::between) {
    const Event other = Event::commit(step.other);
    involve_write(step.other, *fact.key, fact);
    fact.text += ": " + label(step.other) + " " + write_words(history_, step.other, *fact.key) +
                 " in between. " + before_words({other, reader}) + ", " +
                 by_chain(other, reader, before, depth + 1, fact.because);
    if (step.writer != 0) {
      fact.text += "; " + before_words({writer, other}) + ", " +
                   by_chain(writer, other, before, depth + 1, fact.because);
    }
  } else if (!selection && !meaning.negated && step.read.transaction != 0) {
    involve(step.read, fact);
    const KeyId key = reads_.key(step.read);
    involve_write(meaning.writer, key, fact);
    fact.text += ": " + read_words(reads_, step.read) + ", and only " + label(meaning.writer) +
                 " can have left that";
  } else {
    if (step.kind == Step::rest && !meaning.negated) {
      fact.text += ": somebody left that before " + version_words(history_, step.writer, *fact.key);
    }
    std::vector<std::string> numbers;
    for (const Literal premise : facts_.premises(literal)) {
      numbers.push_back(refer(premise, depth + 1, fact.because));
    }
    if (!numbers.empty()) fact.text += ", " + by(numbers);
  }
  fact.text += ".";
}

}  // namespace isoscope::report
