#include <chrono>

#include "cli/load.h"
#include "cli/protocol_model.h"
#include "cli/save.h"
#include "isoscope/judge/explore_verdict.h"
#include "isoscope/judge/opinions.h"

namespace isoscope::cli {

namespace {

void print_effort(const protocol::Exploration& found, std::chrono::steady_clock::duration time) {
  using std::chrono::milliseconds;
  complain("time         " +
           std::to_string(std::chrono::duration_cast<milliseconds>(time).count()) + " ms");
  complain("memory       " + std::to_string(found.memory) + " bytes for states, " +
           std::to_string(found.bits_per_state) + " bits each");
}

}  // namespace

ExitCode protocol_explore(Invocation& invocation, const protocol::Model& model) {
  const Options& options = invocation.options;
  auto question = explore_options(invocation);
  if (!question) return failed(question.error());
  const auto level = abstract_level_option(options, "level");
  if (!level) return failed(level.error());
  question->level = *level;

  const auto start = std::chrono::steady_clock::now();
  const auto found = protocol::explore(model, *question);
  invocation.progress.finish();
  if (!found) return failed(found.error());
  if (options.flag("stats")) print_effort(*found, std::chrono::steady_clock::now() - start);
  const auto opinions = opinions_on(*found);
  if (!opinions) return failed(opinions.error());
  const protocol::ExplorationReport report{model, *question, *found, *opinions};
  print(options.text("format") == "json" ? protocol::exploration_json(report)
                                         : protocol::exploration_text(report));
  const ExploreVerdict verdict = explore_verdict(report);
  for (const std::string& remark : verdict.remarks) complain(remark);
  const ExitCode code = code_of(verdict.answer);
  if (!options.is_set("output")) return code;
  if (!verdict.counterexample) {
    complain("--output: there is no history to write");
    return code;
  }
  const auto to = writable_format(options);
  return worse(code, save(found->counterexamples[*verdict.counterexample].history, *to,
                          options.text("output")));
}

}  // namespace isoscope::cli
