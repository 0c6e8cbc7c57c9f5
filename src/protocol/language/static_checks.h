#pragma once

#include <string>
#include <vector>

#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// What a protocol must keep to so that it can run on several machines and be proved for any number
/// of clients, keys and transactions; docs/protocol-language.md says why. `source` is the text's
/// name, `declared` where each component is declared in it.
Status check_statically(const Model& model, const std::vector<Position>& declared,
                        const std::string& source);

/// Every event changes one client or one key only.
Status check_one_component(const Model& model, const std::string& source);

/// If some transactions are answered by the event that commits them, and none later, then all are:
/// a transaction that is never answered has no time at which it must have taken effect.
Status check_answers(const Model& model, const std::string& source);

/// What happens does not depend on history variables; the start depends on constants only.
Status check_what_is_read(const Model& model, const std::string& source);

/// No guard asks something of all keys that keys which nobody has touched do not fulfil.
Status check_all_keys(const Model& model, const std::string& source);

/// There is no cycle of functions between sorts.
Status check_functions(const Model& model, const std::vector<Position>& declared,
                       const std::string& source);

}  // namespace isoscope::protocol
