#include <cstdlib>
#include <string>

#include "isoscope/certificate/certificate.h"

/// Any text is a certificate, which is then the same after it was written and read again, or gets a
/// complaint of one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Result<Certificate> certificate = read_certificate(Source::from_memory("fuzz", text));
  if (!certificate) {
    const std::string complaint = certificate.error().text();
    if (certificate.error().what.empty() || complaint.find('\n') != complaint.npos) std::abort();
    return 0;
  }
  StringSink sink;
  if (!write_certificate(*certificate, sink)) std::abort();
  const Result<Certificate> again = read_certificate(Source::from_memory("written", sink.text()));
  if (!again || *again != *certificate) std::abort();
  return 0;
}
