#include <cstdlib>
#include <string>

#include "isoscope/check/check.h"
#include "isoscope/history/format.h"

/// Whatever the litmus reader accepts can be checked at every level, and the answers fit together:
/// no level is violated without evidence, none holds that is not decided, and a history that
/// violates a level violates the stronger ones.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  ReadOptions options;
  options.format = Format::litmus;
  const Source source =
      Source::from_memory("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  const Result<History> history = read_history(source, options);
  if (!history) return 0;
  std::vector<Answer> answers;
  for (const LevelEntry& level : levels()) {
    const Verdict verdict = check(*history, Level{level.id});
    const bool refuted = !verdict.evidence.empty() || verdict.certificate.has_value();
    const bool said = !verdict.reason.empty();
    if (verdict.answer == Answer::violated && !refuted && !said) std::abort();
    if (verdict.answer == Answer::unknown && !said) std::abort();
    if (verdict.certificate && !settles(*verdict.certificate, verdict.level)) std::abort();
    answers.push_back(verdict.answer);
  }
  for (const LevelEntry& strong : levels()) {
    for (const LevelEntry& weak : levels()) {
      if (implies(strong.id, weak.id) &&
          answers[static_cast<std::size_t>(weak.id)] == Answer::violated &&
          answers[static_cast<std::size_t>(strong.id)] != Answer::violated) {
        std::abort();
      }
    }
  }
  return 0;
}
