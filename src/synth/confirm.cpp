#include "isoscope/synth/confirm.h"

#include <algorithm>

#include "isoscope/history/format.h"
#include "synth/describe_parts.h"
#include "synth/renaming.h"

namespace isoscope::synth {
namespace {

using spec::Base;
using spec::Definition;
using spec::Execution;
using spec::Matrix;
using spec::Structure;
using spec::Witness;

constexpr std::size_t most_transactions_to_try = 4;
constexpr std::uint64_t most_executions_to_try = 1u << 20;

/// May all executions of the level be tried one by one? Each order and each set counts. If a
/// relation has an upper bound, about half of all pairs are open.
bool are_executions_few(const Definition& level, const Structure& history) {
  const std::size_t n = history.transactions - 1;
  if (n > most_transactions_to_try) return false;
  std::uint64_t count = 1;
  const auto multiply = [&](std::uint64_t by) {
    count = std::min(count * by, most_executions_to_try + 1);
  };
  const auto orders_of = [&](std::size_t members) {
    for (std::size_t i = 2; i <= members; ++i) multiply(i);
  };
  const auto subsets_of = [&](std::size_t members) {
    for (std::size_t i = 0; i < members; ++i) multiply(2);
  };
  for (const Witness& witness : level.witnesses) {
    switch (witness.kind) {
      case Witness::Kind::total_order:
        orders_of(n);
        break;
      case Witness::Kind::relation:
        subsets_of(witness.at_most ? n * (n - 1) / 2 : n * n);
        break;
      case Witness::Kind::version_order:
        for (std::size_t x = 0; x < history.keys; ++x) orders_of(writers_of(history, x).size());
        break;
      case Witness::Kind::transaction_set:
        subsets_of(n);
        break;
      case Witness::Kind::key_set:
        subsets_of(history.keys);
        break;
    }
  }
  return count <= most_executions_to_try;
}

Error disagreement(const Definition& level, const std::string& what) {
  return Error{"internal error: " + level.name + " and the history that was found: " + what};
}

/// The numbers that things of the same names in `back` have in the example.
std::optional<Names> names_in(const Structure& example, const Structure& back) {
  Names names;
  const auto find = [](const std::vector<std::string>& wanted,
                       const std::vector<std::string>& among, std::vector<std::size_t>& numbers) {
    for (const std::string& name : wanted) {
      const auto at = std::ranges::find(among, name);
      if (at != among.end()) numbers.push_back(static_cast<std::size_t>(at - among.begin()));
    }
    return wanted.size() == among.size() && numbers.size() == among.size();
  };
  const bool same = find(back.transaction_names, example.transaction_names, names.transactions) &&
                    find(back.key_names, example.key_names, names.keys);
  return same ? std::optional(names) : std::nullopt;
}

/// The history as a reader of the written bytes gets it.
Result<Structure> read_back(const Example& example, Format format) {
  ISOSCOPE_TRY(text, format_history(recorded(example), format));
  ISOSCOPE_TRY(read, read_history(Source::from_memory("found", text), {.format = format}));
  ISOSCOPE_TRY(back, spec::structure_of(read));
  const Structure& history = example.history;
  const std::optional<Names> names = names_in(history, back);
  if (!names) return Error{"internal error: what was found has other keys when written"};
  back = renamed(back, *names);
  const bool orders_agree =
      (!has_sessions(history) || back.so == history.so) &&
      (!example.is_timed || back.rt == history.rt) &&
      (!mentions(example.question, Base::seen_before) || back.seen_before == history.seen_before);
  if (back.writes != history.writes || back.wr != history.wr || !orders_agree)
    return Error{"internal error: the history that was found is another one when written"};
  if (!has_sessions(history)) back.so = history.so;
  return back;
}

Status confirm_allowed(const Definition& level, const Structure& history,
                       const Execution& execution) {
  const spec::Judgement judgement = spec::judge(level, history, execution);
  if (judgement.allowed) return Done{};
  return disagreement(level, "its execution fails at " + judgement.why);
}

Status confirm_forbidden(const Definition& level, const Structure& history, const Limits& limits) {
  const auto allowed = is_allowed(level, history, limits);
  if (!allowed)
    return Error{.what = "stopped while confirming what was found", .kind = ErrorKind::stopped};
  if (allowed->execution) return disagreement(level, "it has an execution");
  if (are_executions_few(level, history) && spec::find_execution(level, history))
    return disagreement(level, "trying all executions finds one");
  return Done{};
}

}  // namespace

bool has_sessions(const Structure& history) {
  const std::size_t n = history.transactions;
  const auto together = [&](std::size_t a, std::size_t b) {
    return a == b || history.so.has(a, b) || history.so.has(b, a);
  };
  for (std::size_t a = 1; a < n; ++a) {
    for (std::size_t b = 1; b < n; ++b) {
      for (std::size_t c = 1; c < n; ++c) {
        if (together(a, b) && together(b, c) && !together(a, c)) return false;
      }
    }
  }
  return true;
}

History recorded(const Example& example) {
  if (has_sessions(example.history)) return spec::history_of(example.history, example.is_timed);
  Structure apart = example.history;
  apart.so = spec::empty_structure(apart.transactions - 1, apart.keys).so;
  return spec::history_of(apart, example.is_timed);
}

namespace {

Result<Example> confirm(const Question& question, const Found& found, const Limits& limits) {
  Example example{.question = question, .history = {}, .executions = {}, .reasons = {}};
  example.is_timed = mentions(question, Base::rt);
  example.history = found.history;
  example.executions = found.executions;
  ISOSCOPE_TRY(history, read_back(example, Format::native));
  ISOSCOPE_TRY(shown, read_back(example, Format::litmus));
  if (shown != history)
    return Error{"internal error: the history that was found is another one in litmus notation"};
  example.history = std::move(history);
  for (std::size_t i = 0; i < question.allow.size(); ++i) {
    ISOSCOPE_TRY_STATUS(
        confirm_allowed(*question.allow[i], example.history, example.executions[i]));
  }
  for (const Definition* level : question.forbid)
    ISOSCOPE_TRY_STATUS(confirm_forbidden(*level, example.history, limits));
  return example;
}

}  // namespace

Result<Example> confirmed(const Question& question, const Found& found, const Limits& limits) {
  Result<Example> example = confirm(question, found, limits);
  if (example || example.error().kind == ErrorKind::stopped) return example;
  // The history is our own. Whatever is wrong with it, a reader of it is not to blame.
  Error error = std::move(example).error();
  error.kind = ErrorKind::internal;
  return error;
}

void explain(Example& example, const Limits& limits) {
  example.reasons.clear();
  for (const Definition* level : example.question.forbid)
    example.reasons.push_back(why_forbidden(*level, example.history, limits));
}

}  // namespace isoscope::synth
