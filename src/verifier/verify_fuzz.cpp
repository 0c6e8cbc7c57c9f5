#include <cstdlib>
#include <string>

#include "isoscope/history/format.h"
#include "isoscope/verifier/verify.h"

/// The first line is a history in litmus notation, the rest a certificate, taken to be about it:
/// whatever it says, it is confirmed, or refused in one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = text.find('\n');
  if (line_end == text.npos) return 0;
  const Result<Certificate> read =
      read_certificate(Source::from_memory("certificate", text.substr(line_end + 1)));
  if (!read) return 0;
  const Source source = Source::from_memory("history", text.substr(0, line_end));
  const Result<History> history = read_history(source, {.format = Format::litmus});
  if (!history) return 0;
  Certificate certificate = *read;
  certificate.history_digest = digest(*history);
  const auto refusal = verify(*history, certificate);
  if (refusal && (refusal->reason.empty() || refusal->reason.find('\n') != std::string::npos)) {
    std::abort();
  }
  return 0;
}
