#include "protocol/describe/coverage_json.h"

namespace isoscope::protocol {

void coverage_json(const Model& model, const Coverage& coverage, JsonWriter& json) {
  const auto number = [&](std::string_view name, std::uint64_t value) {
    json.member(name).integer(static_cast<std::int64_t>(value));
  };
  json.member("coverage").begin_object();
  number("commits", coverage.commits);
  number("committed-writers", coverage.writers);
  number("committed-readers", coverage.readers);
  number("committed-readers-of-others", coverage.readers_of_others);
  number("random-runs", coverage.runs);
  number("random-runs-with-overlapping-conflicts", coverage.runs_with_overlap);
  json.member("events-never-taken").begin_array();
  for (const std::string& event : events_never_taken(model, coverage)) json.string(event);
  json.end_array().end_object();
}

}  // namespace isoscope::protocol
