#include "isoscope/report/anomaly_search.h"

#include <algorithm>

#include "isoscope/base/words.h"
#include "report/explain/explanation_text.h"
#include "report/stories.h"
#include "report/verdict_parts.h"

namespace isoscope::report {

namespace {

using Found = AnomalySearch::Answer;

/// The names that a bad read goes by.
std::vector<Anomaly> names_of(const History& history, const BadRead& bad) {
  std::vector<Anomaly> names = {anomaly_of(bad.kind)};
  if (bad.problem == ReadProblem::repeated_element) names.push_back(Anomaly::duplicate_elements);
  const bool reads_aborted = bad.kind == ReadFinding::aborted_read;
  const auto writes_it = [&](const Operation& operation) {
    return operation.is_item_write() && operation.key() == bad.key;
  };
  const auto operations = history.operations(bad.read.transaction);
  // What it writes then builds on what it has read.
  if (reads_aborted && std::ranges::any_of(operations.subspan(bad.read.operation), writes_it)) {
    names.push_back(Anomaly::dirty_update);
  }
  return names;
}

bool is_one(std::span<const Anomaly> names, Anomaly wanted) {
  return std::ranges::any_of(names, [&](Anomaly name) { return implies(name, wanted); });
}

/// A story goes by a name only if it shows that every level is violated that forbids the anomaly. A
/// write that is missed, for example, may rest on the order in which its session wrote, of which
/// read-your-writes knows nothing.
bool is_one(const Explanation& told, Anomaly wanted) {
  const auto implied = [&](const std::optional<Anomaly>& name) {
    return name && implies(*name, wanted);
  };
  if (told.failed || (!implied(told.whole.anomaly) && !implied(told.whole.cycle_class))) {
    return false;
  }
  return std::ranges::all_of(levels(), [&](const LevelEntry& row) {
    return !forbids(Level{row.id}, wanted) || std::ranges::count(told.levels_ruled_out, row.id) > 0;
  });
}

bool has_operation(const History& history, bool (Operation::*is_one)() const) {
  for (const TransactionId t : history.transactions()) {
    if (std::ranges::any_of(history.operations(t), is_one)) return true;
  }
  return false;
}

bool is_list_operation(const Operation& operation) {
  return operation.kind() == OperationKind::append || operation.kind() == OperationKind::list_read;
}

bool has_lists(const History& history) {
  for (const TransactionId t : history.transactions()) {
    if (std::ranges::any_of(history.operations(t), is_list_operation)) return true;
  }
  return false;
}

/// Why no history of this kind shows the anomaly; empty if some do.
std::string why_unseeable(const History& history, const Frontier& frontier, Anomaly anomaly) {
  switch (anomaly) {
    case Anomaly::phantom:
    case Anomaly::predicate_write_skew:
    case Anomaly::predicate_many_preceders:
    case Anomaly::predicate_read_miss:
      if (!has_operation(history, &Operation::is_predicate)) return "no operation has a predicate";
      break;
    case Anomaly::duplicate_elements:
    case Anomaly::incompatible_order:
    case Anomaly::cyclic_versions:
    case Anomaly::non_monotonic_writes:
    case Anomaly::g0:
      if (!has_lists(history)) return "only lists show the order of versions, and there are none";
      break;
    case Anomaly::g_sia:
      return "no client can see when a transaction started";
    default:
      break;
  }
  const AnomalyOrder order = entry_of(anomaly).order;
  const bool without_sessions =
      !frontier.levels.empty() && !frontier.levels.front().level.session_order;
  if (order == AnomalyOrder::session_order && without_sessions) {
    return "session order does not count (--session-order off)";
  }
  if (order == AnomalyOrder::real_time && !frontier.left_out.empty()) {
    return history.has_times() ? "clocks do not count (--time ignore)" : "no times were recorded";
  }
  return "";
}

/// The level that excludes it.
const LevelAnswer* forbidding(const Frontier& frontier, Anomaly anomaly) {
  for (const LevelAnswer& one : frontier.levels) {
    if (one.answer == Answer::holds && forbids(one.level, anomaly)) return &one;
  }
  return nullptr;
}

void look_at_reads(const History& history, const Frontier& frontier, AnomalySearch& search) {
  for (const BadRead& bad : frontier.findings) {
    if (!is_one(names_of(history, bad), search.anomaly)) continue;
    if (!search.bad_read) search.bad_read = bad;
    ++search.count;
  }
}

void look_at_cycles(const History& history, const Frontier& frontier, const Limits& limits,
                    AnomalySearch& search) {
  for (const AnomalyCount& kind : frontier.anomalies) {
    if (implies(kind.kind, search.anomaly)) search.count += kind.count;
  }
  if (search.bad_read) return;
  Stories stories(history, frontier, limits);
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < frontier.verdicts.size(); ++i) {
    const auto& told = stories.of(i);
    if (!told || !is_one(*told, search.anomaly)) continue;
    if (!best || stories.length(i) < stories.length(*best)) best = i;
  }
  if (best) search.explanation = stories.of(*best);
}

}  // namespace

