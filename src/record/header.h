#pragma once

#include <string>

#include "isoscope/record/recorder.h"

namespace isoscope::record {

/// The name of a table of the set-up.
std::string_view table_name(const SetUp& set_up, TableId table);

/// The first line of the file: what the database held, and under "x-record" where the history comes
/// from, for people and for other programs.
std::string header_line(const RecordPlan& plan, const Database& database, const SetUp& set_up,
                        const HistoryBuilder& names);

}  // namespace isoscope::record
