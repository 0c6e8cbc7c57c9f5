#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/option_table.h"
#include "isoscope/base/same_file.h"
#include "isoscope/base/words.h"
#include "isoscope/certificate/coverage.h"
#include "isoscope/history/format.h"
#include "isoscope/verifier/verify.h"

// The program for those who do not trust the checker: does the certificate prove its claim?

namespace isoscope::verifier {

namespace {

enum ExitCode : int {
  exit_confirmed = 0,
  exit_usage = 2,
  exit_bad_input = 3,
  exit_refused = 10,
  exit_unknown = 20,
};

/// What was asked for besides the two files.
struct Request {
  ReadOptions reading;
  /// In ns; nothing: whatever the certificate says.
  std::optional<std::int64_t> clock_skew;
  bool strict = false;
};

constexpr const char* usage =
    "usage: isoscope-verify HISTORY CERTIFICATE [--from FORMAT] [--cobra-values written|unique]\n"
    "                       [--clock-skew DURATION] [--strict]\n";

constexpr const char* help =
    "Says whether CERTIFICATE, as 'isoscope check --certificate' writes it, proves what it claims\n"
    "about HISTORY.\n"
    "  --from FORMAT          the history's format, where it is not recognised\n"
    "  --cobra-values WHICH   as it was given to the check: written (the default) or unique\n"
    "  --clock-skew DURATION  refuse a certificate that has another clock skew, or none\n"
    "  --strict               a confirmed answer that leaves something out, as its remarks say,\n"
    "                         counts as unknown\n"
    "  --help, --version\n"
    "Exit codes: 0 confirmed, 10 refused, 20 unknown, 2 wrong usage, 3 a file that cannot be "
    "read.\n";

constexpr const char* version = "isoscope-verify " ISOSCOPE_VERSION ", certificates of version 1";

int wrong_usage(const std::string& what) {
  std::fprintf(stderr, "isoscope-verify: %s\n%s", what.c_str(), usage);
  return exit_usage;
}

int bad_input(const Error& error) {
  std::fprintf(stderr, "isoscope-verify: %s\n", error.text().c_str());
  return exit_bad_input;
}

Result<Certificate> load_certificate(const std::string& path) {
  ISOSCOPE_TRY(source, Source::open(path));
  return read_certificate(source);
}

Result<History> load_history(const std::string& path, const ReadOptions& options) {
  ISOSCOPE_TRY(source, Source::open(path));
  return read_history(source, options);
}

/// Does the certificate say what it was asked to say?
std::optional<Refusal> demanded(const Certificate& certificate, const Request& request) {
  if (!request.clock_skew) return std::nullopt;
  if (entry_of(certificate.level.id).kind != LevelKind::real_time) {
    return Refusal{"the certificate is not about real time, so it has no clock skew"};
  }
  if (certificate.clock_skew == *request.clock_skew) return std::nullopt;
  return Refusal{"the certificate's clock skew is " + duration_text(certificate.clock_skew) +
                 ", not " + duration_text(*request.clock_skew)};
}

int check(const std::string& history_path, const std::string& path, const Request& request) {
  const Result<History> history = load_history(history_path, request.reading);
  if (!history) return bad_input(history.error());
  const Result<Certificate> certificate = load_certificate(path);
  if (!certificate) return bad_input(certificate.error());
  std::optional<Refusal> refusal = demanded(*certificate, request);
  if (!refusal) refusal = verify(*history, *certificate);
  const std::string size = certificate->holds
                               ? std::to_string(certificate->order.size()) + " events"
                               : std::to_string(certificate->steps.size()) + " steps";
  const Coverage coverage = coverage_of(*history);
  std::vector<Remark> remarks;
  if (!refusal && certificate->holds) remarks = remarks_about(coverage, certificate->level);
  const std::string extent =
      coverage_words(coverage, certificate->level, certificate->clock_skew) + "; " + size;
  const std::string text =
      history_path + ": " + text_of(certificate->level) + ": " +
      (certificate->holds ? "holds: " : "violated: ") +
      (refusal ? "refused: " + refusal->reason : "confirmed by " + path + " (" + extent + ")") +
      "\n" + remark_lines(remarks);
  if (std::printf("%s", text.c_str()) < 0 || std::fflush(stdout) != 0) {
    return bad_input(Error{"cannot write to standard output"});
  }
  if (refusal) return exit_refused;
  const bool has_gap = std::ranges::any_of(remarks, is_gap, &Remark::kind);
  return request.strict && has_gap ? exit_unknown : exit_confirmed;
}

int run(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  Request request;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--help") return std::printf("%s%s", usage, help) < 0 ? exit_bad_input : 0;
    if (word == "--version") return std::puts(version) < 0 ? exit_bad_input : 0;
    if (word.size() < 2 || word[0] != '-') {
      files.push_back(word);
      continue;
    }
    if (word == "--strict") {
      request.strict = true;
      continue;
    }
    if (word != "--from" && word != "--cobra-values" && word != "--clock-skew") {
      return wrong_usage("unknown option " + word);
    }
    if (++i == words.size()) return wrong_usage(word + " needs a value");
    if (word == "--from") {
      const Result<Format> format = find_format(words[i]);
      if (!format) return wrong_usage("--from: " + format.error().what);
      request.reading.format = *format;
    } else if (word == "--clock-skew") {
      const Result<std::int64_t> skew = parse_duration(words[i]);
      if (!skew) return wrong_usage("--clock-skew: " + skew.error().what);
      request.clock_skew = *skew;
    } else if (words[i] == "written" || words[i] == "unique") {
      request.reading.cobra_unique_values = words[i] == "unique";
    } else {
      return wrong_usage("--cobra-values: expected written or unique, not '" + words[i] + "'");
    }
  }
  if (files.size() != 2) return wrong_usage("expected a history and a certificate");
  if (is_stream(files[0]) && is_same_stream(files[0], files[1]))
    return wrong_usage(files[0] + " and " + files[1] + " are one stream");
  return check(files[0], files[1], request);
}

}  // namespace

}  // namespace isoscope::verifier

int main(int count, char** words) {
  return isoscope::verifier::run(std::vector<std::string>(words + 1, words + count));
}
