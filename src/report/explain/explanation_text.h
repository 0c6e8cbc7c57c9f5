#pragma once

#include <string>

#include "isoscope/base/json_writer.h"
#include "isoscope/report/explanation.h"

namespace isoscope::report {

/// "write skew (G2-item): T1 -> T2 -> T1"
std::string explanation_headline(const History& history, const Explanation& explanation);
/// The cycle or the cases, with a line for each fact, and the operations that they are about.
std::string explanation_text(const History& history, const Explanation& explanation);

/// "write skew (G2-item)", "G1c": the name, and in brackets what the cycle is.
std::string anomaly_words(Anomaly anomaly, std::optional<Anomaly> cycle_class);

/// The members `anomaly`, `cycle`, `contradiction` and `cases`, of an object that is open.
void explanation_json(JsonWriter& json, const History& history, const Explanation& explanation);

}  // namespace isoscope::report
