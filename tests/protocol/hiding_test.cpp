// Protocols that keep something from their clients. They are made from every protocol that comes
// with the program and has its level: some tell only of some reads, writes or commits, with a map
// that fits, and some answer only some transactions. Each must be refuted, or told to hide
// something, or not be proved.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/judge/judge_by_texts.h"
#include "isoscope/protocol/explore.h"
#include "isoscope/protocol/model_text.h"
#include "isoscope/protocol/prove.h"
#include "test_scale.h"

namespace isoscope::protocol {
namespace {

Model model_of(const std::string& name, const std::string& text) {
  Result<Model> model = read_model(name, text);
  EXPECT_TRUE(model) << model.error().text() << "\n" << text;
  return model ? *std::move(model) : Model{};
}

/// The formula with another name for a variable.
std::string renamed(const std::string& formula, std::string_view from, std::string_view to) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '\'';
  };
  std::string result;
  for (std::size_t at = 0; at < formula.size();) {
    std::size_t end = at;
    while (end < formula.size() && is_part(formula[end])) ++end;
    const std::string word = formula.substr(at, std::max<std::size_t>(end - at, 1));
    result += word == from ? std::string(to) : word;
    at += word.size();
  }
  return result;
}

/// A text whose clauses can be changed. Each stands on a line of its own.
class Text {
 public:
  explicit Text(std::string text) : text_(std::move(text)) {}

