#include <algorithm>
#include <chrono>

#include "cli/protocol_model.h"
#include "cli/save.h"
#include "cli/stopped.h"
#include "isoscope/judge/prove_protocol.h"
#include "isoscope/protocol/unseen_records.h"

namespace isoscope::cli {

namespace {

using protocol::Proof;

/// Prints what an attempt finds out as it goes.
class Printer : public ProofListener {
 public:
  Printer(Invocation& invocation, const protocol::Model& model)
      : invocation_(invocation), model_(model) {}

  void explored(const ExploredSize& size) override {
    invocation_.progress.finish();
    const protocol::Exploration& found = size.report.exploration;
    const bool shows = std::ranges::count(size.is_refutation, true) != 0;
    if (is_json()) {
      if (shows) print(protocol::exploration_json(size.report));
      return;
    }
    const std::string where = protocol::sizes_text(size.report.options.sizes) + ", " +
                              std::to_string(found.states) + " states";
    if (shows) {
      print(model_.name + ": VIOLATED with " + where + "\n");
    } else if (!size.others.empty()) {
      std::string others;
      for (const protocol::AbstractLevel level : size.others)
        others += (others.empty() ? "" : ", ") + std::string(protocol::entry_of(level).name);
      print(model_.name + ": " + others + " violated with " + where +
            " ('isoscope protocol explore' shows how)\n");
    } else {
      looked_at_ += "  no violation with " + where +
                    (found.complete ? "" : ", stopped: " + found.stopped) + "\n";
    }
    for (std::size_t i = 0; i < found.counterexamples.size(); ++i) {
      if (size.is_refutation[i]) {
        print(protocol::counterexample_text(size.report, i));
      } else if (size.is_note[i]) {
        looked_at_ += protocol::counterexample_text(size.report, i);
      }
    }
  }

  void tried(const ProofAttempt& attempt) override {
    invocation_.progress.finish();
    const Options& options = invocation_.options;
    const Proof& proof = attempt.proof;
    if (options.flag("stats")) {
      using std::chrono::milliseconds;
      complain((attempt.level ? std::string(entry_of(*attempt.level).name) : "refines") + ": " +
               std::to_string(std::chrono::duration_cast<milliseconds>(attempt.time).count()) +
               " ms, " + std::to_string(proof.solver_calls) + " calls of the solver");
    }
    print(is_json() ? protocol::proof_json(model_, proof)
                    : protocol::proof_text(model_, proof, options.flag("invariants")));
    if (proof.outcome == Proof::Outcome::stopped) stopped();
    const bool is_unknown =
        proof.outcome == Proof::Outcome::open || proof.outcome == Proof::Outcome::unkept;
    if (is_unknown && !is_json()) print(looked_at_);
  }

  void stopped() override { static_cast<void>(cli::stopped(invocation_)); }

 private:
  bool is_json() const { return invocation_.options.text("format") == "json"; }

  Invocation& invocation_;
  const protocol::Model& model_;
  std::string looked_at_;  // printed when the result is unknown
};

ExitCode save_certificate(const Options& options, const ProtocolVerdict& verdict) {
  if (!options.is_set("certificate")) return exit_holds;
  if (!verdict.has_proof || verdict.proof.certificate.empty()) {
    complain("--certificate: there is none to write");
    return exit_unknown;
  }
  return save([&](ByteSink& sink) { return sink.write(verdict.proof.certificate); },
              options.text("certificate"));
}

}  // namespace

ExitCode protocol_prove(Invocation& invocation, const protocol::Model& model) {
  const Options& options = invocation.options;
  const auto level = abstract_level_option(options, "level");
  if (!level) return failed(level.error());
  const bool refines = options.flag("refines");
  if (refines && *level) return wrong_usage(Error{"--refines: not together with --level"});
  Printer printer(invocation, model);
  const auto verdict = prove_protocol(model, {.level = *level, .refines = refines},
                                      invocation.limits, invocation.progress, printer,
                                      static_cast<unsigned>(options.number("threads")));
  invocation.progress.finish();
  if (!verdict) {
    // All that can be wrong with the question is the level.
    if (verdict.error().kind == ErrorKind::usage)
      return wrong_usage(Error{"--level: " + verdict.error().what});
    return failed(verdict.error());
  }
  if (verdict->has_proof && !refines) {
    for (const std::string& remark : protocol::unseen_records(model)) complain(remark);
  }
  return worse(code_of(verdict->answer), save_certificate(options, *verdict));
}

}  // namespace isoscope::cli
