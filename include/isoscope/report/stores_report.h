#pragma once

#include <string>

#include "isoscope/store/store_kind.h"

namespace isoscope::report {

/// The embedded stores, what each promises, and which bugs each can have, for people.
std::string stores_text();
/// All of it, with the levels that each bug violates in each store, as one JSON object
/// (docs/json.md).
std::string stores_json();

/// One store: how it works, and the levels that it violates without a bug and with each.
std::string store_text(StoreKind kind);
/// The store's part of stores_json().
std::string store_json(StoreKind kind);

}  // namespace isoscope::report
