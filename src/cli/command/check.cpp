#include <algorithm>
#include <cstdio>
#include <utility>

#include "cli/command/check_text.h"
#include "cli/level_option.h"
#include "cli/load.h"
#include "cli/save.h"
#include "isoscope/base/workers.h"
#include "isoscope/check/first_pass.h"
#include "isoscope/check/several_levels.h"
#include "isoscope/check/without_real_time.h"
#include "isoscope/report/elle_report.h"
#include "isoscope/report/explanation.h"
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

/// How many violations to tell: --anomalies N or all.
std::size_t wanted_anomalies(const Options& options) {
  const std::string& wanted = options.text("anomalies");
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
  const bool digits = !wanted.empty() && wanted.size() <= 9 &&
                      wanted.find_first_not_of("0123456789") == wanted.npos;
  if (wanted == "all" || (digits && std::stoul(wanted) > 0)) return Done{};
  return Error{"--anomalies: expected a number from 1 on, or 'all', found '" + wanted + "'"};
}

Report list_findings(Invocation& invocation, const std::string& path, const History& history,
                     const Share& share) {
  Report report;
  const FirstPassResult result =
      first_pass(history, {.limits = invocation.limits, .progress = share.progress});
  if (result.stopped) {
    report.complaints.push_back(path + ": stopped: " + std::string(name_of(*result.stopped)));
    report.code = exit_unknown;
    return report;
  }
  const bool json = invocation.options.text("format") == "json";
  const std::vector<Remark> remarks = remarks_about(history, result);
  report.result =
      json ? report::findings_json(path, history, result.findings, remarks)
           : report::findings_text(path, history, result.findings, remarks, telling(invocation));
  if (!result.findings.empty()) report.code = exit_violated;
  const bool strict = invocation.options.flag("strict");
  if (strict && std::ranges::any_of(remarks, is_gap, &Remark::kind))
    report.code = worse(report.code, exit_unknown);
  return report;
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
  return {.limits = invocation.limits,
          .progress = share.progress,
          .threads = share.threads,
          .clock_skew = options.number("clock-skew"),
          .indeterminate_cuts = indeterminate_cuts_option(options),
          .clocks_guide = options.text("time") != "ignore",
          .certificate = options.is_set("certificate"),
          .anomalies = wanted_anomalies(options),
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
  if (!report::has_stories(verdict.certificate->level.id)) return {};
  return report::explain(history, *verdict.certificate, limits).levels_ruled_out;
}

/// With --level, JSON has an object for each file and level also where a limit was reached before
/// there was a history.
std::vector<Report> reports_of_unloaded(const Invocation& invocation, const std::string& path,
                                        const std::vector<Level>& levels, const Error& error) {
  std::vector<Report> reports = {{"", {error.text()}, code_of(error.kind)}};
  const auto stopped = stopped_while_loading(invocation, error);
  if (!stopped || invocation.options.text("format") != "json") return reports;
  for (const Level level : levels) {
    Verdict verdict{.level = level};
    verdict.stopped = stopped;
    verdict.reason = "stopped while the history was read: " + std::string(name_of(*stopped));
    reports.push_back({report::verdict_json(path, History(), verdict), {}, exit_unknown});
  }
  return reports;
}

std::vector<Report> check_file(Invocation& invocation, const std::string& path,
                               const std::vector<Level>& levels, const Share& share) {
  const auto loaded = load(invocation, path, share.progress, share.threads);
  if (!loaded) return reports_of_unloaded(invocation, path, levels, loaded.error());
  const History& history = loaded->history;
  if (levels.empty()) return {list_findings(invocation, path, history, share)};
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
ExitCode check_files(Invocation& invocation, const std::vector<Level>& levels,
                     const Workers& workers) {
  const std::vector<std::string>& paths = invocation.arguments;
  const std::size_t most = std::size_t{16} * workers.threads();
  ExitCode worst = exit_holds;
  for (std::size_t first = 0; first < paths.size(); first += most) {
    std::vector<std::vector<Report>> reports(std::min(most, paths.size() - first));
    workers.run(reports.size(), [&](std::size_t i) {
      reports[i] = check_file(invocation, paths[first + i], levels, {});
    });
    for (const auto& of_file : reports) worst = worse(worst, say(of_file));
  }
  return worst;
}

}  // namespace

ExitCode run_check(Invocation& invocation) {
  if (auto from = readable_format(invocation.options); !from) return wrong_usage(from.error());
  take_folders_apart(invocation);
  const std::vector<std::string> names = invocation.options.list("level");
  if (!names.empty() && is_text_name(names[0])) return check_texts(invocation);
  auto levels = levels_option(invocation.options);
  if (!levels) return wrong_usage(levels.error());
  if (auto anomalies = check_anomalies(invocation.options); !anomalies) {
    return wrong_usage(anomalies.error());
  }
  // Elle asks for this if it is not told what to ask for.
  if (is_elle_json(invocation) && levels->empty())
    levels->push_back({LevelId::strict_serializable});
  if (is_elle_json(invocation) && invocation.options.is_set("certificate"))
    return wrong_usage(Error{"--format elle-json: does not go with --certificate"});
  if (invocation.options.is_set("certificate") &&
      (levels->size() != 1 || invocation.arguments.size() != 1)) {
    return wrong_usage(Error{"--certificate: takes one history and one level"});
  }
  const Workers workers(static_cast<unsigned>(invocation.options.number("threads")));
  if (invocation.arguments.size() > 1) return check_files(invocation, *levels, workers);
  const auto reports = check_file(invocation, invocation.arguments.front(), *levels,
                                  {invocation.progress, workers.threads()});
  invocation.progress.finish();
  return say(reports);
}

}  // namespace isoscope::cli
