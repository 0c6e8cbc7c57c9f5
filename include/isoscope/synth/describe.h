#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isoscope/spec/level_text.h"
#include "isoscope/synth/compare.h"
#include "isoscope/synth/confirm.h"
#include "isoscope/synth/lattice.h"
#include "isoscope/synth/recorded.h"

namespace isoscope::synth {

// Results in words, as JSON (docs/synth.md), and as pictures. Text is of whole lines.

/// "up to 5 transactions, 3 keys, 3 values"
std::string scope_text(const Scope& scope);

/// The history in litmus notation. If session order is not a set of sessions, the order follows.
std::string history_text(const Example& example);

/// One line per witness: an order as T1 < T2, a relation as T1 -> T2, a set as {T1}. The initial
/// transaction, which is always first, is left out.
std::string execution_text(const spec::Definition& level, const spec::Structure& history,
                           const spec::Execution& execution);

/// What cannot all be so, one line per demand, and what the axioms among them say.
std::string reasons_text(const spec::Definition& level, const spec::Structure& history,
                         const std::vector<Demand>& reasons);

/// The history, which levels allow it and how, and which forbid it and why.
std::string example_text(const Example& example);
std::string comparison_text(const Comparison& comparison, const spec::Definition& first,
                            const spec::Definition& second, const Scope& scope);
std::string lattice_text(const Lattice& lattice, const Scope& scope);
/// "FILE: LEVEL: holds", with an execution; VIOLATED, with the reasons; or unknown.
std::string recorded_text(std::string_view file, const spec::Definition& level,
                          const RecordedVerdict& verdict);

/// One line each. Several examples must be of the same question and scope.
std::string examples_json(const std::vector<Example>& examples, bool are_all, const Scope& scope);
std::string comparison_json(const Comparison& comparison, const spec::Definition& first,
                            const spec::Definition& second, const Scope& scope);
std::string lattice_json(const Lattice& lattice, const Scope& scope);
std::string recorded_json(std::string_view file, const spec::Definition& level,
                          const RecordedVerdict& verdict);

/// The transactions, coloured by session; arrows say why one comes before another: session order
/// (so), reads from (wr), and the witnesses of the allowing levels.
std::string example_svg(const Example& example);
/// Stronger levels above weaker ones.
std::string lattice_svg(const Lattice& lattice, const Scope& scope);

/// Level texts, each below its name; one as JSON; the names and titles of all shipped ones.
std::string texts_text(const std::vector<spec::LevelText>& texts);
std::string text_json(const spec::Definition& definition, const spec::LevelText& text);
std::string shipped_levels_text();

}  // namespace isoscope::synth
