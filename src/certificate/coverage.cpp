#include "isoscope/certificate/coverage.h"

#include <algorithm>
#include <array>

#include "isoscope/base/contract.h"
#include "isoscope/base/words.h"
#include "isoscope/history/statistics.h"

namespace isoscope {

namespace {

using Kind = Remark::Kind;

struct KindRow {
  Kind kind;
  std::string_view name;
  bool is_gap;
  bool of_violations;  // it is said of them, too
};

constexpr std::array<KindRow, remark_kind_count> kinds = {{
    {Kind::nothing_committed, "nothing-committed", true, false},
    {Kind::nothing_read, "nothing-read", true, false},
    {Kind::no_times, "no-times", true, false},
    {Kind::times_missing, "times-missing", true, false},
    {Kind::recorder_slip, "recorder-slip", false, true},
    {Kind::reads_undecided, "reads-undecided", true, false},
    {Kind::lines_as_time, "lines-as-time", false, true},
    {Kind::sessions_cut, "sessions-cut", false, false},
    {Kind::sessions_go_on, "sessions-go-on", false, true},
    {Kind::implied, "implied", false, true},
    {Kind::assumption, "assumption", false, true},
}};

const KindRow& row_of(Kind kind) {
  const KindRow& row = kinds[static_cast<std::size_t>(kind)];
  ISOSCOPE_REQUIRE(row.kind == kind);
  return row;
}

bool reports_a_read(const History& history, const Operation& operation) {
  if (operation.is_predicate()) return history.predicate_access(operation).reported;
  return operation.is_item_read() && operation.value() != ValuePool::unreported;
}

bool is_about_time(const Coverage& coverage, Level level) {
  if (level.id == LevelId::recorded) return coverage.has_timed_levels;
  return entry_of(level.id).kind == LevelKind::real_time;
}

std::string about_sessions(std::size_t neighbours, bool cut) {
  ISOSCOPE_REQUIRE(neighbours > 0);
  const std::string those =
      counted(neighbours, "transaction") + (neighbours == 1 ? " comes" : " come");
  return "In the sessions " + those + " after one of unknown outcome" +
         (cut ? ", which cut off what was before it (--indeterminate-cuts off: it does not)."
              : "; that cut off nothing (--indeterminate-cuts off).");
}

std::string missing_times(const Coverage& coverage) {
  if (coverage.with_begin == 0 && coverage.with_end == 0) {
    return "No committed transaction has times, so real time was not looked at.";
  }
  if (coverage.with_begin == 0 || coverage.with_end == 0) {
    return "No committed transaction has " +
           std::string(coverage.with_begin == 0 ? "a begin" : "an end") +
           " time, so real time was not looked at.";
  }
  ISOSCOPE_REQUIRE(coverage.with_both < coverage.committed);
  const std::size_t without = coverage.committed - coverage.with_both;
  return with_commas(without) + " of " + counted(coverage.committed, "committed transaction") +
         (without == 1 ? " has" : " have") +
         " no begin or no end time; real time was looked at only where it is known.";
}

void add_gaps(const Coverage& coverage, Level level, std::vector<Remark>& remarks) {
  if (!coverage.has_reads) {
    remarks.push_back({Kind::nothing_read,
                       "No committed transaction reports what it read, so nothing that clients saw "
                       "was checked."});
  }
  if (is_about_time(coverage, level) && coverage.with_both < coverage.committed) {
    const bool none = coverage.with_begin == 0 || coverage.with_end == 0;
    remarks.push_back({none ? Kind::no_times : Kind::times_missing, missing_times(coverage)});
  }
}

}  // namespace

Coverage coverage_of(const History& history) {
  Coverage coverage;
  coverage.time_source = history.time_source();
  coverage.cut_neighbours = cut_neighbours(history);
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) != Outcome::committed) continue;
    const auto level = history.recorded_level(t);
    coverage.has_timed_levels |= level && entry_of(*level).kind == LevelKind::real_time;
    ++coverage.committed;
    coverage.operations += history.operations(t).size();
    coverage.has_reads =
        coverage.has_reads || std::ranges::any_of(history.operations(t), [&](const Operation& o) {
          return reports_a_read(history, o);
        });
    const bool begin = history.begin_time(t).has_value();
    const bool end = history.end_time(t).has_value();
    coverage.with_begin += begin ? 1 : 0;
    coverage.with_end += end ? 1 : 0;
    coverage.with_both += begin && end ? 1 : 0;
  }
  ISOSCOPE_ENSURE(std::max(coverage.with_begin, coverage.with_end) <= coverage.committed);
  return coverage;
}

std::string_view name_of(Kind kind) { return row_of(kind).name; }

bool is_gap(Kind kind) { return row_of(kind).is_gap; }

std::vector<Remark> remarks_about(const Coverage& coverage, Level level, bool indeterminate_cuts,
                                  bool violated) {
  ISOSCOPE_REQUIRE(coverage.with_both <= std::min(coverage.with_begin, coverage.with_end));
  std::vector<Remark> remarks;
  if (coverage.committed == 0) {
    remarks = {{Kind::nothing_committed,
                "No transaction is known to have committed, so there was nothing to check."}};
  } else {
    add_gaps(coverage, level, remarks);
  }
  if (is_about_time(coverage, level) && coverage.time_source == TimeSource::lines) {
    remarks.push_back({Kind::lines_as_time, "The order of lines was taken as real time."});
  }
  if (level.session_order && depends_on_session_order(level.id) && coverage.cut_neighbours > 0) {
    const Kind kind = indeterminate_cuts ? Kind::sessions_cut : Kind::sessions_go_on;
    remarks.push_back({kind, about_sessions(coverage.cut_neighbours, indeterminate_cuts)});
  }
  if (violated) {
    std::erase_if(remarks, [](const Remark& r) { return !row_of(r.kind).of_violations; });
  }
  return remarks;
}

std::string coverage_words(const Coverage& coverage, Level level, std::int64_t clock_skew) {
  ISOSCOPE_REQUIRE(clock_skew >= 0);
  std::string words = counted(coverage.committed, "committed transaction") + ", " +
                      counted(coverage.operations, "operation");
  if (is_about_time(coverage, level) && coverage.time_source == TimeSource::clocks) {
    words += "; clock skew " + duration_text(clock_skew);
  }
  return words;
}

std::string remark_lines(std::span<const Remark> remarks) {
  std::string lines;
  for (const Remark& remark : remarks) lines += "  Remark: " + remark.text + "\n";
  return lines;
}

void write_coverage(JsonWriter& json, const std::optional<Coverage>& coverage,
                    std::span<const Remark> remarks) {
  const auto count = [&](std::string_view name, std::size_t Coverage::*member) {
    json.member(name);
    coverage ? json.integer(static_cast<std::int64_t>((*coverage).*member)) : json.null();
  };
  count("committed-transactions", &Coverage::committed);
  count("committed-operations", &Coverage::operations);
  json.member("remarks").begin_array();
  for (const Remark& remark : remarks) {
    json.begin_object().member("kind").string(name_of(remark.kind));
    json.member("gap").boolean(is_gap(remark.kind));
    json.member("text").string(remark.text).end_object();
  }
  json.end_array();
}

}  // namespace isoscope
