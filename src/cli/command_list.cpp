#include "cli/command.h"

namespace isoscope::cli {

namespace {

constexpr CommandOption nothing_written_late{
    "time-limit", {}, {}, "give up after this time, such as 10s or 5m; nothing is then written"};

constexpr CommandOption undecided_late{
    "time-limit",
    {},
    {},
    "stop after this time, such as 10s or 5m; what is not decided by then is unknown"};

constexpr CommandOption text_json_or_svg{"format", "text|json|svg"};

/// What all commands that search for histories take, and the command's own.
std::vector<CommandOption> synth_options(std::vector<CommandOption> own) {
  own.emplace_back(
      "values", "", "",
      "the maximum number of values of a key, the initial one included (default: any number)");
  own.emplace_back("keys", "", "", "the maximum number of keys");
  for (const char* shared :
       {"txns", "exact", "ops", "no-blind-writes", "any-session-order", "memory-limit", "no-smart",
        "no-fixed-order", "no-terms", "no-learning", "no-incremental"}) {
    own.emplace_back(shared);
  }
  return own;
}

/// As many arguments as there are.
constexpr std::size_t any = 1'000'000;

Command demo_command() {
  return {"demo",
          "record a small run, check it, then find a planted bug",
          "",
          0,
          0,
          {"seed"},
          "Records a run of an embedded store and checks it; then switches a bug on in the store, "
          "records\n"
          "the same clients again, and explains what went wrong. Needs no database and no files.\n",
          run_demo};
}

constexpr std::string_view check_details =
    "Without --level it answers the question: what does my database give me? It prints the "
    "strongest levels that\n"
    "hold and the weakest that are violated, each with the shortest story that shows it, and all "
    "bad reads. Of\n"
    "several files each has one line. --expect L: the exit code says whether L, which was "
    "promised, holds.\n"
    "With --level it prints a verdict per level: holds, VIOLATED with the evidence, or unknown "
    "with the reason.\n"
    "docs/levels.md says what decides each level. --clock-skew: how much clocks may differ.\n"
    "The switches of the engine (--saturation and those after it) change the time it takes, "
    "never the answer.\n"
    "--time trust takes the clients' clocks as right, except for --clock-skew: a transaction that "
    "ended before\n"
    "another began comes first. That turns serializable into strict-serializable, and so on; the "
    "verdict has that\n"
    "name, and if it is VIOLATED the level without time is checked, too. That is right for "
    "databases "
    "that order\n"
    "transactions as they commit: locking, optimistic, timestamp ordering, SSI, Percolator, on one "
    "server or with\n"
    "synchronised clocks (Vbox, Theorem 4.2). It is wrong where reads may be old, as from "
    "replicas.\n"
    "A violation is told by its simplest anomaly, in 12 lines at most (--explain full: with "
    "all that it rests on);\n"
    "those of two or three transactions are counted by kind, and --anomalies tells more of "
    "them.\n"
    "A remark says what an answer leaves out, such as times that nobody recorded; with --strict "
    "such an answer\n"
    "counts as unknown.\n"
    "--level my.level checks a small history against a level text: a file of your own "
    "(docs/level-language.md), or one\n"
    "that comes with the program, such as cerone/SI.\n"
    "Levels are separated by commas, or --level is given again; --level all takes the whole "
    "catalogue.\n"
    "FILE may be compressed (gzip, xz, bzip2, zstd), a pipe, or - for standard input; its format "
    "is recognised.\n"
    "A folder is one history (Cobra, Viper), or is checked file by file.\n"
    "\n"
    "Examples:\n"
    "  isoscope check history.edn\n"
    "  isoscope check history.edn --expect snapshot-isolation\n"
    "  isoscope check history.edn --anomalies lost-update,G1c\n"
    "  isoscope check examples/dirty-read.jsonl --level read-committed\n"
    "  isoscope check history.edn --level serializable --certificate history.cert\n"
    "  isoscope-verify history.edn history.cert\n"
    "  isoscope check history.edn --level valid-reads,cut-isolation --format json\n"
    "  isoscope check history.edn --level examples/my-si.level\n"
    "\n"
    "Exit code: 0 holds, 10 violated, 20 unknown, 2 wrong usage, 3 bad input; for several files "
    "or levels the\n"
    "worst, in the order 3, 10, 20, 0. Without --level: 10 if --expect is violated; without it if "
    "the levels are\n"
    "that transactions were recorded with, or, if none were, if there is a bad read; 20 if a level "
    "is unknown; else 0.\n";

constexpr CommandOption text_json_or_elle{"format", "text|json|elle-json"};

Command check_command() {
  return {"check",
          "which isolation levels does a recorded history satisfy?",
          "FILE...",
          1,
          any,
          {"level",        "expect",       "session-order",   "indeterminate-cuts",
           "names",        "time",         "time-from",       "clock-skew",
           "strict",       "explain",      "anomalies",       "certificate",
           "from",         "cobra-values", text_json_or_elle, "stats",
           "threads",      "time-limit",   "memory-limit",    "saturation",
           "order-guided", "lazy-choices", "eager-width",     "frontiers",
           "beginnings",   "assume"},
          check_details,
          run_check};
}

constexpr std::string_view elle_details =
    "Takes the options of elle-cli, and prints for each file its name, a tab, and true, false or "
    "unknown.\n"
    "--verbose prints Elle's result as JSON instead: valid?, anomaly-types, anomalies, not, "
    "also-not.\n"
    "\n"
    "Models: list-append, rw-register and closed-predicate, which are checked at the levels of "
    "--consistency-models;\n"
    "cas-register, register and mutex, at one level (linearizable is strict-serializable, "
    "sequential is serializable\n"
    "with session order); bank, counter, set, set-full, long-fork, comments and sequential, each "
    "with a promise of\n"
    "its own. docs/elle.md says what each of them means, and where the answers differ from "
    "Elle's.\n"
    "Real time is the order of lines, as in Elle (--time-from clocks: what was recorded).\n"
    "--anomalies looks for these anomalies, too; with --consistency-models none only for them.\n"
    "--format edn and --format json, which say in elle-cli how the histories are written, change "
    "nothing: that is\n"
    "recognised.\n"
    "\n"
    "Examples:\n"
    "  isoscope elle --model list-append history.edn\n"
    "  isoscope elle --model rw-register --consistency-models snapshot-isolation *.json\n"
    "  isoscope elle --model bank --total-amount 100 --verbose history.edn\n"
    "\n"
    "Exit code: 0 all true, 10 some false, 20 some unknown, 2 wrong usage, 3 bad input; the worst, "
    "in the order\n"
    "3, 10, 20, 0.\n";

Command elle_command() {
  return {"elle",
          "check histories with the command line of elle-cli",
          "FILE...",
          1,
          any,
          {"model",
           "consistency-models",
           {"anomalies",
            {},
            "none",
            "the anomalies that the histories must not have: names, with commas"},
           "verbose",
           {"format",
            "text|elle-json|edn|json",
            {},
            "how to print the result: text or elle-json; edn and json, as elle-cli has them, mean "
            "text"},
           "cycle-search-timeout",
           "total-amount",
           "allow-negative-balances",
           "group-size",
           "sequential-keys",
           "linearizable-keys",
           "wfr-keys",
           {"time-from", {}, "lines"},
           "from",
           "threads",
           "time-limit",
           "memory-limit"},
          elle_details,
          run_elle};
}

constexpr std::string_view shrink_details =
    "Leaves out sessions, transactions and operations of a history that violates the level for "
    "as long as it\n"
    "still does, in the same way, and writes what is left: in litmus notation, or in the format "
    "of --to.\n"
    "What is left violates no level that the history does not violate: a read stays only with "
    "every transaction\n"
    "that may have written what it returned, except for those that clocks rule out at a level "
    "with real time.\n"
    "At a limit, the smallest found so far is written.\n"
    "\n"
    "Examples:\n"
    "  isoscope shrink history.edn --level serializable\n"
    "  isoscope shrink history.jsonl --level snapshot-isolation --to native --output "
    "small.jsonl\n"
    "\n"
    "Exit code: 0 written, 2 the level holds (or wrong usage), 20 whether it does is unknown, "
    "3 bad input.\n";

Command shrink_command() {
  return {"shrink",
          "the smallest part of a history that still violates a level",
          "FILE",
          1,
          1,
          {{"level", {}, {}, "the isolation level that is violated ('isoscope levels' lists them)"},
           "session-order",
           "indeterminate-cuts",
           "names",
           "time",
           "time-from",
           "clock-skew",
           "strict",
           "from",
           "cobra-values",
           {"to", {}, "litmus"},
           "output",
           "threads",
           {"time-limit",
            {},
            {},
            "stop after this time, such as 10s or 5m; the smallest history so far is then written"},
           "memory-limit"},
          shrink_details,
          run_shrink};
}

Command convert_command() {
  return {
      "convert",
      "translate a history into another format",
      "FILE",
      1,
      1,
      {"from", "to", "output", "cobra-values", "threads", nothing_written_late, "memory-limit"},
      "Writes the history in the format of --to. What the format cannot hold is an error, never "
      "silently dropped.\n"
      "\n"
      "Examples:\n"
      "  isoscope convert history.edn > history.jsonl\n"
      "  isoscope convert examples/dirty-read.jsonl --to litmus\n",
      run_convert};
}

Command generate_command() {
  return {"generate",
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
           nothing_written_late,
           "memory-limit"},
          generate_details(),
          run_generate};
}

constexpr std::string_view db_details =
    "Starts a server of the database DB, postgres or mariadb, in a temporary folder, on a unix "
    "socket, as an\n"
    "unprivileged user. When it can be used, prints its connection string and waits for Ctrl-C. "
    "With COMMAND it runs\n"
    "that instead, with the connection string in the variable DATABASE_URL, and with those "
    "variables that make the\n"
    "database's own client programs connect to it. Afterwards the server is stopped and its "
    "folder removed, also if\n"
    "isoscope is killed. docs/servers.md says which settings the server has.\n"
    "\n"
    "Examples:\n"
    "  isoscope db postgres\n"
    "  isoscope db postgres -- psql -c 'SHOW server_version'\n"
    "  isoscope db mariadb --setting innodb-snapshot-isolation=on -- ./my-test\n"
    "\n"
    "Exit code: that of COMMAND; without one 0, or 3 if the server ends by itself. 2 wrong usage, "
    "such as a setting\n"
    "that the server does not have; 3 the server is not installed or does not start; 20 a limit "
    "came first.\n";

Command db_command() {
  return {"db",
          "a throw-away server of PostgreSQL or MariaDB, to try things on",
          "DB [-- COMMAND...]",
          1,
          any,
          {"version",
           "setting",
           {"time-limit", {}, {}, "stop the server after this time, such as 10s or 5m"}},
          db_details,
          run_db};
}

Command stores_command() {
  return {
      "stores",
      "the embedded stores, their bugs, and what those violate",
      "[show NAME]",
      0,
      0,
      {text_or_json},
      "Lists the stores that 'isoscope generate' can run a workload on, and the bugs that can be "
      "switched on;\n"
      "'show NAME' lists the levels that the store violates with each bug.\n"
      "\n"
      "Examples:\n"
      "  isoscope stores\n"
      "  isoscope stores show snapshot-isolation\n",
      run_stores,
      {{"stores show",
        "the levels that a store violates with each bug",
        "NAME",
        1,
        1,
        {text_or_json},
        "Examples:\n"
        "  isoscope stores show snapshot-isolation\n",
        run_stores_show}}};
}

Command stats_command() {
  return {
      "stats",
      "what is in a history, and what can it be checked for?",
      "FILE...",
      1,
      any,
      {"from",
       "cobra-values",
       "time-from",
       "indeterminate-cuts",
       text_or_json,
       "threads",
       {"time-limit",
        {},
        {},
        "give up after this time, such as 10s or 5m, for all files together; files that were not "
        "read by then are left out"},
       "memory-limit"},
      "Counts sessions, transactions, operations, keys, outcomes and duplicate values, and says "
      "which questions\n"
      "the file can answer (real time needs timestamps, predicates need predicate reads).\n",
      run_stats};
}

Command levels_command() {
  return {
      "levels",
      "the catalogue of isolation levels, and what implies what",
      "[show NAME | texts | format FILE]",
      0,
      0,
      {text_json_or_svg},
      "Lists every level with its names and what it forbids; --format svg draws what implies "
      "what.\n"
      "\n"
      "Examples:\n"
      "  isoscope levels\n"
      "  isoscope levels show snapshot-isolation\n"
      "  isoscope levels show G-single\n"
      "  isoscope levels show cerone/SI\n"
      "  isoscope levels format examples/my-si.level\n"
      "  isoscope levels --format svg > levels.svg\n",
      run_levels,
      {{"levels show",
        "what a level or a level text says",
        "NAME",
        1,
        1,
        {"names", text_or_json, "session-order"},
        "Explains a level of the catalogue with its definition and citation, and with the text "
        "that states it in\n"
        "the level language; or prints a level text that comes with the program.\n"
        "\n"
        "Examples:\n"
        "  isoscope levels show snapshot-isolation\n"
        "  isoscope levels show G-single\n"
        "  isoscope levels show cerone/SI\n",
        run_levels_show},
       {"levels texts",
        "all level texts that come with the program",
        "",
        0,
        0,
        {},
        "There are several texts for most levels of the catalogue; 'isoscope levels show' prints "
        "one.\n",
        run_levels_texts},
       {"levels format",
        "a level file of your own in house style, or what is wrong with it",
        "FILE",
        1,
        1,
        {},
        "Examples:\n"
        "  isoscope levels format examples/my-si.level\n",
        run_levels_format}}};
}

constexpr std::string_view synth_details =
    "Looks for a history that all levels of --allow allow, all of --forbid forbid, and the "
    "formula of --where is true\n"
    "of; prints one with the fewest transactions, then keys, then operations, with how each "
    "level allows it and why\n"
    "others forbid it. A level is a name ('isoscope levels texts' lists them; names of the "
    "catalogue mean the text that\n"
    "defines them) or a file in the level language (docs/level-language.md). Looks up to "
    "--txns 5 --keys 3:\n"
    "that there is none so far does not prove that there is none at all. --output writes the "
    "history to a file, too.\n"
    "\n"
    "Examples:\n"
    "  isoscope synth --allow SI --forbid SER\n"
    "  isoscope synth --allow plume/TapRA --forbid RA\n"
    "  isoscope synth --allow SI,cerone/UpdateSer --forbid SER --txns 4\n"
    "  isoscope synth --allow examples/my-si.level --forbid SI --output it.jsonl\n"
    "  isoscope synth --forbid SI --where 'so in initial * transaction' --all\n"
    "  isoscope synth --allow SI --forbid SER --format svg > skew.svg\n"
    "\n"
    "Exit code: 0 found, 10 none up to the scope, 20 a limit was reached, 2 wrong usage, 3 bad "
    "input.\n";

Command synth_command() {
  return {
      "synth",
      "the smallest history that some levels allow and others forbid",
      "",
      0,
      0,
      synth_options({"allow",
                     "forbid",
                     "where",
                     "all",
                     "to",
                     {"output", {}, {}, "the file to write the history to, besides printing it"},
                     text_json_or_svg,
                     {"stats",
                      {},
                      {},
                      "also print how many histories were tried, and the size of the question, on "
                      "standard error"},
                     {"time-limit",
                      {},
                      {},
                      "stop after this time, such as 10s or 5m; what was found by then is "
                      "printed"}}),
      synth_details,
      run_synth};
}

Command compare_command() {
  return {
      "compare",
      "is one level stronger than another?",
      "LEVEL LEVEL",
      2,
      2,
      synth_options({{"strict", {}, {}, "count the answer as unknown if a level allows nothing"},
                     text_or_json,
                     undecided_late}),
      "Looks for a smallest history that the first level allows and the second forbids, and the "
      "other way round, up to\n"
      "--txns 5 --keys 3. Says whether they are equivalent up to there, one is "
      "stronger, or neither is.\n"
      "Levels are names or files, as for synth.\n"
      "\n"
      "Examples:\n"
      "  isoscope compare SI cerone/SI\n"
      "  isoscope compare examples/my-si.level SI\n"
      "  isoscope compare UA NLU --txns 4\n"
      "\n"
      "Exit code: 0 equivalent up to the scope, 10 different, 20 a limit was reached, 2 wrong "
      "usage, 3 bad input.\n",
      run_compare};
}

Command lattice_command() {
  return {
      "lattice",
      "the order among many levels, with a history for all that is not ordered",
      "[LEVEL...]",
      0,
      any,
      synth_options({{"all", {}, {}, "compare all levels that come with the program"},
                     {"strict", {}, {}, "count the answer as unknown if a level allows nothing"},
                     text_json_or_svg,
                     {"stats",
                      {},
                      {},
                      "also print the number of searches and of histories, on standard error"},
                     undecided_late}),
      "Compares levels pair by pair, up to --txns 4 --keys 2, and prints which imply "
      "which; every pair that\n"
      "is not ordered comes with a history. --all: the levels that come with the program. "
      "--format svg draws it.\n"
      "\n"
      "Examples:\n"
      "  isoscope lattice RA UA NLU CC PSI PC SI SER\n"
      "  isoscope lattice examples/my-si.level PSI SI SER --txns 4\n"
      "  isoscope lattice --all --format svg > levels.svg\n"
      "\n"
      "Exit code: 0, 20 a limit was reached, 2 wrong usage, 3 bad input.\n",
      run_lattice};
}

Command help_command() {
  return {"help",
          "how a command is used",
          "[COMMAND]",
          0,
          2,
          {},
          "The same as isoscope COMMAND --help.\n"
          "\n"
          "Examples:\n"
          "  isoscope help check\n"
          "  isoscope help protocol explore\n",
          run_help};
}

Command version_command() {
  return {"version",  "which version this is", "", 0, 0, {}, "The same as isoscope --version.\n",
          run_version};
}

}  // namespace

std::span<const Command> commands() {
  static const Command list[] = {demo_command(),    check_command(),    elle_command(),
                                 record_command(),  db_command(),       shrink_command(),
                                 convert_command(), generate_command(), stores_command(),
                                 stats_command(),   levels_command(),   synth_command(),
                                 compare_command(), lattice_command(),  protocol_command(),
                                 help_command(),    version_command()};
  return list;
}

}  // namespace isoscope::cli
