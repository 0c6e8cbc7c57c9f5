#include "cli/command.h"

namespace isoscope::cli {

std::span<const Command> commands() {
  constexpr std::size_t any = 1'000'000;
  static const Command list[] = {
      {"demo",
       "record a small run, check it, then find a planted bug",
       "",
       0,
       0,
       {"seed"},
       "Records a run of an embedded store and checks it; then switches a bug on in the store, "
       "records\n"
       "the same clients again, and explains what went wrong. Needs no database and no files.\n",
       run_demo},
      {"check",
       "does a recorded history satisfy an isolation level?",
       "FILE...",
       1,
       any,
       {"level", "session-order", "names", "time", "clock-skew", "certificate", "from",
        "cobra-values", "format", "stats", "threads", "time-limit", "memory-limit", "saturation",
        "order-guided", "lazy-choices", "eager-width"},
       "Reads each history and prints a verdict per level: holds, VIOLATED with the evidence, or "
       "unknown with the\n"
       "reason. Decided completely: serializable, snapshot-isolation, strict-serializable,\n"
       "strong-snapshot-isolation (--clock-skew: how much clocks may differ), cut-isolation and "
       "valid-reads.\n"
       "The switches of the engine (--saturation and those after it) change the time it takes, "
       "never "
       "the answer.\n"
       "--time trust takes the clients' clocks as right, but for --clock-skew: who ended before "
       "another began comes\n"
       "first. That turns serializable into strict-serializable, and so on; the verdict has that "
       "name, and if it is\n"
       "VIOLATED the level without time is checked, too. Right for databases that order "
       "transactions as they commit:\n"
       "locking, optimistic, timestamp ordering, SSI, Percolator, on one server or with "
       "synchronised clocks (Vbox,\n"
       "Theorem 4.2); wrong where reads may be old, as from replicas.\n"
       "Without --level, lists every bad read and the levels it rules out. FILE may be a "
       "folder (Cobra,\n"
       "Viper), compressed with zstd, or - for standard input; its format is recognised.\n"
       "\n"
       "Examples:\n"
       "  isoscope check examples/dirty-read.jsonl --level read-committed\n"
       "  isoscope check history.edn --level serializable --certificate history.cert\n"
       "  isoscope-verify history.edn history.cert\n"
       "  isoscope check history.edn --level valid-reads,cut-isolation --format json\n"
       "\n"
       "Exit code: 0 holds, 10 violated, 20 unknown, 2 wrong usage, 3 bad input; for several files "
       "or levels the\n"
       "worst, in the order 3, 10, 20, 0. Without --level: 0 when the analysis is complete.\n",
       run_check},
      {"shrink",
       "the smallest part of a history that still violates a level",
       "FILE",
       1,
       1,
       {"level", "session-order", "names", "time", "clock-skew", "from", "cobra-values", "to",
        "output", "threads", "time-limit", "memory-limit"},
       "Leaves out sessions, transactions and operations of a history that violates the level for "
       "as long as it\n"
       "still does, in the same way, and writes what is left: in litmus notation, or in the format "
       "of --to. At a\n"
       "limit, the smallest found so far is written.\n"
       "\n"
       "Examples:\n"
       "  isoscope shrink history.edn --level serializable\n"
       "  isoscope shrink history.jsonl --level snapshot-isolation --to native --output "
       "small.jsonl\n"
       "\n"
       "Exit code: 0 written, 2 the level holds (or wrong usage), 20 whether it does is unknown, "
       "3 bad input.\n",
       run_shrink},
      {"convert",
       "translate a history into another format",
       "FILE",
       1,
       1,
       {"from", "to", "output", "cobra-values", "threads", "time-limit", "memory-limit"},
       "Writes the history in the format of --to: native, litmus, edn, dbcop or plume. What the "
       "format cannot hold\n"
       "is an error, never silently dropped.\n"
       "\n"
       "Examples:\n"
       "  isoscope convert history.edn > history.jsonl\n"
       "  isoscope convert examples/dirty-read.jsonl --to litmus\n",
       run_convert},
      {"generate",
       "make a history: a workload on a store of known isolation, with a bug if you like",
       "",
       0,
       0,
       {"workload",
        "store",
        "bug",
        "bug-share",
        "sessions",
        "transactions",
        "operations",
        "keys",
        "read-share",
        "key-distribution",
        "key-theta",
        "hot-keys",
        "hot-share",
        "duplicate-keys",
        "values",
        "value-theta",
        "initial",
        "abort-share",
        "indeterminate-share",
        "times",
        "clock-skew",
        "lag",
        "seed",
        "to",
        "output",
        "time-limit",
        "memory-limit"},
       generate_details(),
       run_generate},
      {"stores",
       "the embedded stores, their bugs, and what those violate",
       "[show NAME]",
       0,
       2,
       {"format"},
       "Lists the stores that 'isoscope generate' can run a workload on, and the bugs that can be "
       "switched on;\n"
       "'show NAME' lists the levels that the store violates with each bug.\n"
       "\n"
       "Examples:\n"
       "  isoscope stores\n"
       "  isoscope stores show snapshot-isolation\n",
       run_stores},
      {"stats",
       "what is in a history, and what can it be checked for?",
       "FILE...",
       1,
       any,
       {"from", "cobra-values", "format", "threads", "time-limit", "memory-limit"},
       "Counts sessions, transactions, operations, keys, outcomes and duplicate values, and says "
       "which questions\n"
       "the file can answer (real time needs timestamps, predicates need predicate reads).\n",
       run_stats},
      {"levels",
       "the catalogue of isolation levels, and what implies what",
       "[show NAME]",
       0,
       2,
       {"names", "format", "session-order"},
       "Lists every level with its names and what it forbids; 'levels show NAME' explains one, "
       "with its definition\n"
       "and citation. --format svg draws what implies what.\n"
       "\n"
       "Examples:\n"
       "  isoscope levels\n"
       "  isoscope levels show snapshot-isolation\n"
       "  isoscope levels --format svg > levels.svg\n",
       run_levels},
  };
  return list;
}

}  // namespace isoscope::cli
