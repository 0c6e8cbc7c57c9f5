#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "history_of.h"
#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/verifier/verify.h"

namespace isoscope::test {

inline constexpr std::array strong_level_ids = {
    LevelId::serializable,        LevelId::snapshot_isolation,
    LevelId::strict_serializable, LevelId::strong_snapshot_isolation,
    LevelId::prefix_consistency,  LevelId::repeatable_read};

/// All of these, with session order and without.
inline std::vector<Level> strong_levels() {
  std::vector<Level> all;
  for (const LevelId id : strong_level_ids) {
    for (const bool session_order : {true, false}) all.push_back({id, session_order});
  }
  return all;
}

/// What the tests that take each of these levels are called.
inline std::string level_name(const testing::TestParamInfo<Level>& level) {
  std::string name(name_of(level.param.id));
  std::ranges::replace(name, '-', '_');
  return name + (level.param.session_order ? "" : "_without_session_order");
}

/// The history as messages show it: in full if it is small.
inline std::string described(const History& history) {
  if (history.transaction_count() > 50) return "(a long history)";
  const Result<std::string> text = format_history(history, Format::litmus);
  return text ? *text : "(not writable)";
}

inline std::string text_of(const Certificate& certificate) {
  StringSink sink;
  if (!write_certificate(certificate, sink)) return "(not writable)";
  return sink.text();
}

/// The verifier confirms the verdict from its certificate, and from what the certificate's text
/// says, which is the same.
inline testing::AssertionResult is_confirmed(const History& history, const Verdict& verdict,
                                             std::int64_t clock_skew = 0) {
  const auto failure = [&] {
    return testing::AssertionFailure() << isoscope::text_of(verdict.level) << ", skew "
                                       << clock_skew << ", " << name_of(verdict.answer) << ": ";
  };
  if (!verdict.certificate) {
    return failure() << "no certificate: " << verdict.reason << "\n" << described(history);
  }
  const Result<Certificate> made = certificate_of(verdict, history);
  if (!made) return failure() << made.error().text() << "\n" << described(history);
  const Certificate& certificate = *made;
  if (certificate.holds != (verdict.answer == Answer::holds)) {
    return failure() << "the certificate says something else\n" << described(history);
  }
  if (certificate.level != verdict.level) return failure() << "the certificate's level differs";
  const std::string text = text_of(certificate);
  const Source source = Source::from_memory("certificate", text);
  const Result<Certificate> again = read_certificate(source);
  if (!again) return failure() << again.error().text() << "\n" << text;
  if (*again != certificate) return failure() << "read back differently\n" << text;
  if (const auto refusal = verify(history, *again)) {
    return failure() << refusal->reason << "\n"
                     << described(history) << "\n"
                     << (text.size() < 5000 ? text : "");
  }
  return testing::AssertionSuccess();
}

/// Checks with a certificate, which is confirmed.
inline Answer confirmed_answer(const History& history, Level level, CheckOptions options = {}) {
  options.certificate = true;
  const Verdict verdict = check(history, level, options);
  if (verdict.answer == Answer::unknown) {
    ADD_FAILURE() << isoscope::text_of(level) << ": " << verdict.reason << "\n"
                  << described(history);
  } else {
    EXPECT_TRUE(is_confirmed(history, verdict, options.clock_skew));
  }
  return verdict.answer;
}

inline Answer answer_of(bool holds) { return holds ? Answer::holds : Answer::violated; }

}  // namespace isoscope::test
