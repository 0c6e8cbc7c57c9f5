#pragma once

#include "isoscope/history/history.h"

namespace isoscope {

/// The order of keys that no operation names, whatever their ids are: by table and name, integers
/// first.
bool key_before(const History& history, KeyId a, KeyId b);

}  // namespace isoscope
