#pragma once

#include <gtest/gtest.h>

#include <string>

#include "isoscope/history/format.h"
#include "isoscope/verifier/verify.h"

namespace isoscope::test {

inline History history_of(const std::string& litmus) {
  const Source source = Source::from_memory("history", litmus);
  Result<History> history = read_history(source, {.format = Format::litmus});
  EXPECT_TRUE(history) << litmus << "\n" << (history ? "" : history.error().text());
  return history ? *std::move(history) : History();
}

/// The certificate of the history with this text; what can be told from the history and the level
/// is filled in. `claim` starts with "holds" or "violated"; levels are as find_level takes them.
inline Certificate certificate_of(const History& history, const std::string& level,
                                  const std::string& claim, std::int64_t skew = 0) {
  const Level meant = *find_level(level);
  std::string text = "isoscope-certificate 1\nlevel " + std::string(name_of(meant.id)) +
                     "\nsession-order " + (meant.session_order ? "on" : "off") + "\n";
  text += entry_of(meant.id).kind == LevelKind::real_time
              ? "time client skew " + std::to_string(skew) + "\n"
              : "time ignored\n";
  text += "history sha256:" + digest(history) + "\nanswer " + claim + "end\n";
  const Source source = Source::from_memory("certificate", text);
  Result<Certificate> certificate = read_certificate(source);
  EXPECT_TRUE(certificate) << text << (certificate ? "" : certificate.error().text());
  return certificate ? *std::move(certificate) : Certificate();
}

/// "confirmed", or why not.
inline std::string answer(const History& history, const Certificate& certificate) {
  const auto refusal = verify(history, certificate);
  return refusal ? refusal->reason : "confirmed";
}

}  // namespace isoscope::test
