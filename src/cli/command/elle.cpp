#include <algorithm>
#include <variant>

#include "cli/command.h"
#include "cli/level_option.h"
#include "cli/load.h"
#include "isoscope/base/suggestion.h"
#include "isoscope/base/workers.h"
#include "isoscope/check/several_levels.h"
#include "isoscope/models/model_report.h"
#include "isoscope/report/elle_report.h"
#include "isoscope/report/explanation.h"

// The command line of elle-cli: a model, files, and for each file a line with true, false or
// unknown. docs/elle.md is the page for users.

namespace isoscope::cli {

namespace {

/// The models of Elle itself, whose operations are transactions.
enum class Transactions : std::uint8_t { list_append, rw_register, closed_predicate };

constexpr std::pair<std::string_view, Transactions> transaction_models[] = {
    {"list-append", Transactions::list_append},
    {"rw-register", Transactions::rw_register},
    {"closed-predicate", Transactions::closed_predicate},
};

using AnyModel = std::variant<Transactions, models::Model>;

Result<AnyModel> model_option(const Options& options) {
  std::string name = options.text("model");
  // elle-cli once put the name of the checker before that of the model.
  for (const std::string_view checker : {"elle-", "jepsen-", "knossos-"}) {
    if (name.starts_with(checker)) name = name.substr(checker.size());
  }
  std::vector<std::string> known;
  for (const auto& [word, model] : transaction_models) {
    if (word == name) return AnyModel(model);
    known.emplace_back(word);
  }
  if (const auto model = models::find_model(name)) return AnyModel(*model);
  for (const models::ModelInfo& info : models::models()) known.emplace_back(info.name);
  std::string all;
  for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
  return Error{"--model: expected one of " + all +
               (name.empty() ? "" : ", found '" + name + "'" + did_you_mean(name, known))};
}

/// What is asked of a history: the levels that it must be at, and the anomalies that it must not
/// have.
struct Question {
  std::vector<Level> levels;
  std::vector<Anomaly> anomalies;
};

Result<Question> question(const Options& options) {
  Question question;
  for (const std::string& name : options.list("consistency-models")) {
    if (name == "none") continue;
    ISOSCOPE_TRY(level, find_level(name, NameDialect::elle));
    question.levels.push_back(level);
  }
  if (!options.is_set("consistency-models"))
    question.levels.push_back({LevelId::strict_serializable, true});
  if (const std::string& names = options.text("anomalies"); !names.empty() && names != "none") {
    ISOSCOPE_TRY(anomalies, anomalies_named(names));
    question.anomalies = std::move(anomalies);
  }
  return question;
}

/// The weakest levels that forbid the anomaly: any of them that holds shows that it is not there.
std::vector<Level> levels_without(Anomaly anomaly) {
  const bool sessions = entry_of(anomaly).order != AnomalyOrder::dependencies;
  std::vector<Level> all;
  for (const LevelEntry& entry : levels()) {
    const Level level{entry.id, sessions || entry.kind != LevelKind::transactional};
    if (forbids(level, anomaly)) all.push_back(level);
  }
  std::vector<Level> weakest;
  for (const Level level : all) {
    const auto is_weaker = [&](Level other) {
      return implies(level, other) && !implies(other, level);
    };
    if (std::ranges::none_of(all, is_weaker)) weakest.push_back(level);
  }
  return weakest;
}

/// What Elle calls by the same names: an assumption, and the option that asks for it.
constexpr VersionAssumption assumptions_of_elle[] = {VersionAssumption::sequential_keys,
                                                     VersionAssumption::linearizable_keys,
                                                     VersionAssumption::wfr_keys};

std::vector<VersionAssumption> assumptions(const Options& options) {
  std::vector<VersionAssumption> result;
  for (const VersionAssumption one : assumptions_of_elle) {
    if (options.flag(name_of(one))) result.push_back(one);
  }
  return result;
}

std::vector<Verdict> check_all(Invocation& invocation, const History& history,
                               std::span<const Level> levels) {
  SeveralLevels several;
  several.each.limits = invocation.limits;
  several.each.progress = invocation.progress;
  several.each.threads =
      Workers(static_cast<unsigned>(invocation.options.number("threads"))).threads();
  several.each.anomalies = 100;
  several.each.assumptions = assumptions(invocation.options);
  several.also_violated = [&](const Verdict& verdict) -> std::vector<LevelId> {
    if (!report::has_stories(*verdict.certificate)) return {};
    return report::explain(history, *verdict.certificate, invocation.limits).levels_ruled_out;
  };
  return check_levels(history, levels, several);
}

/// What is wrong with a single read is known for each read by itself: whether none of the bad reads
/// that a verdict rests on can be of that kind.
bool has_no_such_read(const Verdict& verdict, Anomaly anomaly) {
  if (verdict.answer != Answer::violated || verdict.evidence.empty()) return false;
  const auto is_partial = [](const Remark& remark) {
    return remark.kind == Remark::Kind::reads_undecided;
  };
  if (std::ranges::any_of(verdict.remarks, is_partial)) return false;
  for (std::size_t i = 0; i < read_finding_count; ++i) {
    const auto finding = static_cast<ReadFinding>(i);
    if (anomaly_of(finding) != anomaly || !forbids(verdict.level, finding)) continue;
    return std::ranges::none_of(verdict.evidence,
                                [&](const BadRead& bad) { return bad.possible.has(finding); });
  }
  return false;
}

/// Adds what is to be said about an anomaly that no level of the question forbids: the violation of
/// a level that shows it, or that it is not known; nothing if it is not there.
void look_for(Anomaly anomaly, Invocation& invocation, const History& history,
              std::vector<Verdict>& verdicts) {
  for (Verdict& verdict : check_all(invocation, history, levels_without(anomaly))) {
    if (verdict.answer == Answer::holds || has_no_such_read(verdict, anomaly)) return;
    const auto shown = report::anomalies_shown(history, {&verdict, 1});
    if (std::ranges::any_of(shown, [&](Anomaly one) { return implies(one, anomaly); })) {
      verdicts.push_back(std::move(verdict));
      return;
    }
  }
  Verdict open;
  open.reason = "whether the history has " + std::string(name_of(anomaly)) + " is not decided";
  verdicts.push_back(std::move(open));
}

/// A history of another model is refused, as by elle-cli: it was probably not meant.
Status expect_model(const std::string& path, const History& history, Transactions model) {
  if (model == Transactions::closed_predicate) return Done{};
  for (const TransactionId t : history.transactions()) {
    for (const Operation& operation : history.operations(t)) {
      const OperationKind kind = operation.kind();
      const bool list = kind == OperationKind::append || kind == OperationKind::list_read;
      const bool plain = kind == OperationKind::read || kind == OperationKind::write;
      // A read of nil, or one that nobody reported, may be one of a list.
      const bool nil = kind == OperationKind::read && (operation.value() == ValuePool::nil ||
                                                       operation.value() == ValuePool::unreported);
      if (model == Transactions::list_append ? list || nil : plain) continue;
      return Error{path + ": expected a history of " +
                   (model == Transactions::list_append ? "list-append" : "rw-register") +
                   ", found the operation '" + std::string(name_of(kind)) + "' in " +
                   history.label(t)};
    }
  }
  return Done{};
}

bool is_verbose(const Options& options) {
  return options.flag("verbose") || options.text("format") == "elle-json";
}

/// The line of a file, or its JSON; says on standard error why an answer is unknown.
ExitCode tell(const Invocation& invocation, const std::string& path, Answer answer,
              const std::string& json, const std::string& reason) {
  const bool verbose = is_verbose(invocation.options);
  print(verbose ? json : path + "\t" + std::string(report::elle_word(answer)) + "\n");
  if (!verbose && answer == Answer::unknown && !reason.empty())
    complain(path + ": unknown: " + reason);
  return code_of(answer);
}

ExitCode tell(const Invocation& invocation, const std::string& path, const History& history,
              std::span<const Verdict> verdicts) {
  const auto open = std::ranges::find(verdicts, Answer::unknown, &Verdict::answer);
  return tell(invocation, path, report::answer_to_all(verdicts),
              report::elle_json(path, history, verdicts),
              open == verdicts.end() ? "" : open->reason);
}

/// What else the history violates, so that `not` has the weakest models: a refutation of a strong
/// one need not be about a weak one, though there is another that is.
void add_weaker_models(Invocation& invocation, const History& history,
                       std::vector<Verdict>& verdicts) {
  if (report::answer_to_all(verdicts) != Answer::violated) return;
  std::vector<Level> others;
  for (const Level level : report::levels_of_elle()) {
    const auto is_asked = [&](const Verdict& verdict) { return verdict.level == level; };
    if (std::ranges::none_of(verdicts, is_asked)) others.push_back(level);
  }
  for (Verdict& verdict : check_all(invocation, history, others)) {
    if (verdict.answer == Answer::violated) verdicts.push_back(std::move(verdict));
  }
}

ExitCode check_transactions(Invocation& invocation, const std::string& path, Transactions model,
                            const Question& question) {
  const auto loaded = load(invocation, path);
  if (!loaded) return failed(loaded.error());
  const History& history = loaded->history;
  if (const Status fits = expect_model(path, history, model); !fits) return failed(fits.error());
  std::vector<Verdict> verdicts = check_all(invocation, history, question.levels);
  for (const Anomaly anomaly : question.anomalies) {
    const auto covers = [&](Level level) { return forbids(level, anomaly); };
    if (std::ranges::none_of(question.levels, covers))
      look_for(anomaly, invocation, history, verdicts);
  }
  if (is_verbose(invocation.options)) add_weaker_models(invocation, history, verdicts);
  invocation.progress.finish();
  return tell(invocation, path, history, verdicts);
}

Result<models::ModelOptions> model_options(Invocation& invocation, models::Model model,
                                           const Question& question) {
  const Options& options = invocation.options;
  const models::ModelInfo& info = models::info_of(model);
  models::ModelOptions result;
  if (!question.anomalies.empty())
    return Error{"--anomalies: not for the model " + std::string(info.name)};
  if (info.has_level) {
    if (question.levels.size() != 1)
      return Error{"--consistency-models: takes one for the model " + std::string(info.name)};
    result.level = question.levels[0];
  } else if (options.is_set("consistency-models")) {
    return Error{"--consistency-models: not for the model " + std::string(info.name) +
                 ", which promises this: " + std::string(info.promise)};
  }
  if (options.is_set("total-amount")) result.total_amount = options.number("total-amount");
  result.allow_negative_balances = options.flag("allow-negative-balances");
  if (options.number("group-size") > 0)
    result.group_size = static_cast<std::size_t>(options.number("group-size"));
  result.check.limits = invocation.limits;
  result.check.progress = invocation.progress;
  result.check.anomalies = 1;
  return result;
}

ExitCode check_log(Invocation& invocation, const std::string& path, models::Model model,
                   const models::ModelOptions& options) {
  ReadOptions reading;
  const auto from = readable_format(invocation.options);
  if (!from) return wrong_usage(from.error());
  reading.format = *from;
  reading.limits = invocation.limits;
  reading.progress = invocation.progress;
  const auto source = Source::open(path, invocation.limits);
  if (!source) return failed(source.error());
  const auto log = read_operation_log(*source, reading);
  if (!log) return failed(log.error());
  const auto verdict = models::check_model(model, *log, options);
  invocation.progress.finish();
  if (!verdict) return failed(with_line(*source, verdict.error()));
  if (verdict->checked && verdict->answer == verdict->checked->verdict.answer) {
    const models::CheckedHistory& checked = *verdict->checked;
    return tell(invocation, path, checked.history, {&checked.verdict, 1});
  }
  return tell(invocation, path, verdict->answer, models::model_json(path, *log, *verdict),
              verdict->reason);
}

}  // namespace

ExitCode run_elle(Invocation& invocation) {
  const auto model = model_option(invocation.options);
  if (!model) return wrong_usage(model.error());
  const auto asked = question(invocation.options);
  if (!asked) return wrong_usage(asked.error());
  const auto* const transactions = std::get_if<Transactions>(&*model);
  const bool has_registers = transactions != nullptr && *transactions != Transactions::list_append;
  if (const auto assumed = assumptions(invocation.options); !assumed.empty() && !has_registers) {
    return wrong_usage(Error{"--" + std::string(name_of(assumed[0])) +
                             ": is for registers (--model rw-register)"});
  }
  take_folders_apart(invocation);
  if (invocation.options.is_set("cycle-search-timeout")) {
    const auto files = static_cast<std::int64_t>(invocation.arguments.size());
    invocation.limits.set_time(
        std::chrono::milliseconds(invocation.options.number("cycle-search-timeout") * files));
  }
  const auto* const log_model = std::get_if<models::Model>(&*model);
  models::ModelOptions options;
  if (log_model != nullptr) {
    auto made = model_options(invocation, *log_model, *asked);
    if (!made) return wrong_usage(made.error());
    options = *made;
  }
  ExitCode worst = exit_holds;
  for (const std::string& path : invocation.arguments) {
    const ExitCode code =
        log_model != nullptr
            ? check_log(invocation, path, *log_model, options)
            : check_transactions(invocation, path, std::get<Transactions>(*model), *asked);
    worst = worse(worst, code);
  }
  return worst;
}

}  // namespace isoscope::cli
