#include <algorithm>
#include <iterator>

#include "cli/command.h"
#include "isoscope/history/format.h"

namespace isoscope::cli {

namespace {

/// As a choice's range: "native|litmus|...".
std::string format_names(bool writable) {
  std::string names;
  for (const FormatInfo& info : formats()) {
    if (writable && !info.writable) continue;
    names += (names.empty() ? "" : "|") + std::string(info.name);
  }
  return names;
}

/// All rows, without the ranges of --from and --to, which are the formats there are.
constexpr OptionSpec rows[] = {
    {"level", OptionType::list, "", "",
     "the isolation levels to check ('isoscope levels' lists them), 'all' of them, 'recorded': "
     "each transaction at its own, or a file with a level of your own"},
    {"expect", OptionType::text, "", "",
     "without --level: the level that was promised (default: the recorded ones); the exit code is "
     "10 if it is violated"},
    {"session-order", OptionType::choice, "", "on|off",
     "whether the level includes session order (default: what the level's name says)"},
    {"names", OptionType::choice, "isoscope", "isoscope|elle",
     "what level names mean where Elle differs"},
    {"from", OptionType::choice, "", "", "the input's format (default: recognised by content)"},
    {"to", OptionType::choice, "native", "", "the output's format"},
    {"output", OptionType::text, "", "",
     "the file to write the history to (default: standard output)"},
    {"cobra-values", OptionType::choice, "written", "written|unique",
     "Cobra logs: a value is what was written (values may repeat), or its writer"},
    {"format", OptionType::choice, "text", "text|json|svg|elle-json|edn",
     "how to print the result"},
    {"time", OptionType::choice, "hint", "ignore|hint|trust",
     "what the clients' clocks count for: nothing, a hint for the search, or also the order of "
     "transactions, so that a level means its real-time variant"},
    {"time-from", OptionType::choice, "clocks", "clocks|lines",
     "Jepsen and Elle histories: times are what was recorded, or the order of lines"},
    {"indeterminate-cuts", OptionType::choice, "", "on|off",
     "whether a transaction of unknown outcome cuts its session (default: what the history says, "
     "mostly on)"},
    {"strict", OptionType::flag, "", "",
     "count an answer that leaves something out (docs/json.md, remarks) as unknown"},
    {"explain", OptionType::choice, "brief", "brief|full",
     "how much to tell of a violation: a story of at most 12 lines, or all that it rests on"},
    {"anomalies", OptionType::text, "1", "",
     "the maximum number of violations to tell, the simplest first; or 'all'; without --level "
     "also names of anomalies to look for, with commas"},
    {"certificate", OptionType::text, "", "",
     "write what the verdict rests on to this file; isoscope-verify confirms it"},
    {"stats", OptionType::flag, "", "",
     "also print the time and the work of each phase, on standard error"},
    {"saturation", OptionType::choice, "on", "on|off",
     "strong levels: find out first what follows without choices"},
    {"order-guided", OptionType::choice, "on", "on|off",
     "strong levels: decide choices as in the order guessed so far"},
    {"lazy-choices", OptionType::choice, "on", "on|off",
     "strong levels: make a choice only when an order got it wrong"},
    {"eager-width", OptionType::integer, "0", "0..4",
     "strong levels: the maximum number of choices in the cycles that the solver is given "
     "beforehand"},
    {"frontiers", OptionType::choice, "turns", "off|turns|first",
     "strong levels by clocks: search what there can be at a time, in turns with the solver or "
     "before it"},
    {"beginnings", OptionType::choice, "turns", "off|turns|first",
     "strong levels without clocks: look for a contradiction among the first transactions of "
     "each session, in turns with the solver or before it"},
    {"threads", OptionType::integer, "0", "0..1024",
     "the maximum number of threads, 0 for all processors; the result is the same for any "
     "number"},
    {"time-limit", OptionType::duration, "", "",
     "give up after this time, such as 10s or 5m, for all files together; the verdict is then "
     "unknown"},
    {"memory-limit", OptionType::size, "", "",
     "give up beyond this much memory, such as 512M or 2G"},
    {"seed", OptionType::integer, "7", "0..9223372036854775807",
     "the number that all random choices follow from"},
    {"workload", OptionType::text, "general", "", "what the clients do"},
    {"store", OptionType::text, "serializable-2pl", "", "the store that the clients use"},
    {"bug", OptionType::text, "none", "", "a bug to switch on in the store"},
    {"bug-share", OptionType::integer, "50", "0..100",
     "how often the bug strikes where it could, in percent"},
    {"isolation", OptionType::text, "", "",
     "the isolation level to ask the database for, as it calls it (default: its own default)"},
    {"duration", OptionType::duration, "", "",
     "stop after this time, such as 10s or 5m; without --transactions there is no other end"},
    {"pause", OptionType::duration, "", "",
     "the longest pause between two operations of a transaction, such as 1ms; pauses are random"},
    {"check", OptionType::flag, "", "",
     "check the recording when it is done: which levels hold, and does the one promised?"},
    {"sessions", OptionType::integer, "", "1..10000", "the number of clients"},
    {"transactions", OptionType::integer, "100", "0..100000000",
     "the number of transactions of each client, aborted ones included"},
    {"operations", OptionType::integer, "", "1..100000",
     "the number of operations of a transaction, where the workload leaves that open"},
    {"keys", OptionType::integer, "", "1..10000000", "the number of keys, rows or accounts"},
    {"read-share", OptionType::integer, "", "0..100",
     "the share of reads among the operations, in percent"},
    {"key-distribution", OptionType::choice, "", "uniform|zipf|hotspot",
     "how unevenly keys are used"},
    {"key-theta", OptionType::decimal, "", "0..10", "zipf: the exponent"},
    {"hot-keys", OptionType::integer, "", "0..100",
     "hotspot: the share of the keys that are hot, in percent"},
    {"hot-share", OptionType::integer, "", "0..100",
     "hotspot: the share of all uses that hot keys get, in percent"},
    {"duplicate-keys", OptionType::integer, "", "0..100",
     "the share of the keys where values are written more than once, in percent"},
    {"values", OptionType::integer, "", "1..100000000",
     "the number of different values that repeat there"},
    {"value-theta", OptionType::decimal, "", "0..10", "the zipf exponent of these values"},
    {"initial", OptionType::choice, "", "nil|0",
     "what keys hold before the run (default: nil; 0 where the format needs it)"},
    {"abort-share", OptionType::integer, "0", "0..100",
     "the share of transactions that their client rolls back, in percent"},
    {"indeterminate-share", OptionType::integer, "0", "0..100",
     "the share of transactions whose client never learns how they ended, in percent"},
    {"times", OptionType::choice, "", "on|off",
     "whether begin and end times are recorded (default: where the format has them)"},
    {"clock-skew", OptionType::duration, "0s", "",
     "the maximum difference between the clocks of two clients, such as 5ms"},
    {"lag", OptionType::integer, "4", "0..10000",
     "the maximum number of commits by which a state that is read is behind, in stores where it "
     "may be"},
    {"allow", OptionType::list, "", "", "the levels that allow the history: names or files"},
    {"forbid", OptionType::list, "", "", "the levels that forbid the history: names or files"},
    {"where", OptionType::text, "", "",
     "a formula of the level language that is true of the history (docs/level-language.md)"},
    {"txns", OptionType::integer, "", "1..63", "the maximum number of transactions"},
    {"exact", OptionType::flag, "", "",
     "look only for histories with as many transactions as --txns says, not fewer"},
    {"ops", OptionType::integer, "", "1..128", "the maximum number of operations of a transaction"},
    {"no-blind-writes", OptionType::flag, "", "",
     "let every transaction read the keys that it writes"},
    {"any-session-order", OptionType::flag, "", "",
     "let session order be any partial order, not only one of sessions"},
    {"all", OptionType::flag, "", "", "find all smallest histories up to renaming"},
    {"no-smart", OptionType::flag, "", "",
     "do not use that a forbidding level fails on the allowing levels' executions"},
    {"no-fixed-order", OptionType::flag, "", "",
     "do not number transactions in an execution's order"},
    {"no-terms", OptionType::flag, "", "",
     "do not use that a forbidding level fails on its canonical executions"},
    {"no-learning", OptionType::flag, "", "",
     "let a counterexample exclude nothing but its history"},
    {"no-incremental", OptionType::flag, "", "",
     "use a new solver for each question, not one from first to last"},
    {"clients", OptionType::integer, "", "1..63", "the number of clients"},
    {"shapes", OptionType::text, "", "",
     "what each transaction does, such as 'w(x)w(y), r(x)r(y)' (default: every choice)"},
    {"max-states", OptionType::integer, "2147483648", "1..1099511627776",
     "the maximum number of states to explore; the result is unknown if there are more"},
    {"no-symmetry", OptionType::flag, "", "",
     "do not take states as one that differ in names only"},
    {"no-eager", OptionType::flag, "", "", "do not do steps at once that nobody can notice"},
    {"invariants", OptionType::flag, "", "", "also print the invariants that a proof needs"},
    {"refines", OptionType::flag, "", "",
     "prove no level, but that the protocol refines the one that its text names"},
    {"violation", OptionType::text, "", "",
     "a level: print a shortest run that violates it, instead of a random run"},
    {"model", OptionType::text, "", "", "the workload of the histories, as elle-cli names it"},
    {"assume", OptionType::list, "", "",
     "what is assumed of the order of versions: sequential-keys, linearizable-keys, wfr-keys or "
     "commit-stamps, with commas (docs/assumptions.md)"},
    {"sequential-keys", OptionType::flag, "", "",
     "assume that each session sees the versions of a register in their order"},
    {"linearizable-keys", OptionType::flag, "", "",
     "assume that real time is the order of the versions of a register"},
    {"wfr-keys", OptionType::flag, "", "",
     "assume that what a transaction writes to a register comes after what it read of it"},
    {"consistency-models", OptionType::list, "", "",
     "the consistency models that the histories must obey, in Elle's names (default: "
     "strict-serializable)"},
    {"verbose", OptionType::flag, "", "", "print Elle's result as JSON, not only the answer"},
    {"cycle-search-timeout", OptionType::integer, "", "1..1000000000",
     "give up after this many milliseconds for each file; the answer is then unknown"},
    {"total-amount", OptionType::integer, "", "-9223372036854775807..9223372036854775807",
     "bank: the total of all balances (default: that of the first read)"},
    {"allow-negative-balances", OptionType::flag, "", "", "bank: balances may be below zero"},
    {"group-size", OptionType::integer, "0", "0..1000000",
     "long-fork: the number of keys of each read, 0 for any number"},
    {"version", OptionType::text, "", "",
     "the version of the server, such as 15 or 15.18 (default: the newest that is installed)"},
    {"setting", OptionType::list, "", "", "settings of the server, as NAME=VALUE, with commas"},
    {"steps", OptionType::integer, "10000", "1..1000000", "the maximum number of steps"},
};

}  // namespace

std::span<const OptionSpec> option_list() {
  static const std::string readable = format_names(false);
  static const std::string writable = format_names(true);
  static const std::vector<OptionSpec> list = [] {
    std::vector<OptionSpec> table(std::begin(rows), std::end(rows));
    std::ranges::find(table, "from", &OptionSpec::name)->range = readable;
    std::ranges::find(table, "to", &OptionSpec::name)->range = writable;
    return table;
  }();
  return list;
}

}  // namespace isoscope::cli
