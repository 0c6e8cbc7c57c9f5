#pragma once

#include "isoscope/base/result.h"
#include "isoscope/record/open_database.h"
#include "isoscope/record/plug_in.h"

namespace isoscope::record {

/// Loads the driver NAME.so, which then stays loaded, from the first of these folders that has it:
/// the one that the environment variable ISOSCOPE_DRIVERS names; ../lib/isoscope, seen from where
/// the program is; and the one of an installed program. An Error says how to get it.
Result<SqlDriver*> load_driver(const DatabaseEntry& entry);

}  // namespace isoscope::record
