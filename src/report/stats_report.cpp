#include "isoscope/report/stats_report.h"

#include <vector>

#include "isoscope/base/json_writer.h"
#include "isoscope/base/words.h"
#include "isoscope/history/recorded_levels.h"
#include "isoscope/history/recorder_slips.h"

namespace isoscope::report {

namespace {

/// One question a user may have, and whether this history can answer it.
struct Ability {
  std::string_view question;
  bool possible;
  std::string why;
};

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string one_decimal(double value) {
  const auto tenths = static_cast<std::int64_t>(value * 10 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string seconds(std::int64_t first, std::int64_t last) {
  // Unsigned: the difference of two int64 may exceed int64.
  const std::uint64_t span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  return std::to_string(span / 1'000'000'000) + "." +
         std::to_string(1'000 + span % 1'000'000'000 / 1'000'000).substr(1) + " s";
}

std::vector<Ability> abilities(const HistoryStatistics& stats) {
  std::vector<Ability> list;
  const std::size_t reads = stats.count(OperationKind::read) +
                            stats.count(OperationKind::list_read) +
                            stats.count(OperationKind::predicate_read);
  list.push_back({"read anomalies", reads > stats.unreported_reads,
                  reads > stats.unreported_reads ? "" : "no read reports a value"});
  list.push_back({"session order", stats.longest_session > 1,
                  stats.longest_session > 1 ? "" : "no session has more than one transaction"});
  const bool timed = stats.timed_transactions != 0 && stats.committed_without_times == 0;
  list.push_back({"real-time order", timed,
                  timed ? ""
                  : stats.timed_transactions == 0
                      ? "no transaction has a begin or end time"
                      : std::to_string(stats.committed_without_times) +
                            " committed transactions lack a begin or end time"});
  const bool predicates =
      stats.count(OperationKind::predicate_read) + stats.count(OperationKind::predicate_write) != 0;
  list.push_back({"phantoms", predicates, predicates ? "" : "no operation has a predicate"});
  const bool lists = stats.count(OperationKind::list_read) != 0;
  list.push_back(
      {"version orders", lists, lists ? "" : "no list reads; orders of writes must be inferred"});
  const bool unique = stats.duplicate_writes == 0;
  list.push_back({"the writer of each value", unique,
                  unique ? ""
                         : one_decimal(percent(stats.duplicate_writes, stats.writes)) +
                               "% of the writes repeat a value"});
  return list;
}

constexpr OperationKind kinds[] = {OperationKind::read,           OperationKind::write,
                                   OperationKind::insert,         OperationKind::remove,
                                   OperationKind::append,         OperationKind::list_read,
                                   OperationKind::predicate_read, OperationKind::predicate_write};

constexpr Update::Function functions[] = {Update::Function::add, Update::Function::compare_and_set,
                                          Update::Function::swap};

/// At which levels transactions ran, if some say so; aborted ones are left out.
std::string levels_text(const History& history) {
  if (!history.has_recorded_levels()) return "";
  const RecordedLevels recorded = recorded_levels_of(history);
  std::string text;
  for (const LevelId level : recorded.levels()) {
    text += (text.empty() ? "" : ", ") + std::to_string(recorded.count(level)) + " " +
            std::string(name_of(level));
  }
  if (recorded.without != 0) {
    text += (text.empty() ? "" : ", ") + std::to_string(recorded.without) + " without";
  }
  return text.empty() ? "of aborted transactions only" : text;
}

std::string initial_text(const History& history) {
  std::string text;
  const auto value = history.initial_default();
  if (!value) {
    text = "none";
  } else {
    switch (history.values().kind(*value)) {
      case ValueKind::nil:
        text = "nil";
        break;
      case ValueKind::integer:
        text = std::to_string(history.values().integer_of(*value));
        break;
      case ValueKind::string:
        text = '"' + std::string(history.values().string_of(*value)) + '"';
        break;
      default:
        text = "a row";
        break;
    }
  }
  if (!history.initial_rows().empty())
    text += ", and " + std::to_string(history.initial_rows().size()) + " listed keys";
  return text;
}

/// What transactions of unknown outcome do to the sessions they are in.
std::string session_order_text(std::size_t neighbours, bool cuts) {
  if (neighbours == 0) return "not cut: nothing follows an indeterminate transaction";
  return std::string(cuts ? "cut" : "goes on") +
         " at indeterminate transactions: " + counted(neighbours, "transaction") +
         (cuts ? " not known to come after what was before"
               : " in order that would not be (--indeterminate-cuts on)");
}

}  // namespace

std::string stats_text(std::string_view name, Format format, const History& history,
                       bool indeterminate_cuts) {
  const HistoryStatistics stats = statistics_of(history);
  std::string text;
  const auto line = [&](std::string_view label, const std::string& value) {
    text += "  ";
    text += label;
    text.append(label.size() < 18 ? 18 - label.size() : 1, ' ');
    text += value + "\n";
  };
  text += std::string(name) + " (" + std::string(name_of(format)) + ")\n";
  if (!history.origin().empty()) line("origin", history.origin());
  line("sessions", std::to_string(stats.sessions));
  line("transactions", std::to_string(stats.transactions) + ": " +
                           std::to_string(stats.count(Outcome::committed)) + " committed, " +
                           std::to_string(stats.count(Outcome::aborted)) + " aborted, " +
                           std::to_string(stats.count(Outcome::indeterminate)) + " indeterminate");
  if (stats.empty_transactions != 0)
    line("", std::to_string(stats.empty_transactions) + " of them empty");
  if (stats.count(Outcome::indeterminate) != 0) {
    line("session order", session_order_text(cut_neighbours(history), indeterminate_cuts));
  }
  if (const std::string levels = levels_text(history); !levels.empty()) line("levels", levels);
  line("operations", std::to_string(stats.operations) + ", " +
                         std::to_string(stats.committed_operations) + " of committed transactions");
  for (const OperationKind kind : kinds) {
    if (stats.count(kind) != 0)
      line("", std::to_string(stats.count(kind)) + " " + std::string(name_of(kind)));
  }
  for (const Update::Function function : functions) {
    if (stats.count(function) == 0) continue;
    line("", counted(stats.count(function), "update") + " (" + std::string(word_of(function)) +
                 "), each a read, a write or both of the above");
  }
  if (stats.unreported_reads != 0)
    line("", std::to_string(stats.unreported_reads) + " whose result no client learned");
  line("keys", std::to_string(stats.keys) +
                   (stats.tables > 1 ? " in " + std::to_string(stats.tables) + " tables" : ""));
  line("initial value", initial_text(history));
  line("duplicate values", one_decimal(percent(stats.duplicate_writes, stats.writes)) + "% (" +
                               std::to_string(stats.duplicate_writes) + " of " +
                               std::to_string(stats.writes) + " writes)");
  if (history.time_source() == TimeSource::lines) {
    line("time span", "the order of lines");
  } else {
    line("time span", stats.first_time ? seconds(*stats.first_time, *stats.last_time) : "unknown");
  }
  text += "  can be checked for\n";
  for (const Ability& ability : abilities(stats)) {
    text += "    " + std::string(ability.possible ? "yes  " : "no   ") +
            std::string(ability.question) + (ability.why.empty() ? "" : ": " + ability.why) + "\n";
  }
  for (const RecorderSlip& slip : recorder_slips(history)) text += "  Remark: " + slip.text + "\n";
  return text;
}

std::string stats_json(std::string_view name, Format format, const History& history,
                       bool indeterminate_cuts) {
  const HistoryStatistics stats = statistics_of(history);
  const auto number = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-stats").integer(1);
  json.member("file").string(name).member("format").string(name_of(format));
  json.member("origin").string(history.origin());
  json.member("sessions").integer(number(stats.sessions));
  json.member("transactions").integer(number(stats.transactions));
  for (const Outcome outcome : {Outcome::committed, Outcome::aborted, Outcome::indeterminate}) {
    json.member(name_of(outcome)).integer(number(stats.count(outcome)));
  }
  json.member("indeterminate-cuts").boolean(indeterminate_cuts);
  json.member("cut-neighbours").integer(number(cut_neighbours(history)));
  if (history.has_recorded_levels()) {
    const RecordedLevels recorded = recorded_levels_of(history);
    json.member("levels").begin_object();
    for (const LevelId level : recorded.levels()) {
      json.member(name_of(level)).integer(number(recorded.count(level)));
    }
    json.end_object().member("without-level").integer(number(recorded.without));
  }
  json.member("empty-transactions").integer(number(stats.empty_transactions));
  json.member("operations").integer(number(stats.operations));
  json.member("committed-operations").integer(number(stats.committed_operations));
  json.member("operations-by-kind").begin_object();
  for (const OperationKind kind : kinds)
    json.member(name_of(kind)).integer(number(stats.count(kind)));
  json.end_object();
  json.member("updates").begin_object();
  for (const Update::Function function : functions) {
    json.member(word_of(function)).integer(number(stats.count(function)));
  }
  json.end_object();
  json.member("unreported-reads").integer(number(stats.unreported_reads));
  json.member("keys").integer(number(stats.keys)).member("tables").integer(number(stats.tables));
  json.member("writes").integer(number(stats.writes));
  json.member("duplicate-writes").integer(number(stats.duplicate_writes));
  json.member("duplicate-share").decimal(percent(stats.duplicate_writes, stats.writes) / 100, 4);
  json.member("first-time-ns");
  stats.first_time ? json.integer(*stats.first_time) : json.null();
  json.member("last-time-ns");
  stats.last_time ? json.integer(*stats.last_time) : json.null();
  json.member("checkable").begin_array();
  for (const Ability& ability : abilities(stats)) {
    json.begin_object()
        .member("question")
        .string(ability.question)
        .member("possible")
        .boolean(ability.possible);
    if (!ability.why.empty()) json.member("why").string(ability.why);
    json.end_object();
  }
  json.end_array().member("remarks").begin_array();
  for (const RecorderSlip& slip : recorder_slips(history)) {
    json.begin_object().member("kind").string(name_of(slip.kind));
    json.member("text").string(slip.text).end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

}  // namespace isoscope::report
