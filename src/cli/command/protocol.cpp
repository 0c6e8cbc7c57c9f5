#include <algorithm>
#include <new>

#include "cli/level_text.h"
#include "cli/load.h"
#include "cli/protocol_model.h"

namespace isoscope::cli {

namespace {

/// Which of the command's options each of its parts takes.
struct Part {
  std::string_view name;
  std::vector<std::string_view> options;
  ExitCode (*run)(Invocation&, const protocol::Model&) = nullptr;
};

const std::vector<Part>& parts() {
  static const std::vector<Part> list = {
      {"list", {"format"}},
      {"show", {}},
      {"format", {}},
      {"explore",
       {"clients", "keys", "txns", "level", "shapes", "max-states", "no-symmetry", "no-eager", "to",
        "output", "format", "stats", "threads", "time-limit", "memory-limit"},
       protocol_explore},
      {"prove",
       {"level", "refines", "certificate", "invariants", "format", "stats", "threads", "time-limit",
        "memory-limit"},
       protocol_prove},
      {"simulate", {"clients", "keys", "txns", "seed", "steps", "to", "output"}, protocol_simulate},
      {"trace",
       {"clients", "keys", "txns", "seed", "steps", "violation", "shapes", "max-states", "format",
        "threads", "time-limit", "memory-limit"},
       protocol_trace},
  };
  return list;
}

/// The option that was given although the part has no use for it.
std::optional<Error> useless_option(const Part& part, const Options& options) {
  for (const OptionSpec& spec : option_list()) {
    if (!options.is_set(spec.name) || std::ranges::count(part.options, spec.name) != 0) continue;
    if (options.text(spec.name) == spec.default_text) continue;
    return Error{"--" + std::string(spec.name) + ": not for 'protocol " + std::string(part.name) +
                 "'"};
  }
  return std::nullopt;
}

ExitCode list(const Options& options) {
  if (options.text("format") == "svg")
    return wrong_usage(Error{"--format: 'protocol list' prints text or json"});
  print(options.text("format") == "json" ? protocol::shipped_models_json()
                                         : protocol::shipped_models_text());
  return exit_holds;
}

ExitCode show(const std::string& typed) {
  ProtocolText text;
  const ExitCode code = find_protocol(typed, text);
  if (code == exit_holds) print(text.text);
  return code;
}

ExitCode format(const std::string& typed) {
  ProtocolText text;
  if (const ExitCode code = find_protocol(typed, text); code != exit_holds) return code;
  // What cannot be read as a protocol should not look as if it were fine.
  if (const auto model = protocol::read_model(text.name, text.text, find_refined); !model)
    return bad_protocol(text, model.error());
  const auto formatted = protocol::format_model(text.name, text.text);
  if (!formatted) return bad_protocol(text, formatted.error());
  print(*formatted);
  return exit_holds;
}

}  // namespace

std::string_view protocol_details() {
  return "Works on a protocol P: a file in the protocol language (docs/protocol-language.md), or "
         "the "
         "name of one that comes\n"
         "with the program.\n"
         "\n"
         "  protocol list            the protocols that come with the program, with what they "
         "claim\n"
         "  protocol show NAME       the text of one\n"
         "  protocol format FILE     a text in house style, or what is wrong with it\n"
         "  protocol explore P       all states with --clients 2 --keys 2 --txns 1 (of each "
         "client): "
         "which levels are\n"
         "                           violated, with a shortest run and the history that clients "
         "saw\n"
         "  protocol prove P         proves a level for any number of clients, keys and "
         "transactions; without --level\n"
         "                           what P claims, else the strongest that can be proved\n"
         "  protocol prove P --refines  proves that P refines the protocol that its text names: "
         "steps are steps there,\n"
         "                           and clients see the same\n"
         "  protocol simulate P      a random run, as a history (--clients 3 --keys 3 --txns 3)\n"
         "  protocol trace P         a random run step by step, or one that violates --violation "
         "LEVEL; --format svg draws it\n"
         "\n"
         "Levels are RA, UA, TCC, PSI, PC, SI, SER and SSER. RA and UA are without session "
         "visibility here.\n"
         "\n"
         "Examples:\n"
         "  isoscope protocol explore s2pl\n"
         "  isoscope protocol explore mvcc-si --level SER -o skew.jsonl\n"
         "  isoscope protocol explore tapir-journal --level RA --shapes 'w(x)w(y), r(x)r(y)'\n"
         "  isoscope protocol prove s2pl --invariants --certificate s2pl.smt2\n"
         "  isoscope protocol prove atomic-steps --refines\n"
         "  isoscope protocol simulate s2pl --seed 1 -o run.jsonl\n"
         "  isoscope protocol trace s2pl-printed-guard --violation SER --format svg > run.svg\n"
         "\n"
         "Exit code: explore 0 no violation up to these sizes, prove 0 proved; both 10 violated, "
         "20 "
         "unknown. Without\n"
         "--level that is about the levels that P claims, or all where it claims none. An event "
         "that "
         "never happens gives 20,\n"
         "and so does a violation that only version order shows. 2 wrong usage, 3 bad input.\n";
}

ExitCode run_protocol(Invocation& invocation) {
  const auto& words = invocation.arguments;
  const std::string name = words.empty() ? "list" : words[0];
  const auto part = std::ranges::find(parts(), name, &Part::name);
  const std::size_t expected = name == "list" ? 1 : 2;
  if (part == parts().end() || (!words.empty() && words.size() != expected)) {
    return wrong_usage(
        Error{"expected 'isoscope protocol list', or show, format, explore, prove, simulate or "
              "trace with a protocol: 'isoscope protocol explore s2pl'"});
  }
  if (const auto error = useless_option(*part, invocation.options)) return wrong_usage(*error);
  if (name == "list") return list(invocation.options);
  if (name == "show") return show(words[1]);
  if (name == "format") return format(words[1]);
  if (const auto to = writable_format(invocation.options); !to) return wrong_usage(to.error());
  protocol::Model model;
  if (const ExitCode code = read_protocol(words[1], model); code != exit_holds) return code;
  try {
    return part->run(invocation, model);
  } catch (const std::bad_alloc&) {
    invocation.limits.memory_was_refused();
    return stopped(invocation);
  }
}

}  // namespace isoscope::cli
