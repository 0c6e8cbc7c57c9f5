#pragma once

#include <string>

#include "isoscope/history/history.h"

namespace isoscope {

// Parts of a history in litmus notation (docs/formats/litmus.md), for messages and explanations.

/// x, accounts.7, "a key with spaces"
std::string key_text(const History& history, KeyId key);
/// nil, 5, "some text", [1 2 3], {v1:1 v2:2}
std::string value_text(const History& history, ValueId value);
/// w(x,1)
std::string operation_text(const History& history, const Operation& operation);
/// add(x,5,12)
std::string update_text(const History& history, const Update& update);
/// v1 >= 10 and not v2 is null
std::string predicate_text(const Predicate& predicate);
/// T1! w(x,1) r(y,nil)
std::string transaction_text(const History& history, TransactionId transaction);

}  // namespace isoscope
