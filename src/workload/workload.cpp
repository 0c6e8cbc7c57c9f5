#include "isoscope/workload/workload.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include "isoscope/base/words.h"
#include "workload/kinds.h"

namespace isoscope {

namespace {

using enum WorkloadKind;

constexpr WorkloadEntry table[] = {
    {general,
     "general",
     "reads and writes of registers; keys and repeated values as you like",
     "operations keys read_percent distribution duplicate_percent value_theta value_space "
     "zero_start",
     {.kind = general, .sessions = 20, .operations = 20, .keys = 5000, .duplicate_percent = 50},
     make_general},
    {blind_writes_rh,
     "blindw-rh",
     "transactions that only read (80%) or only write rows",
     "operations keys distribution",
     {.kind = blind_writes_rh, .keys = 10'000},
     make_blind_writes},
    {blind_writes_wr,
     "blindw-wr",
     "the same with 50% readers",
     "operations keys distribution",
     {.kind = blind_writes_wr, .keys = 10'000},
     make_blind_writes},
    {blind_writes_wh,
     "blindw-wh",
     "the same with 20% readers",
     "operations keys distribution",
     {.kind = blind_writes_wh, .keys = 10'000},
     make_blind_writes},
    {blind_writes_pred,
     "blindw-pred",
     "predicate reads and predicate writes of ranges of values",
     "operations keys distribution",
     {.kind = blind_writes_pred, .keys = 10'000},
     make_blind_predicate_writes},
    {list_append,
     "list-append",
     "appends to lists and reads of whole lists",
     "operations keys read_percent distribution",
     {.kind = list_append, .operations = 4, .keys = 10},
     make_list_append},
    {read_modify_write,
     "read-modify-write",
     "every key is read before it is written",
     "operations keys read_percent distribution zero_start",
     {.kind = read_modify_write, .operations = 4, .keys = 100, .read_percent = 20},
     make_read_modify_write},
    {bank,
     "bank",
     "transfers between accounts and reads of all of them; the total is constant",
     "keys read_percent distribution",
     {.kind = bank, .keys = 8},
     make_bank},
    {counter,
     "counter",
     "increments and reads of counters",
     "operations keys read_percent distribution zero_start",
     {.kind = counter, .operations = 4, .keys = 20, .zero_start = true},
     make_counter},
    {long_fork,
     "long-fork",
     "writers of one key and readers of groups of keys",
     "operations keys read_percent distribution zero_start",
     {.kind = long_fork, .operations = 3, .keys = 30},
     make_long_fork},
    {write_skew,
     "write-skew",
     "both keys of a pair are read, one is written",
     "keys read_percent distribution zero_start",
     {.kind = write_skew, .keys = 20, .read_percent = 20},
     make_write_skew},
    {tpcc,
     "tpcc",
     "a wholesaler's orders, after TPC-C: five transactions over seven tables",
     "keys distribution",
     {.kind = tpcc, .keys = 1000},
     make_tpcc},
    {twitter,
     "twitter",
     "short messages and followers, after Twitter",
     "operations keys read_percent distribution value_theta value_space",
     {.kind = twitter, .keys = 1000, .read_percent = 70, .distribution = KeyDistribution::zipf},
     make_twitter},
    {rubis,
     "rubis",
     "an auction site, after RUBiS",
     "keys read_percent distribution",
     {.kind = rubis, .keys = 1000, .read_percent = 70},
     make_rubis},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < std::size(table); ++i) {
    if (static_cast<std::size_t>(table[i].kind) != i) return false;
  }
  return true;
}
static_assert(is_in_order() && std::size(table) == static_cast<std::size_t>(rubis) + 1,
              "a kind is the index of its row");

}  // namespace

std::span<const WorkloadEntry> workloads() { return table; }

const WorkloadEntry& entry_of(WorkloadKind kind) { return table[static_cast<std::size_t>(kind)]; }

std::string_view name_of(WorkloadKind kind) { return entry_of(kind).name; }

bool uses(WorkloadKind kind, std::string_view member) {
  for (std::string_view words = entry_of(kind).uses; !words.empty();) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == member) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

Result<WorkloadKind> find_workload(std::string_view name) {
  for (const WorkloadEntry& entry : table) {
    if (entry.name == name) return entry.kind;
  }
  return Error{"unknown workload '" + std::string(name) + "'; expected one of " +
               joined(table, &WorkloadEntry::name)};
}

std::unique_ptr<Workload> make_workload(const WorkloadPlan& plan, HistoryBuilder& names) {
  ISOSCOPE_REQUIRE(plan.sessions > 0 && plan.operations > 0 && plan.keys > 0);
  ISOSCOPE_REQUIRE(plan.read_percent <= 100 && plan.duplicate_percent <= 100);
  ISOSCOPE_REQUIRE(plan.hot_key_percent <= 100 && plan.hot_use_percent <= 100);
  ISOSCOPE_REQUIRE(plan.value_space > 0);
  return entry_of(plan.kind).make(plan, names);
}

}  // namespace isoscope
