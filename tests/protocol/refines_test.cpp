#include <algorithm>

#include "golden.h"
#include "isoscope/base/caret_text.h"
#include "isoscope/protocol/prove.h"
#include "isoscope/spec/level_text.h"
#include "protocol/model/translate.h"
#include "protocol/same_model.h"
#include "refines_models.h"
#include "small_protocol.h"
#include "test_scale.h"

// What is proved is in smtlib_test.cpp, with what other provers say; what is so in small instances,
// in refines_oracle_test.cpp.

namespace isoscope::protocol {
namespace {

Model model_of(const std::string& text) {
  Result<Model> model = read_refining(text);
  EXPECT_TRUE(model) << model.error().text();
  return model ? *std::move(model) : Model{};
}

Proof proof_of(const std::string& text, ProveOptions options = {}) {
  const Limits limits;
  Progress progress;
  return prove_refines(model_of(text), limits, progress, options);
}

/// Options for goals that are open however much is tried.
constexpr ProveOptions quick{.widen = false, .pictures = false};

std::string open_goals(const Proof& proof) {
  std::string result;
  for (const OpenGoal& goal : proof.open)
    result += goal.event + ": " + goal.claim + " (" + goal.belongs_to + ")\n";
  return result;
}

TEST(Refines, WhatIsBrokenStaysOpen) {
  int tried = 0;
  for (const BrokenRefinement& broken : broken_refinements()) {
    if (broken.only_in_full_run && test_scale() == 1) continue;
    ++tried;
    const Proof proof = proof_of(broken.text, {.widen = broken.widen, .pictures = false});
    EXPECT_EQ(proof.outcome, Proof::Outcome::open) << broken.what;
    EXPECT_TRUE(std::ranges::any_of(proof.open,
                                    [&](const OpenGoal& goal) {
                                      return goal.event == broken.event &&
                                             goal.claim == broken.claim &&
                                             goal.belongs_to == broken.belongs_to;
                                    }))
        << broken.what << "\n"
        << open_goals(proof);
    EXPECT_TRUE(proof.certificate.empty());
  }
  EXPECT_GE(tried, 3);
}

// Without them, what is open above is not.
TEST(Refines, OneGoalNeedsCandidatesOfThreeTransactions) {
  const Proof proof = proof_of(text_of_shipped("atomic-steps"), quick);
  EXPECT_EQ(open_goals(proof), "commit: changes rv as run does (update of run)\n");
}

TEST(Refines, ClientsMustSeeTheSame) {
  const Proof proof = proof_of(changed(keeper, "committed when step(t) in { shut, ended }",
                                       "committed when step(t) = ended"),
                               quick);
  EXPECT_EQ(proof.outcome, Proof::Outcome::open);
  EXPECT_NE(open_goals(proof).find("close: clients see the same commits (observation)"),
            std::string::npos)
      << open_goals(proof);
}

// A commit before its transaction has begun is one of the other model, but not in time.
TEST(Refines, RealTimeIsKeptIfTheOtherModelClaimsIt) {
  const std::string steps = text_of_shipped("atomic-steps");
  const Proof proof = proof_of(changed(steps, "at c begins t\n", "at c\n"), quick);
  EXPECT_NE(open_goals(proof).find("commit: commits after it began (strictness)\n"),
            std::string::npos);
}

// What a map chooses must be there, and once.
TEST(Refines, ChoicesAreProved) {
  const Proof two =
      proof_of(changed(keeper, "w when file.last(k) = w", "w when file.installed(k, w)"), quick);
  EXPECT_NE(open_goals(two).find("write: top is not two transactions (map)"), std::string::npos)
      << open_goals(two);
  if (test_scale() == 1) return;
  const Proof no_more = proof_of(
      changed(keeper, "w when file.last(k) = w", "w when file.last(k) = w and w = initial"));
  EXPECT_NE(open_goals(no_more).find("write: top is a transaction (map)"), std::string::npos)
      << open_goals(no_more);
}

TEST(Refines, WithoutARefinementThereIsNothingToProve) {
  const Limits limits;
  Progress progress;
  const Result<Model> model = read_model("t", store);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(prove_refines(*model, limits, progress).outcome, Proof::Outcome::open);
}

TEST(Refines, IsFormatted) {
  for (const std::string& text : {keeper, text_of_shipped("atomic-steps")})
    EXPECT_EQ(*format_model("t", text), text);
  std::string scattered = keeper;
  for (const char* sign : {"refines ", " {\n  map", " is ", " when file", "map log.last"})
    scattered = changed(scattered, sign, std::string("\n\n ") + sign + " # why\n");
  const Result<std::string> again = format_model("t", scattered);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_TRUE(same(model_of(keeper), model_of(*again))) << *again;
  EXPECT_EQ(*format_model("t",
                          "refines atomic{map a(t)=b if c else d map e(k)=w when f(w) "
                          "event g(k)is skip event h(k)is i(k)}"),
            "refines atomic {\n"
            "  map a(t) = b if c else d\n"
            "  map e(k) = w when f(w)\n"
            "  event g(k) is skip\n"
            "  event h(k) is i(k)\n"
            "}\n");
}

// Names that the maps and the other model's formulas both use are different variables.
TEST(Refines, VariablesAreNotMixedUp) {
  const Model model =
      model_of(changed(text_of_shipped("atomic-steps"), "phase(t) = done and rv(t, k) = w",
                       "(exists u: client. owner(t) = u) and rv(t, k) = w"));
  Translation translation(*model.refines);
  const Model& atomic = *model.refines->model;
  // forall k, w. rv(x, k, w) => exists u. rv(u, k, x)
  const auto variable = [](Sort sort, std::uint32_t index) {
    return Term{.sort = sort, .index = index};
  };
  const Sort T = Sort::transaction, K = Sort::key;
  const auto formula = [](Formula one) { return std::make_shared<const Formula>(std::move(one)); };
  const std::uint32_t rv = 3;
  ASSERT_EQ(atomic.components[rv].name, "rv");
  const FormulaPtr first = formula({.kind = Formula::Kind::relation,
                                    .index = rv,
                                    .terms = {variable(T, 0), variable(K, 1), variable(T, 2)}});
  const FormulaPtr second = formula({.kind = Formula::Kind::relation,
                                     .index = rv,
                                     .terms = {variable(T, 3), variable(K, 1), variable(T, 0)}});
  const FormulaPtr some =
      formula({.kind = Formula::Kind::exists, .index = 3, .sort = T, .children = {second}});
  const FormulaPtr implies =
      formula({.kind = Formula::Kind::implication, .children = {first, some}});
  const FormulaPtr all_w =
      formula({.kind = Formula::Kind::for_all, .index = 2, .sort = T, .children = {implies}});
  const FormulaPtr all =
      formula({.kind = Formula::Kind::for_all, .index = 1, .sort = K, .children = {all_w}});
  EXPECT_EQ(text_of(*translation.translated(*all, 1), model, {"x"}),
            "forall k: key, t: transaction. (exists c: client. owner(x) = c) and rv(x, k) = t => "
            "exists u: transaction. (exists c: client. owner(u) = c) and rv(u, k) = x");
  EXPECT_FALSE(translation.is_too_large());
}

std::string complaint(const std::string& text) {
  const Result<Model> model = read_refining(text);
  if (model) return "no error in:\n" + text + "\n\n";
  return caret_text(model.error(), text) + "\n\n";
}

TEST(Refines, Errors) {
  std::string all;
  for (const char* text : {
           "refines",
           "refines atomic",
           "refines atomic { def",
           "refines atomic { map done = true }",
           "refines atomic { map done(t) true }",
           "refines atomic { map done(t) = true map }",
           "refines atomic { event commit is run }",
           "refines atomic { event commit(c, t) run(c, t) }",
           "refines atomic { event commit(c, t) is run }",
           "refines atomic { event commit(c, t) is 1 }",
           "refines atomic {",
       })
    all += complaint(text);
  const std::string steps = text_of_shipped("atomic-steps");
  const std::size_t at = steps.find("refines atomic {");
  const auto with = [&](const std::string& block) {
    all += complaint(steps.substr(0, at) + block);
  };
  const std::string maps =
      "map done(t) = t = initial or phase(t) = done map rv(t, k, w) = phase(t) = done ";
  with("refines atomik {}");
  with("refines two-phase-locking {}");
  with("refines \"no.protocol\" {}");
  with("refines atomic { " + maps + "} refines atomic {}");
  with("refines atomic {}");
  with("refines atomic { map done(t) = true }");
  with("refines atomic { map don(t) = true }");
  with("refines atomic { map done(t, u) = true }");
  with("refines atomic { map done(t) = phas(t) = done }");
  with("refines atomic { map done(t) = t }");
  with("refines atomic { map done(t) = true if phase(t) = done }");
  with("refines atomic { map done(t) = w when phase(w) = done }");
  with("refines atomic { " + maps + "map done(t) = true }");
  with("refines atomic { " + maps + "map writes(k, t) = wrote(t, k) }");
  with("refines atomic { " + maps + "event comit(c, t) is run(c, t) }");
  with("refines atomic { " + maps + "event commit(c) is run(c, c) }");
  with("refines atomic { " + maps + "event commit(c, t) is rum(c, t) }");
  with("refines atomic { " + maps + "event commit(c, t) is run(c) }");
  with("refines atomic { " + maps + "event commit(c, t) is run(t, c) }");
  with("refines atomic { " + maps + "event commit(c, t) is run(c, u) }");
  with("refines atomic { " + maps + "event commit(c, t) is run(owner(t), t) }");
  with("refines atomic { " + maps + "event commit(c, t) is skip event commit(c, t) is run(c, t) }");
  with(
      "refines atomic { map done(t) = exists k: key. wrote(t, k) "
      "map rv(t, k, w) = exists u: transaction. rv(u, k) = w }");
  with("refines timestamp-ordering {}");
  const std::size_t block = keeper.find("refines \"store.protocol\" {");
  const auto keep = [&](const std::string& from, const std::string& to) {
    all += complaint(keeper.substr(0, block) + changed(keeper.substr(block), from, to));
  };
  keep("else gone", "else lost");
  keep("else gone", "else step(t)");
  keep("has(t) if", "step(t) if");
  keep("map top(k) = w when file.last(k) = w", "map top(k) = none");
  keep("map log.last(k) = file.last(k)\n", "");
  keep("map log.last(k)", "map log.lost(k)");
  keep("map log.last(k)", "map log(k)");
  keep("is put(k, t)", "is put(t, k)");
  keep("is look(c, t, file.last(k))", "is look(c, t, has(t))");
  keep("event close(c, t) is finish", "event write(c, t) is finish");
  expect_golden("tests/protocol/refines_errors.txt", all);
}

TEST(Refines, InCirclesOrTooLong) {
  const auto error = [](const std::string& name, const std::string& text, const FindText& find) {
    const Result<Model> model = read_model(name, text, find);
    return model ? "" : model.error().text();
  };
  const auto refining = [](const std::string& other) {
    return small_protocol + "refines \"" + other + "\" {}";
  };
  const FindText both = [&](const std::string& from, const std::string&) -> Result<NamedText> {
    return from == "a" ? NamedText{"b", refining("a")} : NamedText{"a", refining("b")};
  };
  EXPECT_EQ(error("a", refining("b"), both),
            "a:20:9: `b` is wrong: b:20:9: models refine each other in a circle: a -> b -> a");
  const FindText next = [&](const std::string& from, const std::string&) -> Result<NamedText> {
    return NamedText{from + "'", refining("next")};
  };
  EXPECT_TRUE(
      error("a", refining("next"), next).ends_with("more than 16 models that refine each other"));
  // A model that says too much when all is put in.
  std::string large = "true";
  for (int i = 0; i < 300; ++i) large += " and phase(t) = done";
  std::string event = "not done(t)";
  for (int i = 0; i < 300; ++i) event += " and not done(t)";
  const std::string atomic = changed(text_of_shipped("atomic"), "not done(t)", event);
  const std::string steps =
      changed(text_of_shipped("atomic-steps"), "refines atomic {", "refines \"large\" {");
  const FindText find = [&](const std::string&, const std::string&) -> Result<NamedText> {
    return NamedText{"large", atomic};
  };
  EXPECT_EQ(error("a", steps, find), "");
  EXPECT_EQ(error("a",
                  changed(steps, "map done(t) = t = initial or phase(t) = done",
                          "map done(t) = " + large),
                  find),
            "a:56:9: too large: with the maps put in, the formulas of `large` have more than "
            "100000 parts");
}

}  // namespace
}  // namespace isoscope::protocol
