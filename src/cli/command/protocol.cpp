#include "cli/caret.h"
#include "cli/load.h"
#include "cli/protocol_model.h"
#include "cli/stopped.h"

namespace isoscope::cli {

namespace {

ExitCode list(Invocation& invocation) {
  print(invocation.options.text("format") == "json" ? protocol::shipped_models_json()
                                                    : protocol::shipped_models_text());
  return exit_holds;
}

ExitCode show(Invocation& invocation) {
  const auto text = find_protocol(invocation.arguments[0]);
  if (!text) return failed(text.error());
  print(text->text);
  return exit_holds;
}

ExitCode format(Invocation& invocation) {
  const auto text = find_protocol(invocation.arguments[0]);
  if (!text) return failed(text.error());
  // What cannot be read as a protocol should not look as if it were fine.
  if (const auto model = read_protocol(*text); !model) return failed(model.error());
  const auto formatted = protocol::format_model(text->name, text->text);
  if (!formatted) return failed(with_caret(formatted.error(), text->text));
  print(*formatted);
  return exit_holds;
}

/// Reads the protocol, and does `part` with it.
template <ExitCode (*part)(Invocation&, const protocol::Model&)>
ExitCode with_model(Invocation& invocation) {
  const auto text = find_protocol(invocation.arguments[0]);
  if (!text) return failed(text.error());
  const auto model = read_protocol(*text);
  if (!model) return failed(model.error());
  return within_memory(invocation, [&] { return part(invocation, *model); });
}

constexpr CommandOption level_of_protocols{
    "level", {}, {}, "RA, UA, TCC, PSI, PC, SI, SER or SSER (default: what P claims)"};

constexpr CommandOption keys{"keys", {}, {}, "the number of keys"};
constexpr CommandOption transactions{"txns", {}, {}, "the number of transactions of each client"};

Command list_part() {
  return {"protocol list",
          "the protocols that come with the program, with what they claim",
          "",
          0,
          0,
          {text_or_json},
          "The same as isoscope protocol.\n",
          list};
}

Command show_part() {
  return {"protocol show",
          "the text of a protocol",
          "P",
          1,
          1,
          {},
          "Examples:\n"
          "  isoscope protocol show s2pl\n",
          show};
}

Command format_part() {
  return {"protocol format",
          "a protocol's text in house style, or what is wrong with it",
          "P",
          1,
          1,
          {},
          "Examples:\n"
          "  isoscope protocol format my.protocol\n",
          format};
}

Command explore_part() {
  return {
      "protocol explore",
      "which levels does it break with a few clients, keys and transactions, and how?",
      "P",
      1,
      1,
      {"clients",
       keys,
       transactions,
       level_of_protocols,
       "shapes",
       "max-states",
       "no-symmetry",
       "no-eager",
       "to",
       {"output", {}, {}, "the file to write the history of a violation to"},
       text_or_json,
       {"stats", {}, {}, "also print the time, and the memory for states, on standard error"},
       "threads",
       {"time-limit",
        {},
        {},
        "stop after this time, such as 10s or 5m; what was not found by then is unknown"},
       "memory-limit"},
      "Looks at all states with --clients 2 --keys 2 --txns 1 (of each client): which levels are "
      "violated, with a\n"
      "shortest run and the history that clients saw, which --output writes.\n"
      "\n"
      "Examples:\n"
      "  isoscope protocol explore s2pl\n"
      "  isoscope protocol explore mvcc-si --level SER -o skew.jsonl\n"
      "  isoscope protocol explore tapir-journal --level RA --shapes 'w(x)w(y), r(x)r(y)'\n"
      "\n"
      "Exit code: 0 no violation up to these sizes, 10 violated, 20 unknown; of the levels that P "
      "claims, or all\n"
      "where it claims none. An event that never happens gives 20, and so does a violation that "
      "only version order shows.\n",
      with_model<protocol_explore>};
}

Command prove_part() {
  return {"protocol prove",
          "does it keep its level for any number of clients, keys and transactions?",
          "P",
          1,
          1,
          {level_of_protocols,
           "refines",
           {"certificate", {}, {}, "write the proof to this file in SMT-LIB, for z3 and cvc5"},
           "invariants",
           text_or_json,
           {"stats",
            {},
            {},
            "also print the time and the solver's calls for each proof, on standard error"},
           "threads",
           {"time-limit",
            {},
            {},
            "give up after this time, such as 10s or 5m; what is not proved by then is unknown"},
           "memory-limit"},
          "Proves a level for any number of clients, keys and transactions; without --level what P "
          "claims, else the strongest\n"
          "that can be proved. --refines proves that P refines the protocol that its text names: "
          "steps are steps there, and\n"
          "clients see the same.\n"
          "\n"
          "Examples:\n"
          "  isoscope protocol prove s2pl --invariants --certificate s2pl.smt2\n"
          "  isoscope protocol prove atomic-steps --refines\n"
          "\n"
          "Exit code: 0 proved, 10 violated, 20 unknown.\n",
          with_model<protocol_prove>};
}

Command simulate_part() {
  return {
      "protocol simulate",
      "a random run, as a history",
      "P",
      1,
      1,
      {"clients",
       keys,
       transactions,
       "seed",
       "steps",
       "to",
       "output",
       {"time-limit",
        {},
        {},
        "give up after this time, such as 10s or 5m; nothing is then written"},
       "memory-limit"},
      "Runs the protocol with --clients 3 --keys 3 --txns 3 (of each client), one random step at "
      "a time, and writes\n"
      "what clients saw.\n"
      "\n"
      "Examples:\n"
      "  isoscope protocol simulate s2pl --seed 1 -o run.jsonl\n",
      with_model<protocol_simulate>};
}

Command trace_part() {
  return {"protocol trace",
          "a run step by step, or as a picture",
          "P",
          1,
          1,
          {"clients",
           keys,
           transactions,
           "seed",
           "steps",
           "violation",
           "shapes",
           "max-states",
           {"format", "text|svg"},
           "threads",
           {"time-limit",
            {},
            {},
            "give up after this time, such as 10s or 5m; nothing is then printed"},
           "memory-limit"},
          "Prints a random run with --clients 2 --keys 2 --txns 1 (of each client), or with "
          "--violation LEVEL a shortest one that\n"
          "violates it; --format svg draws it.\n"
          "\n"
          "Examples:\n"
          "  isoscope protocol trace s2pl --seed 2\n"
          "  isoscope protocol trace s2pl-printed-guard --violation SER --format svg > run.svg\n"
          "\n"
          "Exit code: 0 printed, 2 no run violates the level (or wrong usage), 20 unknown.\n",
          with_model<protocol_trace>};
}

std::vector<Command> parts() {
  return {list_part(),  show_part(),     format_part(), explore_part(),
          prove_part(), simulate_part(), trace_part()};
}

}  // namespace

Command protocol_command() {
  return {
      "protocol",
      "explore, prove or simulate a concurrency-control protocol",
      "[list | show P | format P | explore P | prove P | simulate P | trace P]",
      0,
      0,
      {text_or_json},
      "Works on a protocol P: a file in the protocol language (docs/protocol-language.md), or the "
      "name of one that comes\n"
      "with the program; without P, lists these. 'isoscope protocol explore --help' and so on say "
      "more.\n"
      "\n"
      "Examples:\n"
      "  isoscope protocol explore s2pl\n"
      "  isoscope protocol prove s2pl\n"
      "  isoscope protocol simulate s2pl --seed 1 -o run.jsonl\n"
      "\n"
      "Levels are RA, UA, TCC, PSI, PC, SI, SER and SSER. RA and UA are without session visibility "
      "here.\n",
      list,
      parts()};
}

}  // namespace isoscope::cli
