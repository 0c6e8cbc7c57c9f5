#pragma once

#include <gtest/gtest.h>

#include <string>

#include "history_of.h"
#include "isoscope/history/format.h"
#include "isoscope/verifier/verify.h"

namespace isoscope::test {

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