std::string_view name_of(Found answer) {
  switch (answer) {
    case Found::found:
      return "found";
    case Found::absent:
      return "absent";
    case Found::unseen:
      return "not-found";
    case Found::unseeable:
      return "cannot-be-seen";
  }
  return "";
}

AnomalySearch find_anomaly_in(const History& history, const Frontier& frontier, Anomaly anomaly,
                              const Limits& limits) {
  AnomalySearch search{.anomaly = anomaly};
  look_at_reads(history, frontier, search);
  look_at_cycles(history, frontier, limits, search);
  if (search.bad_read || search.explanation) {
    search.answer = Found::found;
    search.count = std::max<std::uint64_t>(search.count, 1);
    return search;
  }
  search.count = 0;
  if (const LevelAnswer* const level = forbidding(frontier, anomaly)) {
    search.answer = Found::absent;
    search.reason = text_of(level->level) + " holds, and forbids it";
    return search;
  }
  search.reason = why_unseeable(history, frontier, anomaly);
  if (!search.reason.empty()) {
    search.answer = Found::unseeable;
  } else {
    search.reason = frontier.is_decided() ? "no level that forbids it holds"
                                          : "no level that forbids it is known to hold";
  }
  return search;
}

std::string anomaly_search_text(std::string_view file, const History& history,
                                const AnomalySearch& search, const Telling& telling) {
  std::string text = std::string(file) + ": " + std::string(name_of(search.anomaly)) + ": ";
  switch (search.answer) {
    case Found::found:
      text += with_commas(search.count) + " found";
      break;
    case Found::absent:
      return text + "none: " + search.reason + "\n";
    case Found::unseen:
      return text + "none found, but " + search.reason + "\n";
    case Found::unseeable:
      return text + "cannot be seen: " + search.reason + "\n";
  }
  if (search.explanation) {
    return text + ": " + explanation_headline(history, *search.explanation) + "\n" +
           story(history, *search.explanation, telling, telling.most_lines);
  }
  text += "\n";
  append_findings(text, history, std::span(&*search.bad_read, 1), 1);
  return text;
}

std::string anomaly_search_json(std::string_view file, const History& history,
                                const AnomalySearch& search) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-anomaly-search").integer(1).member("file").string(file);
  json.member("searched").string(name_of(search.anomaly));
  json.member("answer").string(name_of(search.answer));
  json.member("count").integer(static_cast<std::int64_t>(search.count));
  if (search.answer != Found::found) json.member("reason").string(search.reason);
  json.member("evidence");
  findings_json(json, history,
                std::span(search.bad_read ? &*search.bad_read : nullptr,
                          search.bad_read ? std::size_t{1} : std::size_t{0}));
  if (search.explanation) explanation_json(json, history, *search.explanation);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace isoscope::report
