#pragma once

#include "isoscope/base/option_table.h"
#include "isoscope/synth/question.h"

// What commands that search for histories take.

namespace isoscope::cli {

/// --txns, --keys and so on; `otherwise` where they are not given.
Result<synth::Scope> scope_option(const Options& options, synth::Scope otherwise);
/// Everything except what --no-smart and its like switch off.
synth::Strategy strategy_option(const Options& options);

}  // namespace isoscope::cli
