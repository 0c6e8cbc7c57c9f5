#include "report/explain/counts_text.h"

#include <algorithm>

#include "isoscope/base/words.h"
#include "report/explain/explanation_text.h"

namespace isoscope::report {

namespace {

/// "1 lost update", "15 lost updates". A name that is no noun, or is one of many, stays as it is.
std::string words(const AnomalyCount& one) {
  switch (one.kind) {
    case Anomaly::g1a:
      return counted(one.count, "aborted read");
    case Anomaly::g1b:
      return counted(one.count, "intermediate read");
    case Anomaly::internal:
      return with_commas(one.count) +
             (one.count == 1 ? " internal inconsistency" : " internal inconsistencies");
    default:
      break;
  }
  const std::string name = anomaly_words(one.kind, std::nullopt);
  if (name.starts_with("G") || name.ends_with("s")) return with_commas(one.count) + " " + name;
  return counted(one.count, name);
}

}  // namespace

std::vector<AnomalyCount> counts_of(std::span<const BadRead> findings) {
  std::vector<AnomalyCount> counts;
  for (const BadRead& bad : findings) {
    const Anomaly kind = anomaly_of(bad.kind);
    const auto at = std::ranges::find(counts, kind, &AnomalyCount::kind);
    if (at == counts.end()) {
      counts.push_back({kind, 1});
    } else {
      ++at->count;
    }
  }
  return counts;
}

std::uint64_t count_of(std::span<const AnomalyCount> counts) {
  std::uint64_t count = 0;
  for (const AnomalyCount& one : counts) count += one.count;
  return count;
}

std::string counts_text(std::span<const AnomalyCount> counts, std::size_t shown) {
  std::string text;
  for (const AnomalyCount& one : counts) text += (text.empty() ? "  " : ", ") + words(one);
  if (shown >= count_of(counts)) return text + ".\n";
  return text + "; " + (shown == 1 ? "one" : with_commas(shown)) + " shown (--anomalies all).\n";
}

void counts_json(JsonWriter& json, std::span<const AnomalyCount> counts) {
  json.member("anomalies").begin_array();
  for (const AnomalyCount& one : counts) {
    json.begin_object().member("anomaly").string(name_of(one.kind));
    json.member("count").integer(static_cast<std::int64_t>(one.count)).end_object();
  }
  json.end_array();
}

}  // namespace isoscope::report
