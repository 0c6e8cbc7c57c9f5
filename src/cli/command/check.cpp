#include <algorithm>
#include <cstdio>
#include <utility>

#include "cli/command/check_text.h"
#include "cli/level_option.h"
#include "cli/load.h"
#include "cli/save.h"
#include "isoscope/base/workers.h"
#include "isoscope/check/every_level.h"
#include "isoscope/check/several_levels.h"
#include "isoscope/check/without_real_time.h"
#include "isoscope/report/anomaly_search.h"
#include "isoscope/report/elle_report.h"
#include "isoscope/report/explanation.h"
#include "isoscope/report/frontier_report.h"
#include "isoscope/report/verdict_report.h"

namespace isoscope::cli {

namespace {

/// What a check has to say, kept until it is its turn.
struct Report {
  std::string result;
  std::vector<std::string> complaints;
  ExitCode code = exit_holds;
};

/// How much of the machine one history may have.
struct Share {
  std::reference_wrapper<Progress> progress = Progress::silent();
  unsigned threads = 1;
};

/// Whether --anomalies has names of what to look for, and not a number of what to tell.
bool names_anomalies(const Options& options) {
  const std::string& wanted = options.text("anomalies");
  return wanted != "all" && wanted.find_first_not_of("0123456789") != wanted.npos;
}

/// How many violations to tell: --anomalies N or all.
std::size_t wanted_anomalies(const Options& options) {
  const std::string& wanted = options.text("anomalies");
  if (names_anomalies(options)) return 1;
  return wanted == "all" ? SIZE_MAX : static_cast<std::size_t>(std::stoul(wanted));
}

report::Telling telling(const Invocation& invocation) {
  const Options& options = invocation.options;
  // Three bad reads take as many lines as one cycle.
  return {.full = options.text("explain") == "full",
          .most_bad_reads = options.is_set("anomalies") ? wanted_anomalies(options) : 3,
          .limits = invocation.limits};
}

/// A number from 1 on, or all.
Status check_anomalies(const Options& options) {
  const std::string& wanted = options.text("anomalies");
  const bool is_number = !wanted.empty() && wanted.size() <= 9 && !names_anomalies(options);
  if (wanted == "all" || (is_number && std::stoul(wanted) > 0)) return Done{};
  return Error{"--anomalies: expected a number from 1 on, 'all' or names, found '" + wanted + "'"};
}

/// How the check went, one line for each phase, for tuning and for comparing.
void add_statistics(const CheckStatistics& statistics, Report& report) {
  for (const CheckStatistics::Phase& phase : statistics.phases) {
    char line[80];
    std::snprintf(line, sizeof line, "%-12s %9.4f s", phase.name.c_str(), phase.seconds);
    report.complaints.emplace_back(line);
  }
  const auto add = [&](const char* name, std::uint64_t count) {
    char line[80];
    std::snprintf(line, sizeof line, "%-12s %9llu", name, static_cast<unsigned long long>(count));
    report.complaints.emplace_back(line);
  };
  add("writer pairs", statistics.writer_pairs);
  if (statistics.pairs_counted) add("open pairs", statistics.open_writer_pairs);
  add("edges", statistics.derived_edges);
  add("open reads", statistics.open_reads);
  if (statistics.unreturned_rows > 0) {
    add("other rows", statistics.unreturned_rows);
    add("row reads", statistics.row_reads);
  }
  add("misfits", statistics.misfits);
  add("rounds", statistics.rounds);
  add("choices", statistics.choices);
  add("decisions", statistics.decisions);
  add("conflicts", statistics.conflicts);
  add("configurations", statistics.configurations);
  if (statistics.racing_threads > 1) add("at once", statistics.racing_threads);
}

/// Writes the certificate; complains if there is nothing to write.
ExitCode save_certificate(const History& history, const Verdict& verdict, const std::string& path) {
  const auto certificate = certificate_of(verdict, history);
  if (!certificate) {
    complain("--certificate: " + certificate.error().what);
    return exit_unknown;
  }
  return save([&](ByteSink& sink) { return write_certificate(*certificate, sink); }, path);
}

StrongTechniques::When when(const std::string& word) {
  if (word == "off") return StrongTechniques::When::off;
  return word == "first" ? StrongTechniques::When::first : StrongTechniques::When::turns;
}

CheckOptions check_options(Invocation& invocation, const Share& share) {
  const Options& options = invocation.options;
  const auto assumptions = assumptions_option(options);  // question_of() has looked at it
  return {.limits = invocation.limits,
          .progress = share.progress,
          .threads = share.threads,
          .clock_skew = options.number("clock-skew"),
          .indeterminate_cuts = indeterminate_cuts_option(options),
          .clocks_guide = options.text("time") != "ignore",
          .certificate = options.is_set("certificate"),
          .anomalies = wanted_anomalies(options),
          .assumptions = assumptions ? *assumptions : std::vector<VersionAssumption>(),
          .strong = {.saturation = options.text("saturation") == "on",
                     .order_guides_polarity = options.text("order-guided") == "on",
                     .lazy_choices = options.text("lazy-choices") == "on",
                     .eager_width = static_cast<int>(options.number("eager-width")),
                     .frontiers = when(options.text("frontiers")),
                     .beginnings = when(options.text("beginnings"))}};
}

Report report_of(Invocation& invocation, const std::string& path, const History& history,
                 Verdict verdict, const Share& share) {
  Report report;
  const bool strict = invocation.options.flag("strict");
  if (strict) verdict = strictly(std::move(verdict));
  const bool json = invocation.options.text("format") == "json";
  const auto printed = [&](const Verdict& one) {
    return json ? report::verdict_json(path, history, one, invocation.limits)
                : report::verdict_text(path, history, one, telling(invocation));
  };
  report.result = printed(verdict);
  report.code = code_of(verdict.answer);
  if (invocation.options.is_set("certificate")) {
    const std::string& certificate = invocation.options.text("certificate");
    report.code = worse(report.code, save_certificate(history, verdict, certificate));
  }
  if (invocation.options.text("time") != "trust") return report;
  auto untimed = check_without_real_time(history, verdict, check_options(invocation, share));
  if (!untimed) return report;
  if (strict) untimed = strictly(*std::move(untimed));
  report.result += printed(*untimed);
  return report;
}

bool is_elle_json(const Invocation& invocation) {
  return invocation.options.text("format") == "elle-json";
}

/// All levels together, as Elle tells it.
Report elle_report(const Invocation& invocation, const std::string& path, const History& history,
                   std::vector<Verdict> verdicts) {
  if (invocation.options.flag("strict")) {
    for (Verdict& verdict : verdicts) verdict = strictly(std::move(verdict));
  }
  return {report::elle_json(path, history, verdicts), {}, code_of(report::answer_to_all(verdicts))};
}

/// What else a refutation rules out, as its story tells.
std::vector<LevelId> also_violated(const History& history, const Verdict& verdict,
                                   const Limits& limits) {
  if (!report::has_stories(*verdict.certificate)) return {};
  return report::explain(history, *verdict.certificate, limits).levels_ruled_out;
}

bool takes_session_order(const Options& options) { return options.text("session-order") != "off"; }

/// What an answer at every level comes to. Bad reads are wrong whatever was promised, unless the
/// promise allows them. If nothing else is expected, the recorded levels are the promise.
ExitCode code_for(const Frontier& frontier, bool strict) {
  const auto& promise = frontier.expected ? frontier.expected : frontier.recorded;
  const bool is_broken = promise ? promise->answer == Answer::violated : !frontier.findings.empty();
  if (is_broken) return exit_violated;
  const bool has_gap = strict && std::ranges::any_of(frontier.remarks, is_gap, &Remark::kind);
  const bool is_open = promise && promise->answer == Answer::unknown;
  return has_gap || is_open || !frontier.is_decided() ? exit_unknown : exit_holds;
}

/// What is asked of each file.
struct Question {
  std::vector<Level> levels;       ///< none: all of them
  std::optional<Level> expected;   ///< then: what was promised
  std::vector<Anomaly> anomalies;  ///< then: what to look for, instead of an answer to all
};

ExitCode code_for(report::AnomalySearch::Answer answer) {
  switch (answer) {
    case report::AnomalySearch::Answer::found:
      return exit_violated;
    case report::AnomalySearch::Answer::absent:
      return exit_holds;
    default:
      return exit_unknown;
  }
}

/// Says which of the anomalies the history has.
Report answer_anomalies(const Invocation& invocation, const std::string& path,
                        const History& history, const Frontier& frontier,
                        std::span<const Anomaly> anomalies) {
  Report report;
  for (const Anomaly anomaly : anomalies) {
    const auto search = report::find_anomaly_in(history, frontier, anomaly, invocation.limits);
    report.result += invocation.options.text("format") == "json"
                         ? report::anomaly_search_json(path, history, search)
                         : report::anomaly_search_text(path, history, search, telling(invocation));
    report.code = worse(report.code, code_for(search.answer));
  }
  return report;
}

/// Without --level: which levels hold, and which are violated? Of several files each has a line.
Report answer_every_level(Invocation& invocation, const std::string& path, const History& history,
                          const Share& share, const Question& question) {
  const Options& options = invocation.options;
  std::vector<std::pair<Level, CheckStatistics>> statistics;
  const Frontier frontier = check_every_level(
      history, {.each = check_options(invocation, share),
                .session_order = takes_session_order(options),
                .real_time = options.text("time") != "ignore",
                .expected = question.expected,
                .also_violated =
                    [&](const Verdict& v) { return also_violated(history, v, invocation.limits); },
                .statistics = options.flag("stats") ? &statistics : nullptr});
  if (!question.anomalies.empty()) {
    return answer_anomalies(invocation, path, history, frontier, question.anomalies);
  }
  Report report;
  if (options.text("format") == "json") {
    report.result = report::frontier_json(path, history, frontier, invocation.limits);
  } else if (invocation.arguments.size() > 1) {
    report.result = report::frontier_line(path, frontier);
  } else {
    report.result = report::frontier_text(path, history, frontier, telling(invocation));
  }
  report.code = code_for(frontier, options.flag("strict"));
  for (const auto& [level, of_level] : statistics) {
    report.complaints.push_back(text_of(level));
    add_statistics(of_level, report);
  }
  return report;
}

/// Every level is unknown for this reason.
Frontier undecided(const std::string& reason, bool session_order) {
  Frontier frontier;
  for (const LevelEntry& entry : isoscope::levels()) {
    const Level level{entry.id, session_order};
    if (!is_vacuous(level)) frontier.levels.push_back({.level = level, .reason = reason});
  }
  return frontier;
}

/// JSON has an object for each file and level, or for each file, also where a limit was reached
/// before there was a history.
std::vector<Report> reports_of_unloaded(const Invocation& invocation, const std::string& path,
                                        const std::vector<Level>& levels, const Error& error) {
  std::vector<Report> reports = {{"", {error.text()}, code_of(error.kind)}};
  const auto stopped = stopped_while_loading(invocation, error);
  if (!stopped || invocation.options.text("format") != "json") return reports;
  const std::string reason =
      "stopped while the history was read: " + std::string(name_of(*stopped));
  if (levels.empty()) {
    const Frontier frontier = undecided(reason, takes_session_order(invocation.options));
    reports.push_back({report::frontier_json(path, History(), frontier), {}, exit_unknown});
  }
  for (const Level level : levels) {
    Verdict verdict{.level = level};
    verdict.stopped = stopped;
    verdict.reason = reason;
    reports.push_back({report::verdict_json(path, History(), verdict), {}, exit_unknown});
  }
  return reports;
}

std::vector<Report> check_file(Invocation& invocation, const std::string& path,
                               const Question& question, const Share& share) {
  const std::vector<Level>& levels = question.levels;
  const auto loaded = load(invocation, path, share.progress, share.threads);
  if (!loaded) return reports_of_unloaded(invocation, path, levels, loaded.error());
  const History& history = loaded->history;
  if (levels.empty()) {
    return {answer_every_level(invocation, path, history, share, question)};
  }
  std::vector<CheckStatistics> statistics;
  const bool stats = invocation.options.flag("stats");
  const auto verdicts = check_levels(
      history, levels,
      {.each = check_options(invocation, share),
       // Several at once take several times the memory.
       .at_once = !invocation.options.is_set("memory-limit"),
       .also_violated =
           [&](const Verdict& v) { return also_violated(history, v, invocation.limits); },
       .statistics = stats ? &statistics : nullptr});
  if (is_elle_json(invocation)) return {elle_report(invocation, path, history, verdicts)};
  std::vector<Report> reports;
  for (const Verdict& verdict : verdicts) {
    reports.push_back(report_of(invocation, path, history, verdict, share));
    if (stats) add_statistics(statistics[reports.size() - 1], reports.back());
  }
  return reports;
}

ExitCode say(const std::vector<Report>& reports) {
  ExitCode worst = exit_holds;
  for (const Report& report : reports) {
    print(report.result);
    for (const std::string& complaint : report.complaints) complain(complaint);
    worst = worse(worst, report.code);
  }
  return worst;
}

/// Checks many files, some at once, each by one thread. Their reports come in order.
ExitCode check_files(Invocation& invocation, const Question& question, const Workers& workers) {
  const std::vector<std::string>& paths = invocation.arguments;
  const std::size_t most = std::size_t{16} * workers.threads();
  ExitCode worst = exit_holds;
  for (std::size_t first = 0; first < paths.size(); first += most) {
    std::vector<std::vector<Report>> reports(std::min(most, paths.size() - first));
    workers.run(reports.size(), [&](std::size_t i) {
      reports[i] = check_file(invocation, paths[first + i], question, {});
    });
    for (const auto& of_file : reports) worst = worse(worst, say(of_file));
  }
  return worst;
}

/// The levels to ask about, or what was promised. An Error if the options do not fit together.
Result<Question> question_of(const Invocation& invocation) {
  const Options& options = invocation.options;
  Question question;
  ISOSCOPE_TRY(levels, levels_option(options));
  ISOSCOPE_TRY(assumptions, assumptions_option(options));
  (void)assumptions;  // check_options() takes them
  question.levels = std::move(levels);
  if (const std::string left_out = levels_left_out(options); !left_out.empty()) complain(left_out);
  if (names_anomalies(options)) {
    ISOSCOPE_TRY(anomalies, anomalies_named(options.text("anomalies")));
    question.anomalies = std::move(anomalies);
    if (!question.levels.empty()) {
      return Error{"--anomalies: names are for a check without --level"};
    }
  } else {
    ISOSCOPE_TRY_STATUS(check_anomalies(options));
  }
  if (is_elle_json(invocation) && options.is_set("certificate")) {
    return Error{"--format elle-json: does not go with --certificate"};
  }
  // Elle asks for this if it is not told what to ask for.
  if (is_elle_json(invocation) && question.levels.empty() && !options.is_set("expect")) {
    question.levels.push_back({LevelId::strict_serializable});
  }
  if (options.is_set("certificate") &&
      (question.levels.size() != 1 || invocation.arguments.size() != 1)) {
    return Error{"--certificate: takes one history and one level"};
  }
  if (!options.is_set("expect")) return question;
  if (!question.levels.empty()) return Error{"--expect: is for a check without --level"};
  ISOSCOPE_TRY(expected, level_named(options.text("expect"), options));
  question.expected = expected;
  return question;
}

}  // namespace

ExitCode run_check(Invocation& invocation) {
  if (auto from = readable_format(invocation.options); !from) return wrong_usage(from.error());
  take_folders_apart(invocation);
  const std::vector<std::string> names = invocation.options.list("level");
  if (!names.empty() && is_text_name(names[0])) return check_texts(invocation);
  const auto question = question_of(invocation);
  if (!question) return wrong_usage(question.error());
  const Workers workers(static_cast<unsigned>(invocation.options.number("threads")));
  if (invocation.arguments.size() > 1) return check_files(invocation, *question, workers);
  const auto reports = check_file(invocation, invocation.arguments.front(), *question,
                                  {invocation.progress, workers.threads()});
  invocation.progress.finish();
  return say(reports);
}

}  // namespace isoscope::cli
