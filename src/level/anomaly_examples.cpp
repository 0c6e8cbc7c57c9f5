#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "isoscope/level/anomaly.h"

namespace isoscope {
namespace {

using enum Anomaly;

struct Example {
  Anomaly anomaly;
  std::string_view litmus;
};

// As few transactions and operations as will do. A cycle's example has just that cycle, though
// every stronger anomaly would have it too. tests/report/anomaly_report_test.cpp holds them against
// the checker and the reference. G-SIa is about start points, which no client can see.
// clang-format off
constexpr Example examples[] = {
    {internal, "a: T1 w(x,1) r(x,nil)"},
    {thin_air_read, "a: T1 r(x,1)"},
    {future_read, "a: T1 r(x,1) w(x,1)"},
    {g1a, "a: T1! w(x,1) | b: T2 r(x,1)"},
    {g1b, "a: T1 w(x,1) w(x,2) | b: T2 r(x,1)"},
    {dirty_update, "a: T1! w(x,1) | b: T2 r(x,1) w(x,2)"},
    {non_repeatable_read, "a: T1 w(x,1) | b: T2 r(x,nil) r(x,1)"},
    {duplicate_elements, "a: T1 a(x,1) | b: T2 r(x,[1 1])"},
    {incompatible_order, "a: T1 a(x,1) | b: T2 a(x,2) | c: T3 r(x,[1]) | d: T4 r(x,[2])"},
    {cyclic_versions, "a: T1 a(x,1) a(x,3) | b: T2 a(x,2) | c: T3 r(x,[1 2 3])"},
    {g0, "a: T1 a(x,1) a(y,2) | b: T2 a(x,2) a(y,1) | c: T3 r(x,[1 2]) r(y,[1 2])"},
    {g0_process, "a: T1 a(x,1) ; T2 a(x,2) | b: T3 r(x,[2 1])"},
    {g0_realtime, "a: T1@0..10 a(x,1) | b: T2@20..30 a(x,2) | c: T3@40..50 r(x,[2 1])"},
    {g1c, "a: T1 w(x,1) r(y,1) | b: T2 w(y,1) r(x,1)"},
    {g1c_process, "a: T1 r(x,1) ; T2 w(x,1)"},
    {g1c_realtime, "a: T1@0..10 r(x,1) | b: T2@20..30 w(x,1)"},
    {g1, "a: T1! w(x,1) | b: T2 r(x,1)"},
    {g1_process, "a: T1 r(x,1) ; T2 w(x,1)"},
    {g1_realtime, "a: T1@0..10 r(x,1) | b: T2@20..30 w(x,1)"},
    {g_single_item, "a: T1 w(x,1) w(y,1) | b: T2 r(x,nil) r(y,1)"},
    {g_single_item_process, "a: T1 w(x,1) ; T2 r(x,nil)"},
    {g_single_item_realtime, "a: T1@0..10 w(x,1) | b: T2@20..30 r(x,nil)"},
    {g_single, "a: T1 w(x,1) | b: T2 rp(true, {}) rp(true, {x:1})"},
    {g_single_process, "a: T1 w(x,1) ; T2 rp(true, {})"},
    {g_single_realtime, "a: T1@0..10 w(x,1) | b: T2@20..30 rp(true, {})"},
    {g_nonadjacent_item, "a: T1 w(x,1) | b: T2 w(y,1) | c: T3 r(x,1) r(y,nil) | d: T4 r(y,1) r(x,nil)"},
    {g_nonadjacent_item_process, "a: T1 w(x,1) ; T2 r(y,nil) | b: T3 w(y,1) ; T4 r(x,nil)"},
    {g_nonadjacent_item_realtime, "a: T1@0..10 w(x,1) | b: T2@20..30 r(y,nil) | c: T3@0..30 w(y,1) | d: T4@0..30 r(y,1) r(x,nil)"},
    {g_nonadjacent, "a: T1 w(x,1) | b: T2 w(y,1) | c: T3 rp(true, {x:1}) | d: T4 rp(true, {y:1})"},
    {g_nonadjacent_process, "a: T1 w(p.1,1) ; T2 r(y,nil) | b: T3 w(y,1) ; T4 rp(p: true, {})"},
    {g_nonadjacent_realtime, "a: T1@0..10 w(x,1) | b: T2@20..30 rp(p: true, {}) | c: T3@0..30 w(p.1,1) | d: T4@0..30 r(p.1,1) r(x,nil)"},
    {g2_item, "a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)"},
    {g2_item_process, "a: T1 w(y,1) ; T2 r(x,nil) | b: T3 r(y,nil) w(x,1)"},
    {g2_item_realtime, "a: T1@0..10 w(x,1) | b: T2@0..30 r(x,nil) w(y,1) | c: T3@20..30 r(y,nil)"},
    {g2, "a: T1 rp(p: true, {}) w(q.1,1) | b: T2 rp(q: true, {}) w(p.1,1)"},
    {g2_process, "a: T1 w(p.1,1) ; T2 r(x,nil) | b: T3 rp(p: true, {}) w(x,1)"},
    {g2_realtime, "a: T1@0..10 w(x,1) | b: T2@0..30 r(x,nil) w(p.1,1) | c: T3@20..30 rp(p: true, {})"},
    {g_cursor, "a: T1 a(x,1) | b: T2 r(x,[]) a(x,2) | c: T3 r(x,[1 2])"},
    {g_monotonic, "a: T1 w(x,1) w(y,1) | b: T2 r(x,1) r(y,nil)"},
    {g_msr, "a: T1 w(x,1) | b: T2 w(y,1) | c: T3 rp(true, {x:1}) | d: T4 rp(true, {y:1})"},
    {g_update, "a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)"},
    {g_sib, "a: T1 w(x,1) w(y,1) | b: T2 r(x,nil) r(y,1)"},
    {g_si, "a: T1 w(x,1) w(y,1) | b: T2 r(x,nil) r(y,1)"},
    {observed_transaction_vanishes, "a: T1 w(x,1) w(y,1) | b: T2 r(x,1) r(y,nil)"},
    {fractured_read, "a: T1 w(x,1) w(y,1) | b: T2 r(x,nil) r(y,1)"},
    {causality_violation, "a: T1 w(x,1) | b: T2 r(x,1) w(y,1) | c: T3 r(x,nil) r(y,1)"},
    {lost_update, "a: T1 r(x,nil) w(x,1) | b: T2 r(x,nil) w(x,2)"},
    {write_skew, "a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)"},
    {predicate_write_skew, "a: T1 rp(p: true, {}) w(q.1,1) | b: T2 rp(q: true, {}) w(p.1,1)"},
    {long_fork, "a: T1 w(x,1) | b: T2 w(y,1) | c: T3 r(x,1) r(y,nil) | d: T4 r(y,1) r(x,nil)"},
    {phantom, "a: T1 w(x,1) | b: T2 rp(true, {}) rp(true, {x:1})"},
    {predicate_many_preceders, "a: T1 w(x,30) | b: T2 rp(@value = 30, {}) rp(mod(@value,3) = 0, {x:30})"},
    {predicate_read_miss, "initial none x=1\na: T1 rp(true, {})"},
    {missing_your_writes, "a: T1 w(x,1) ; T2 r(x,nil)"},
    {non_monotonic_reads, "a: T1 w(x,1) | b: T2 r(x,1) ; T3 r(x,nil)"},
    {non_monotonic_writes, "a: T1 a(x,1) ; T2 a(x,2) | b: T3 r(x,[2 1])"},
    {missing_read_write_dependencies, "a: T1 w(x,1) | b: T2 r(x,1) ; T3 w(y,1) | c: T4 r(y,1) r(x,nil)"},
};
// clang-format on

struct OtherName {
  std::string_view name;
  Anomaly anomaly;
};

constexpr OtherName other_names[] = {
    {"read-skew", fractured_read},
    {"dirty-read", g1a},
    {"aborted-read", g1a},
    {"intermediate-read", g1b},
    {"dirty-write", g0},
    {"write-cycle", g0},
    {"missed-row", predicate_read_miss},
    {"internal-inconsistency", internal},
};

std::string normalised(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    c = c == ' ' || c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

}  // namespace

std::optional<Anomaly> find_anomaly(std::string_view name) {
  const std::string wanted = normalised(name);
  for (const AnomalyEntry& row : anomalies()) {
    if (normalised(row.name) == wanted) return row.id;
  }
  const auto other = std::ranges::find(other_names, std::string_view(wanted), &OtherName::name);
  if (other != std::end(other_names)) return other->anomaly;
  return std::nullopt;
}

std::string_view example_of(Anomaly anomaly) {
  const auto at = std::ranges::find(examples, anomaly, &Example::anomaly);
  return at == std::end(examples) ? std::string_view() : at->litmus;
}

}  // namespace isoscope
