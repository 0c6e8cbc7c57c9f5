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

}  // namespace

std::span<const OptionSpec> option_list() {
  static const std::string readable = format_names(false);
  static const std::string writable = format_names(true);
  static const OptionSpec list[] = {
      {"level", OptionType::list, "", "",
       "the isolation levels to check ('isoscope levels' lists them), 'all' of them, or a file "
       "with "
       "one of your own"},
      {"session-order", OptionType::choice, "", "on|off",
       "whether the level includes session order (default: what the level's name says)"},
      {"names", OptionType::choice, "isoscope", "isoscope|elle",
       "what level names mean where Elle differs"},
      {"from", OptionType::choice, "", readable,
       "the input's format (default: recognised by content)"},
      {"to", OptionType::choice, "native", writable, "the output's format"},
      {"output", OptionType::text, "", "", "the file to write the history to"},
      {"cobra-values", OptionType::choice, "written", "written|unique",
       "Cobra logs: a value is what was written (values may repeat), or who wrote it"},
      {"format", OptionType::choice, "text", "text|json|svg", "how to print the result"},
      {"time", OptionType::choice, "hint", "ignore|hint|trust",
       "clients' clocks: guide the search; also decide, so that a level means its real-time "
       "variant"},
      {"time-from", OptionType::choice, "clocks", "clocks|lines",
       "Jepsen and Elle histories: times are what was recorded, or the order of lines"},
      {"indeterminate-cuts", OptionType::choice, "", "on|off",
       "whether a transaction of unknown outcome cuts its session (default: what the history says, "
       "mostly on)"},
      {"strict", OptionType::flag, "", "",
       "an answer that leaves something out (docs/json.md, remarks) counts as unknown"},
      {"explain", OptionType::choice, "brief", "brief|full",
       "how much to tell of a violation: at most 12 lines, or all that it rests on"},
      {"anomalies", OptionType::text, "1", "",
       "how many violations to tell, the simplest first: a number, or 'all'"},
      {"certificate", OptionType::text, "", "",
       "write what the verdict rests on to this file; isoscope-verify confirms it"},
      {"stats", OptionType::flag, "", "", "also print how it went, on standard error"},
      {"saturation", OptionType::choice, "on", "on|off",
       "strong levels: find out first what follows without choices"},
      {"order-guided", OptionType::choice, "on", "on|off",
       "strong levels: decide choices as in the order guessed so far"},
      {"lazy-choices", OptionType::choice, "on", "on|off",
       "strong levels: make a choice only when an order got it wrong"},
      {"eager-width", OptionType::integer, "0", "0..4",
       "strong levels: give the solver all cycles of up to so many choices beforehand"},
      {"frontiers", OptionType::choice, "turns", "off|turns|first",
       "strong levels by clocks: search what there can be at a time, in turns with the solver or "
       "before it"},
      {"beginnings", OptionType::choice, "turns", "off|turns|first",
       "strong levels without clocks: look for a contradiction among the first transactions of "
       "each session, in turns with the solver or before it"},
      {"threads", OptionType::integer, "0", "0..1024",
       "at most so many threads, 0 for all processors; verdicts are the same for any number"},
      {"time-limit", OptionType::duration, "", "",
       "give up after this long, such as 10s or 5m, all files together: the verdict is then "
       "unknown"},
      {"memory-limit", OptionType::size, "", "",
       "give up beyond this much memory, such as 512M or 2G"},
      {"seed", OptionType::integer, "7", "0..9223372036854775807",
       "where random choices start from"},
      {"workload", OptionType::text, "general", "", "what the clients do"},
      {"store", OptionType::text, "serializable-2pl", "", "which store they use"},
      {"bug", OptionType::text, "none", "", "a bug to switch on in the store"},
      {"bug-share", OptionType::integer, "50", "0..100",
       "how often the bug strikes where it could, in percent"},
      {"sessions", OptionType::integer, "", "1..10000", "how many clients"},
      {"transactions", OptionType::integer, "100", "0..100000000",
       "how many transactions each of them runs, aborted ones included"},
      {"operations", OptionType::integer, "", "1..100000", "of a transaction, where that is free"},
      {"keys", OptionType::integer, "", "1..10000000", "how many keys, rows or accounts"},
      {"read-share", OptionType::integer, "", "0..100", "of the operations, in percent"},
      {"key-distribution", OptionType::choice, "", "uniform|zipf|hotspot",
       "how unevenly keys are used"},
      {"key-theta", OptionType::decimal, "", "0..10", "zipf: the exponent"},
      {"hot-keys", OptionType::integer, "", "0..100", "hotspot: so many percent of the keys ..."},
      {"hot-share", OptionType::integer, "", "0..100", "... get so many percent of the uses"},
      {"duplicate-keys", OptionType::integer, "", "0..100",
       "share of the keys where values are written more than once, in percent"},
      {"values", OptionType::integer, "", "1..100000000", "how many values are shared there"},
      {"value-theta", OptionType::decimal, "", "0..10", "the zipf exponent of these values"},
      {"initial", OptionType::choice, "", "nil|0",
       "what keys hold before the run (default: nil; 0 where the format needs it)"},
      {"abort-share", OptionType::integer, "0", "0..100",
       "transactions that their client rolls back, in percent"},
      {"indeterminate-share", OptionType::integer, "0", "0..100",
       "transactions whose client never learns how they ended, in percent"},
      {"times", OptionType::choice, "", "on|off",
       "whether begin and end times are recorded (default: where the format has them)"},
      {"clock-skew", OptionType::duration, "0s", "",
       "no two clients' clocks differ by more, such as 5ms"},
      {"lag", OptionType::integer, "4", "0..10000",
       "by how many commits a state that is read may be behind, in stores where it may"},
      {"allow", OptionType::list, "", "", "levels that allow the history: names or files"},
      {"forbid", OptionType::list, "", "", "levels that forbid it"},
      {"where", OptionType::text, "", "",
       "a formula of the level language that is true of it (docs/level-language.md)"},
      {"txns", OptionType::integer, "", "1..63", "at most so many transactions"},
      {"exact", OptionType::flag, "", "", "just so many transactions, not fewer"},
      {"ops", OptionType::integer, "", "1..128", "at most so many operations per transaction"},
      {"no-blind-writes", OptionType::flag, "", "", "a transaction reads the keys that it writes"},
      {"any-session-order", OptionType::flag, "", "",
       "session order is any partial order, not one of sessions"},
      {"all", OptionType::flag, "", "", "all smallest histories up to renaming"},
      {"no-smart", OptionType::flag, "", "",
       "switches off: a forbidding level fails on the allowing levels' executions"},
      {"no-fixed-order", OptionType::flag, "", "",
       "switches off: transactions are numbered in an execution's order"},
      {"no-terms", OptionType::flag, "", "",
       "switches off: a forbidding level fails on its canonical executions"},
      {"no-learning", OptionType::flag, "", "",
       "switches off: a counterexample excludes more than its history"},
      {"no-incremental", OptionType::flag, "", "", "switches off: one solver from first to last"},
      {"clients", OptionType::integer, "", "1..63", "how many clients"},
      {"shapes", OptionType::text, "", "",
       "what each transaction does, such as 'w(x)w(y), r(x)r(y)' (default: every choice)"},
      {"max-states", OptionType::integer, "2147483648", "1..1099511627776",
       "explore at most so many states: the result is then unknown"},
      {"no-symmetry", OptionType::flag, "", "",
       "switches off: states that differ in names only are one"},
      {"no-eager", OptionType::flag, "", "",
       "switches off: steps that nobody can notice are done at once"},
      {"invariants", OptionType::flag, "", "", "also print the invariants that a proof needs"},
      {"refines", OptionType::flag, "", "",
       "not a level: that the protocol refines the one that it says it refines"},
      {"violation", OptionType::text, "", "",
       "of this level: a shortest run that violates it, instead of a random one"},
      {"steps", OptionType::integer, "10000", "1..1000000", "at most so many steps"},
  };
  return list;
}

}  // namespace isoscope::cli