  /// What stands after the beginning of a line; "" if there is no such line.
  std::string rest_of(std::string_view line) const {
    const std::size_t at = text_.find("\n" + std::string(line));
    if (at == text_.npos) return "";
    const std::size_t from = at + 1 + line.size();
    return text_.substr(from, text_.find('\n', from) - from);
  }
  /// `line F` becomes `line (F) and (more)`.
  void restrict(std::string_view line, const std::string& more) {
    const std::string rest = rest_of(line);
    if (rest.empty()) return;
    const std::size_t at = text_.find("\n" + std::string(line)) + 1 + line.size();
    text_.replace(at, rest.size(), "(" + rest + ") and (" + more + ")");
  }
  void replace(std::string_view from, std::string_view to) {
    const std::size_t at = text_.find(from);
    if (at != text_.npos) text_.replace(at, from.size(), to);
  }
  void append(const std::string& line) { text_ += "\n" + line + "\n"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

constexpr std::string_view committed_line = "  committed when ",
                           reads_line = "  reads k from w when ", writes_line = "  writes k when ";

/// Formulas by which a designer could choose what is told, on the transaction t, the key k and the
/// version w.
struct Choices {
  std::vector<std::string> of_transaction, of_key, of_version;
};

Choices choices_of(const Model& model, const Text& text) {
  Choices result;
  result.of_version = {"w = initial", "w != initial"};
  std::vector<std::string> relations = {text.rest_of(writes_line)};
  for (const Component& component : model.components) {
    using P = std::vector<Sort>;
    if (component.kind != Component::Kind::relation ||
        component.name.find('.') != std::string::npos)
      continue;
    if (component.parameters == P{Sort::key, Sort::transaction})
      relations.push_back(component.name + "(k, t)");
    if (component.parameters == P{Sort::transaction, Sort::key})
      relations.push_back(component.name + "(t, k)");
  }
  for (const std::string& relation : relations) {
    result.of_key.push_back(relation);
    result.of_key.push_back("not (" + relation + ")");
    const std::string other = renamed(relation, "k", "j'");
    result.of_transaction.push_back("exists j': key. " + other);
    result.of_transaction.push_back("no j': key. " + other);
  }
  result.of_transaction.emplace_back("exists u': transaction. so(u', t)");
  result.of_transaction.emplace_back("no u': transaction. so(u', t)");
  result.of_transaction.emplace_back("exists u': transaction. so(t, u')");
  for (const std::string& choice : result.of_transaction) result.of_key.push_back(choice);
  for (const std::string& choice : result.of_key) result.of_version.push_back(choice);
  return result;
}

struct Mutant {
  std::string what;
  std::string text;
  std::string difference;  ///< an invariant of the unchanged text, false if the change matters
};

std::vector<Mutant> mutants_of(const Model& model, const Text& text) {
  std::vector<Mutant> result;
  const Choices choices = choices_of(model, text);
  const std::string committed = text.rest_of(committed_line), reads = text.rest_of(reads_line),
                    writes = text.rest_of(writes_line);
  const std::string for_all =
      "forall t: transaction, k: key, w: transaction. t != initial and (" + committed + ") and ";
  for (const std::string& choice : choices.of_version) {
    Text changed = text;
    changed.restrict(reads_line, choice);
    changed.restrict("map reader(k, w, x) = ", renamed(choice, "t", "x"));
    result.push_back(
        {"reads if " + choice, changed.text(), for_all + "(" + reads + ") => (" + choice + ")"});
  }
  for (const std::string& choice : choices.of_key) {
    Text changed = text;
    changed.restrict(writes_line, choice);
    const auto or_initial = [&](const std::string& name) {
      return name + " = initial or (" + renamed(choice, "t", name) + ")";
    };
    changed.restrict("map installed(k, x) = ", or_initial("x"));
    changed.restrict("map before(k, x, y) = ",
                     "(" + or_initial("x") + ") and (" + or_initial("y") + ")");
    result.push_back(
        {"writes if " + choice, changed.text(), for_all + "(" + writes + ") => (" + choice + ")"});
  }
  const bool is_about_time = std::ranges::find(model.claims, "SSER") != model.claims.end();
  for (const std::string& choice : choices.of_transaction) {
    const std::string difference = for_all + "true => (" + choice + ")";
    Text changed = text;
    changed.restrict(committed_line, choice);
    result.push_back({"commits if " + choice, changed.text(), difference});
    if (!is_about_time) continue;
    Text answering = text;
    answering.replace(" commits t answers t", " commits t");
    answering.replace("\nobserve t",
                      "\nevent reply(c: client, t: transaction) at c answers t\n"
                      "  when owner(t) = c and t != initial and (" +
                          committed + ") and (" + choice + ")\n\nobserve t");
    result.push_back({"answers if " + choice, answering.text(), difference});
  }
  return result;
}

constexpr Sizes sizes_tried[] = {{2, 2, 1}, {2, 1, 2}};

struct Tally {
  int mutants = 0, same = 0, unknown = 0, refused = 0, refuted = 0, hiding = 0, unproved = 0;
};

Exploration explored(const Model& model, Sizes sizes, bool without_levels) {
  ExploreOptions options{.sizes = sizes, .without_levels = without_levels};
  options.threads = 1;
  options.max_states = test_scale() > 1 ? 300'000 : 50'000;
  options.judge = judge_by_texts();
  const Result<Exploration> found = explore(model, options);
  EXPECT_TRUE(found) << found.error().text();
  return found ? *found : Exploration{};
}

/// Does it tell clients something else than the protocol that it was made from does? Nothing: the
/// text cannot be asked, because functions would go in a circle.
std::optional<bool> makes_a_difference(const std::string& text, const Mutant& mutant) {
  const Result<Model> with =
      read_model("with", text + "\ninvariant same: " + mutant.difference + "\n");
  if (!with) return std::nullopt;
  return std::ranges::any_of(sizes_tried, [&](Sizes sizes) {
    return explored(*with, sizes, true).invariants.back().counterexample.has_value();
  });
}

void judge(const std::string& text, const Mutant& mutant, Tally& tally) {
  SCOPED_TRACE(mutant.what);
  ++tally.mutants;
  const Result<Model> read = read_model("mutant", mutant.text);
  if (!read) {
    ++tally.refused;
    return;
  }
  const Model& model = *read;
  const AbstractLevel level = *find_abstract_level(model.claims[0]);
  Coverage coverage;
  for (const Sizes sizes : sizes_tried) {
    const Exploration found = explored(model, sizes, false);
    if (found.at(level).counterexample || found.breaks_invariant()) {
      ++tally.refuted;
      return;
    }
    coverage.add(found.coverage);
  }
  const bool is_about_time = entry_of(level).real_time && !coverage.never_answered.empty();
  if (!coverage.hidden.empty() || is_about_time || !never_shown(model, coverage).empty()) {
    ++tally.hiding;
    return;
  }
  const std::optional<bool> differs = makes_a_difference(text, mutant);
  if (!differs.value_or(false)) {
    ++(differs ? tally.same : tally.unknown);
    return;
  }
  Limits limits;
  Progress progress;
  ProveOptions options{.widen = false, .pictures = false, .coverage = &coverage};
  const Proof proof = prove(model, level, limits, progress, options);
  EXPECT_NE(proof.outcome, Proof::Outcome::proved) << mutant.text;
  if (proof.outcome != Proof::Outcome::proved) ++tally.unproved;
}

class Hiding : public testing::TestWithParam<std::string> {};

TEST_P(Hiding, IsNeverProved) {
  const bool is_quick =
      GetParam() == "atomic" || GetParam() == "timestamp-ordering" || GetParam() == "occ";
  if (!is_quick && test_scale() == 1) GTEST_SKIP() << "in ./test --full";
  const auto shipped = std::ranges::find(shipped_models(), GetParam(), &ShippedModel::name);
  ASSERT_NE(shipped, shipped_models().end());
  const Text text{std::string(shipped->text)};
  Tally tally;
  for (const Mutant& mutant : mutants_of(model_of(GetParam(), text.text()), text))
    judge(text.text(), mutant, tally);
  EXPECT_GE(tally.mutants, 30);
  EXPECT_GE((tally.refuted + tally.hiding) * 2, tally.mutants);
  EXPECT_LE(tally.unknown * 8, tally.mutants);
}

INSTANTIATE_TEST_SUITE_P(All, Hiding,
                         testing::Values("atomic", "atomic-steps", "occ", "timestamp-ordering",
                                         "ramp", "mvcc-si", "psi", "s2pl", "causal", "ssi",
                                         "tapir-repaired"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace isoscope::protocol
