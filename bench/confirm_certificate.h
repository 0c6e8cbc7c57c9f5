#pragma once

#include <optional>
#include <string>

namespace isoscope {

/// What provers by others took for a certificate of `isoscope protocol prove`: seconds of processor
/// time; nothing where the prover is not installed.
struct Confirmation {
  std::size_t questions = 0;
  std::optional<double> z3, cvc5;
  std::string complaint;  ///< what was answered wrongly, or not at all; "": everything is confirmed
};

/// Asks z3 and cvc5 every question of the certificate. cvc5 finds contradictions best in one way
/// and models in another, so it is asked in two runs, whose times are added up.
Confirmation confirm_certificate(const std::string& path);

}  // namespace isoscope
