#pragma once

#include <array>
#include <string_view>

#include "isoscope/certificate/certificate.h"

// What the writer and the reader of certificates have to agree on.

namespace isoscope::certificate_text {

/// The first lines of versions 1, 2 and 3.
inline constexpr std::array<std::string_view, Certificate::newest_version> first_lines = {
    "isoscope-certificate 1", "isoscope-certificate 2", "isoscope-certificate 3"};

/// What stands after a step's word, a letter for each: r the read, w the writer, o the other one, t
/// the third one, e events, l literals and hints, h "via" and hops.
struct StepForm {
  ProofStep::Kind kind;
  std::string_view word;
  std::string_view parts;
};

using Step = ProofStep::Kind;

inline constexpr std::array step_forms = {
    StepForm{Step::order, "order", "e"},       StepForm{Step::read, "read", "r"},
    StepForm{Step::from, "from", "rw"},        StepForm{Step::took, "took", "rw"},
    StepForm{Step::between, "between", "rwo"}, StepForm{Step::conflict, "conflict", "wo"},
    StepForm{Step::list, "list", "rwo"},       StepForm{Step::member, "member", "rw"},
    StepForm{Step::inside, "inside", "r"},     StepForm{Step::path, "path", "e"},
    StepForm{Step::lemma, "lemma", "l"},       StepForm{Step::left, "left", "rw"},
    StepForm{Step::rest, "rest", "rw"},        StepForm{Step::next, "next", "rwo"},
    StepForm{Step::apart, "apart", "rwot"},    StepForm{Step::sees, "sees", "rwoh"},
    StepForm{Step::follows, "follows", "rwo"}, StepForm{Step::circle, "circle", "wh"},
    StepForm{Step::stuck, "stuck", "e"},       StepForm{Step::base, "base", "rwo"},
};

/// How the text of a hop begins, in the order of the enumeration.
inline constexpr std::string_view hop_letters = "srwao";
static_assert(hop_letters.size() == static_cast<std::size_t>(Hop::Kind::earlier) + 1);

/// Steps that version 3 brought.
inline bool is_of_version_3(Step kind) {
  return kind == Step::sees || kind == Step::follows || kind == Step::circle ||
         kind == Step::stuck || kind == Step::base;
}

/// As digest() makes it.
inline bool is_digest(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

inline bool looks_at_time(LevelId level) {
  return level == LevelId::recorded || entry_of(level).kind == LevelKind::real_time;
}

}  // namespace isoscope::certificate_text
