#include <cstdio>
#include <string>
#include <vector>

#include "isoscope/history/format.h"
#include "isoscope/verifier/verify.h"

// The program for those who do not trust the checker: does the certificate prove its claim?

namespace isoscope::verifier {

namespace {

enum ExitCode : int { exit_confirmed = 0, exit_usage = 2, exit_bad_input = 3, exit_refused = 10 };

constexpr const char* usage =
    "usage: isoscope-verify HISTORY CERTIFICATE [--from FORMAT] [--cobra-values written|unique]\n";

constexpr const char* help =
    "Says whether CERTIFICATE, as 'isoscope check --certificate' writes it, proves what it claims\n"
    "about HISTORY.\n"
    "  --from FORMAT          the history's format, where it is not recognised\n"
    "  --cobra-values WHICH   as it was given to the check: written (the default) or unique\n"
    "  --help, --version\n"
    "Exit codes: 0 confirmed, 10 refused, 2 wrong usage, 3 a file that cannot be read.\n";

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

int check(const std::string& history_path, const std::string& path, const ReadOptions& options) {
  const Result<History> history = load_history(history_path, options);
  if (!history) return bad_input(history.error());
  const Result<Certificate> certificate = load_certificate(path);
  if (!certificate) return bad_input(certificate.error());
  const std::optional<Refusal> refusal = verify(*history, *certificate);
  const std::string size = certificate->holds
                               ? std::to_string(certificate->order.size()) + " events"
                               : std::to_string(certificate->steps.size()) + " steps";
  const std::string text =
      history_path + ": " + text_of(certificate->level) + ": " +
      (certificate->holds ? "holds: " : "violated: ") +
      (refusal ? "refused: " + refusal->reason : "confirmed by " + path + " (" + size + ")");
  if (std::printf("%s\n", text.c_str()) < 0 || std::fflush(stdout) != 0) {
    return bad_input(Error{"cannot write to standard output"});
  }
  return refusal ? exit_refused : exit_confirmed;
}

int run(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  ReadOptions options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--help") return std::printf("%s%s", usage, help) < 0 ? exit_bad_input : 0;
    if (word == "--version") return std::puts(version) < 0 ? exit_bad_input : 0;
    if (word.size() < 2 || word[0] != '-') {
      files.push_back(word);
      continue;
    }
    if (word != "--from" && word != "--cobra-values") return wrong_usage("unknown option " + word);
    if (++i == words.size()) return wrong_usage(word + " needs a value");
    if (word == "--from") {
      const Result<Format> format = find_format(words[i]);
      if (!format) return wrong_usage("--from: " + format.error().what);
      options.format = *format;
    } else if (words[i] == "written" || words[i] == "unique") {
      options.cobra_unique_values = words[i] == "unique";
    } else {
      return wrong_usage("--cobra-values: expected written or unique, not '" + words[i] + "'");
    }
  }
  if (files.size() != 2) return wrong_usage("expected a history and a certificate");
  return check(files[0], files[1], options);
}

}  // namespace

}  // namespace isoscope::verifier

int main(int count, char** words) {
  return isoscope::verifier::run(std::vector<std::string>(words + 1, words + count));
}
