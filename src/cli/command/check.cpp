#include "isoscope/check/check.h"

#include <cstdio>
#include <utility>

#include "cli/level_option.h"
#include "cli/load.h"
#include "cli/save.h"
#include "isoscope/check/first_pass.h"
#include "isoscope/report/verdict_report.h"

namespace isoscope::cli {

namespace {

ExitCode code_of(Answer answer) {
  switch (answer) {
    case Answer::holds:
      return exit_holds;
    case Answer::violated:
      return exit_violated;
    case Answer::unknown:
      return exit_unknown;
  }
  return exit_internal_error;
}

ExitCode list_findings(Invocation& invocation, const std::string& path, const History& history,
                       bool json) {
  const FirstPassResult result =
      first_pass(history, {.limits = &invocation.limits, .progress = &invocation.progress});
  invocation.progress.finish();
  if (result.stopped) {
    complain(path + ": stopped: " + std::string(name_of(*result.stopped)));
    return exit_unknown;
  }
  const auto& printer = json ? report::findings_json : report::findings_text;
  print(printer(path, history, result.findings));
  return exit_holds;
}

/// How the check went, one line for each phase; for those who tune it or compare.
void print_statistics(const CheckStatistics& statistics) {
  for (const CheckStatistics::Phase& phase : statistics.phases) {
    char line[80];
    std::snprintf(line, sizeof line, "%-12s %9.4f s", phase.name.c_str(), phase.seconds);
    complain(line);
  }
  const std::pair<const char*, std::uint64_t> counts[] = {
      {"edges", statistics.derived_edges}, {"open reads", statistics.open_reads},
      {"misfits", statistics.misfits},     {"rounds", statistics.rounds},
      {"choices", statistics.choices},     {"decisions", statistics.decisions},
      {"conflicts", statistics.conflicts},
  };
  for (const auto& [name, count] : counts) {
    char line[80];
    std::snprintf(line, sizeof line, "%-12s %9llu", name, static_cast<unsigned long long>(count));
    complain(line);
  }
}

/// Complains if there is nothing to write.
ExitCode save_certificate(const History& history, Verdict& verdict, const std::string& path) {
  if (!verdict.certificate) {
    complain("--certificate: " +
             std::string(verdict.answer == Answer::unknown ? "an unknown verdict has none"
                         : has_certificates(verdict.level.id)
                             ? "there are none yet for such a history (docs/certificates.md)"
                             : "there are none yet for this level (docs/certificates.md)"));
    return exit_unknown;
  }
  verdict.certificate->history_digest = digest(history);
  return save([&](ByteSink& sink) { return write_certificate(*verdict.certificate, sink); }, path);
}

CheckOptions check_options(Invocation& invocation, CheckStatistics& statistics) {
  const Options& options = invocation.options;
  return {.limits = &invocation.limits,
          .progress = &invocation.progress,
          .clock_skew = options.number("clock-skew"),
          .certificate = options.is_set("certificate"),
          .strong = {.saturation = options.text("saturation") == "on",
                     .order_guides_polarity = options.text("order-guided") == "on",
                     .lazy_choices = options.text("lazy-choices") == "on",
                     .eager_width = static_cast<int>(options.number("eager-width"))},
          .statistics = &statistics};
}

ExitCode check_file(Invocation& invocation, const std::string& path,
                    const std::vector<Level>& levels, bool json) {
  auto loaded = load(invocation, path);
  if (!loaded) return not_loaded(invocation, loaded.error());
  if (levels.empty()) return list_findings(invocation, path, loaded->history, json);
  ExitCode worst = exit_holds;
  for (const Level level : levels) {
    CheckStatistics statistics;
    Verdict verdict = check(loaded->history, level, check_options(invocation, statistics));
    invocation.progress.finish();
    const auto& printer = json ? report::verdict_json : report::verdict_text;
    print(printer(path, loaded->history, verdict));
    if (invocation.options.flag("statistics")) print_statistics(statistics);
    worst = worse(worst, code_of(verdict.answer));
    if (!invocation.options.is_set("certificate")) continue;
    const ExitCode saved =
        save_certificate(loaded->history, verdict, invocation.options.text("certificate"));
    worst = worse(worst, saved);
  }
  return worst;
}

}  // namespace

ExitCode run_check(Invocation& invocation) {
  if (auto from = readable_format(invocation.options); !from) return wrong_usage(from.error());
  const std::string& format = invocation.options.text("format");
  if (format == "svg") return wrong_usage(Error{"--format: check prints text or json"});
  const auto levels = levels_option(invocation.options);
  if (!levels) return wrong_usage(levels.error());
  if (invocation.options.is_set("certificate") &&
      (levels->size() != 1 || invocation.arguments.size() != 1)) {
    return wrong_usage(Error{"--certificate: takes one history and one level"});
  }
  ExitCode worst = exit_holds;
  for (const std::string& path : invocation.arguments) {
    worst = worse(worst, check_file(invocation, path, *levels, format == "json"));
  }
  return worst;
}

}  // namespace isoscope::cli
