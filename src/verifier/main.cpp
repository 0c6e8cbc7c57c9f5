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

// The program for users that do not trust the checker: does the certificate prove its claim?

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
  /// In ns. If it is not set, whatever the certificate says is accepted.
  std::optional<std::int64_t> clock_skew;
  std::optional<bool> indeterminate_cuts;
  std::optional<Level> level;
  bool strict = false;
};

constexpr const char* usage =
    "usage: isoscope-verify HISTORY CERTIFICATE [--from FORMAT] [--cobra-values written|unique]\n"
    "                       [--level NAME] [--time-from clocks|lines] [--clock-skew DURATION]\n"
    "                       [--indeterminate-cuts on|off] [--strict]\n";

constexpr const char* help =
    "Says whether CERTIFICATE, as 'isoscope check --certificate' writes it, proves what it claims\n"
    "about HISTORY.\n"
    "  --from FORMAT          the history's format, where it is not recognised\n"
    "  --cobra-values WHICH   as it was given to the check: written (the default) or unique\n"
    "  --level NAME           refuse a certificate from whose level this one's answer does not\n"
    "                         follow, as read-committed follows where serializable holds\n"
    "  --time-from WHICH      as it was given to the check: clocks (the default) or lines\n"
    "  --clock-skew DURATION  refuse a certificate that has another clock skew, or none\n"
    "  --indeterminate-cuts WHICH  refuse a certificate that says something else\n"
    "  --strict               a confirmed answer that leaves something out, as its remarks say,\n"
    "                         counts as unknown\n"
    "  -h, --help, -V, --version; 'help' and 'version' alone mean the same\n"
    "Exit codes: 0 confirmed, 10 refused, 20 unknown, 2 wrong usage, 3 a file that cannot be "
    "read.\n";

constexpr const char* version =
    "isoscope-verify " ISOSCOPE_VERSION ", certificates of versions 1, 2 and 3";

int wrong_usage(const std::string& what) {
  std::fprintf(stderr, "isoscope-verify: %s (isoscope-verify --help says more)\n", what.c_str());
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
std::optional<Refusal> demanded(const History& history, const Certificate& certificate,
                                const Request& request) {
  if (request.level && !settles(certificate, *request.level, history)) {
    return Refusal{"the certificate says nothing about " + text_of(*request.level)};
  }
  if (request.indeterminate_cuts && *request.indeterminate_cuts != certificate.indeterminate_cuts) {
    return Refusal{std::string("in the certificate transactions of unknown outcome ") +
                   (certificate.indeterminate_cuts ? "cut" : "do not cut") + " sessions"};
  }
  if (!request.clock_skew) return std::nullopt;
  if (certificate.level.id != LevelId::recorded &&
      entry_of(certificate.level.id).kind != LevelKind::real_time) {
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
  std::optional<Refusal> refusal = demanded(*history, *certificate, request);
  if (!refusal) refusal = verify(*history, *certificate);
  const std::string size = certificate->holds
                               ? std::to_string(certificate->order.size()) + " events"
                               : std::to_string(certificate->steps.size()) + " steps";
  const Coverage coverage = coverage_of(*history);
  std::vector<Remark> remarks;
  if (!refusal) {
    remarks = remarks_about(coverage, certificate->level, certificate->indeterminate_cuts,
                            !certificate->holds);
  }
  std::string extent =
      coverage_words(coverage, certificate->level, certificate->clock_skew) + "; " + size;
  if (request.level && *request.level != certificate->level) {
    extent += "; by " + text_of(certificate->level);
  }
  const std::string text =
      history_path + ": " + text_of(request.level.value_or(certificate->level)) + ": " +
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

/// Which of two words an option has: true for the first. Nothing if it is neither.
std::optional<bool> is_first(const std::string& word, const char* first, const char* second) {
  if (word == first) return true;
  if (word == second) return false;
  return std::nullopt;
}

/// Takes an option and its value into the request, or says what is wrong.
Status set(Request& request, const std::string& option, const std::string& value) {
  const auto expected = [&](const std::string& what) {
    return Error{option + ": expected " + what + ", not '" + value + "'"};
  };
  if (option == "--from") {
    const Result<Format> format = find_format(value);
    if (!format) return Error{option + ": " + format.error().what};
    request.reading.format = *format;
  } else if (option == "--cobra-values") {
    const auto written = is_first(value, "written", "unique");
    if (!written) return expected("written or unique");
    request.reading.cobra_unique_values = !*written;
  } else if (option == "--time-from") {
    const auto clocks = is_first(value, "clocks", "lines");
    if (!clocks) return expected("clocks or lines");
    request.reading.time_from = *clocks ? TimeSource::clocks : TimeSource::lines;
  } else if (option == "--level") {
    const Result<Level> level = value == name_of(LevelId::recorded)
                                    ? Result<Level>(Level{LevelId::recorded})
                                    : find_level(value);
    if (!level) return Error{option + ": " + level.error().what};
    request.level = *level;
  } else if (option == "--clock-skew") {
    const Result<std::int64_t> skew = parse_duration(value);
    if (!skew) return Error{option + ": " + skew.error().what};
    request.clock_skew = *skew;
  } else {
    request.indeterminate_cuts = is_first(value, "on", "off");
    if (!request.indeterminate_cuts) return expected("on or off");
  }
  return Done{};
}

int run(const std::vector<std::string>& words) {
  constexpr std::string_view with_value[] = {
      "--from", "--cobra-values", "--level", "--time-from", "--clock-skew", "--indeterminate-cuts"};
  std::vector<std::string> files;
  Request request;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool is_alone = words.size() == 1;  // no file has such a name then
    if (word == "--help" || word == "-h" || (is_alone && word == "help")) {
      return std::printf("%s%s", usage, help) < 0 ? exit_bad_input : 0;
    }
    if (word == "--version" || word == "-V" || (is_alone && word == "version")) {
      return std::puts(version) < 0 ? exit_bad_input : 0;
    }
    if (word.size() < 2 || word[0] != '-') {
      files.push_back(word);
    } else if (word == "--strict") {
      request.strict = true;
    } else if (std::ranges::count(with_value, word) == 0) {
      return wrong_usage("unknown option " + word);
    } else if (++i == words.size()) {
      return wrong_usage(word + " needs a value");
    } else if (const Status status = set(request, word, words[i]); !status) {
      return wrong_usage(status.error().what);
    }
  }
  if (files.size() != 2) return wrong_usage("expected HISTORY and CERTIFICATE");
  if (is_stream(files[0]) && is_same_stream(files[0], files[1]))
    return wrong_usage(files[0] + " and " + files[1] + " are one stream");
  return check(files[0], files[1], request);
}

}  // namespace

}  // namespace isoscope::verifier

int main(int count, char** words) {
  return isoscope::verifier::run(std::vector<std::string>(words + 1, words + count));
}
