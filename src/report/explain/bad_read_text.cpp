#include "report/explain/bad_read_text.h"

#include <algorithm>
#include <vector>

#include "isoscope/base/words.h"
#include "isoscope/history/litmus_text.h"
#include "report/explain/shortened.h"
#include "report/explain/update_words.h"

namespace isoscope::report {

namespace {

std::string short_value(const History& history, ValueId value) {
  return shortened(value_text(history, value));
}

/// The distinct transactions of the involved operations: "T1", "T1 and T2", "T1, T2 and 4 more
/// operations".
struct Writers {
  std::string names;
  bool plural = false;
};

Writers writers_of(const History& history, const BadRead& bad) {
  std::vector<TransactionId> distinct;
  for (const OperationRef& operation : bad.involved()) {
    if (distinct.empty() || distinct.back() != operation.transaction)
      distinct.push_back(operation.transaction);
  }
  Writers writers{{}, distinct.size() > 1 || bad.involved_left_out() != 0};
  const auto label = [&](TransactionId transaction) { return history.label(transaction); };
  writers.names = bad.involved_left_out() == 0 ? listed(distinct, " and ", label)
                                               : joined(distinct, label) + " and others";
  return writers;
}

/// What an involved operation did, as a past participle: "written x = 2", "deleted x".
std::string deed(const History& history, const OperationRef& at, KeyId key) {
  const Operation& operation = history.operations(at.transaction)[at.operation];
  ValueId value = ValuePool::nil;
  if (operation.is_predicate()) {
    for (const RowVersion& row : history.predicate_access(operation).rows) {
      if (row.key == key) value = row.value;
    }
  } else {
    value = operation.value();
  }
  if (value == ValuePool::nil) return "deleted " + key_text(history, key);
  const std::string assignment = key_text(history, key) + " = " + short_value(history, value);
  if (operation.kind() == OperationKind::append) {
    return "appended " + short_value(history, value) + " to " + key_text(history, key);
  }
  return "written " + assignment;
}

/// "T2 read x = 1"
std::string what_was_read(const History& history, const BadRead& bad) {
  if (auto update = update_words(history, bad.read.transaction, bad.read.operation)) return *update;
  return history.label(bad.read.transaction) + " read " + key_text(history, bad.key) + " = " +
         short_value(history, bad.value);
}

/// Would the predicate select the value if it were one of a register?
bool is_selected(const History& history, const BadRead& bad) {
  const Operation& read = history.operations(bad.read.transaction)[bad.read.operation];
  const Predicate& predicate = history.predicate(history.predicate_access(read).predicate);
  return evaluate(predicate, history.values(), history.key_name(bad.key), bad.value) == Truth::yes;
}

}  // namespace

std::string bad_read_name(const History& history, const BadRead& bad) {
  constexpr std::string_view read = "read";
  std::string name(name_of(bad.kind));
  const Operation& operation = history.operations(bad.read.transaction)[bad.read.operation];
  if (operation.is_predicate() && name.ends_with(read)) {
    name.insert(name.size() - read.size(), "predicate ");
  }
  return name;
}

std::string bad_read_sentence(const History& history, const BadRead& bad) {
  const std::string reader = history.label(bad.read.transaction);
  const std::string key = key_text(history, bad.key);
  const std::string saw = what_was_read(history, bad);
  const Operation& read = history.operations(bad.read.transaction)[bad.read.operation];
  const bool list =
      history.values().kind(bad.value) == ValueKind::list && bad.element != ValuePool::unreported;
  const std::string what = list ? "its element " + short_value(history, bad.element) : "that";
  const Writers writers = writers_of(history, bad);
  const auto own_deed = [&] {
    return bad.involved().empty() ? "changed " + key : deed(history, bad.involved()[0], bad.key);
  };
  const std::string verb =
      read.kind() == OperationKind::predicate_write ? " changed rows" : " read";
  // Writes that a predicate should not have seen, and why.
  const auto useless_writes = [&](const std::string& which) {
    const std::string wrote = " wrote what is " + which;
    if (bad.kind == ReadFinding::aborted_read) {
      return "only " + writers.names + wrote + ", and " +
             (writers.plural ? "they" : writers.names) + " aborted";
    }
    if (bad.kind == ReadFinding::intermediate_read) {
      return "only " + writers.names + wrote + ", and changed it again before committing";
    }
    return "only " + reader + " itself" + wrote + ", later";
  };
  switch (bad.problem) {
    case ReadProblem::own_write:
      return saw + " after it had itself " + own_deed() + ".";
    case ReadProblem::own_append:
      return saw + " after it had itself " + own_deed() + ": the list must end in its own appends.";
    case ReadProblem::own_row_missing:
      return reader + verb + " by predicate and did not get " + key + ", though it had itself " +
             own_deed() + ", which the predicate selects.";
    case ReadProblem::own_row_unselected:
      return reader + " changed " + key + " by predicate after it had itself " + own_deed() +
             ", which the predicate does not select.";
    case ReadProblem::row_not_selected:
      return reader + " read by predicate and got " + key + " = " +
             short_value(history, bad.value) + ", which " +
             (is_selected(history, bad) ? "is the empty list to a key that holds lists: no row."
                                        : "the predicate does not select.");
    case ReadProblem::aborted_writer:
      return saw + ", but only " + writers.names + " wrote " + what + ", and " +
             (writers.plural ? "they" : writers.names) + " aborted.";
    case ReadProblem::overwritten:
      return saw + ", which " + writers.names + (writers.plural ? " themselves" : " itself") +
             " changed again before committing.";
    case ReadProblem::torn_appends:
      return saw + ", which has some of the appends of " + writers.names +
             " without the others, or out of order.";
    case ReadProblem::unexplained_list:
      return saw + ", a list that no order of the recorded appends makes.";
    case ReadProblem::own_later_write:
      return saw + ", but nobody had written " + what + " yet: only " + reader +
             " itself did, later.";
    case ReadProblem::never_written:
      return saw + ", but nobody ever wrote " + what + ".";
    case ReadProblem::repeated_element:
      return saw + ", which has " + what + " more often than it was appended.";
    case ReadProblem::row_missing:
      return reader + verb + " by predicate and did not get " + key +
             ", though the predicate selects " +
             (bad.involved().empty()
                  ? "everything that was ever there."
                  : "every version of it: " + useless_writes("not selected") + ".");
    case ReadProblem::changed_unselected:
      return reader + " changed " + key + " by predicate, but the predicate selects " +
             (bad.involved().empty() ? "nothing that was ever there."
                                     : "no version of it: " + useless_writes("selected") + ".");
    case ReadProblem::lost_initial:
      return saw + ", which does not start with the list the key had initially.";
    case ReadProblem::changed: {
      if (bad.involved().empty()) return saw + ", and another value before.";
      const OperationRef before = bad.involved()[0];
      const Operation& first = history.operations(before.transaction)[before.operation];
      if (first.is_predicate() || read.is_predicate()) {
        return saw + ", and another value of it before, without changing " + key + " in between.";
      }
      return reader + " read " + key + " = " + short_value(history, first.value()) + " and later " +
             key + " = " + short_value(history, bad.value) + ", without changing " + key +
             " in between.";
    }
  }
  return saw + ".";
}

std::string bad_read_operations(const History& history, const BadRead& bad, std::size_t indent) {
  std::vector<OperationRef> operations(bad.involved().begin(), bad.involved().end());
  operations.push_back(bad.read);
  struct Line {
    std::string who;
    std::string what;
  };
  std::vector<Line> lines;
  std::size_t width = 0;
  for (const OperationRef& at : operations) {
    const TransactionId t = at.transaction;
    std::string who = history.label(t) + " (session " +
                      short_value(history, history.session_name(history.session_of(t)));
    if (history.outcome(t) != Outcome::committed)
      who += ", " + std::string(name_of(history.outcome(t)));
    who += "), operation " + std::to_string(at.operation + 1) + ":";
    width = std::max(width, who.size());
    lines.push_back(
        {std::move(who), shortened(operation_text(history, history.operations(t)[at.operation]))});
  }
  std::string text;
  for (const Line& line : lines) {
    text += std::string(indent, ' ') + line.who + std::string(width - line.who.size() + 1, ' ') +
            line.what + "\n";
  }
  if (bad.involved_left_out() != 0) {
    text += std::string(indent, ' ') + "and " + std::to_string(bad.involved_left_out()) +
            " more operations\n";
  }
  return text;
}

}  // namespace isoscope::report
