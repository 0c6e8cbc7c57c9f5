#pragma once

#include <optional>

#include "isoscope/spec/evaluate.h"
#include "synth/encoder.h"

namespace isoscope::synth {

/// A strict total order of 0...n-1 with 0 first: free to choose, or 0, 1, 2...
BitRelation free_order(Circuit& circuit, std::size_t n);
BitRelation numbering(std::size_t n);

/// Gives the encoder a witness of every kind the definition asks for, free to choose but of the
/// right kind. The total order number `fixed`, if given, is the numbering of the transactions.
void add_free_execution(Circuit& circuit, Encoder& encoder, const spec::Definition& definition,
                        std::size_t transactions, std::size_t keys, const BitRelation& writes,
                        std::optional<std::size_t> fixed);

/// Gives the encoder the witnesses of a known execution. Its version orders become orders of all
/// transactions, restricted to those that write the key. So they are of the right kind for other
/// histories, too.
void add_constant_execution(Circuit& circuit, Encoder& encoder, const spec::Definition& definition,
                            const spec::Execution& execution, const BitRelation& writes);

/// Are the encoder's witnesses of the right kind? For those that were computed, not chosen.
Bit have_right_kinds(Circuit& circuit, const Encoder& encoder, const spec::Definition& definition,
                     const BitRelation& writes);

/// Do the encoder's witnesses keep their bounds, and fulfil all axioms?
Bit is_execution(Circuit& circuit, Encoder& encoder, const spec::Definition& definition);

/// What the model says of the encoder's witnesses.
spec::Execution execution_of(const Circuit& circuit, const Encoder& encoder,
                             const spec::Definition& definition);

}  // namespace isoscope::synth
