// Certificates of proofs, as solvers by others see them: what they confirm, and that they do not
// confirm what is wrong.

#include "protocol/smtlib/smtlib.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "isoscope/protocol/model_text.h"
#include "isoscope/protocol/prove.h"
#include "refines_models.h"
#include "test_scale.h"

namespace isoscope::protocol {
namespace {

using Strings = std::vector<std::string>;

Strings lines_of(const std::string& text) {
  Strings lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// What a program prints.
std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* output = popen((command + " 2>&1").c_str(), "r");
  EXPECT_NE(output, nullptr);
  if (output == nullptr) return text;
  std::array<char, 4096> part;
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), output))
    text.append(part.data(), size);
  pclose(output);
  return text;
}

struct Question {
  std::string about;
  std::string status;  ///< the answer it must have
};

// The questions of a certificate.
std::vector<Question> questions_of(const std::string& text) {
  std::vector<Question> questions;
  std::string about, status;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("; ")) about = line.substr(2);
    if (line.starts_with("(set-info :status ")) status = line.substr(18, line.size() - 19);
    if (line == "(check-sat)") questions.push_back({about, status});
  }
  return questions;
}

// The text without the questions that must have another answer.
std::string only(const std::string& status, const std::string& text) {
  std::string result;
  bool is_wanted = false;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("(set-info :status "))
      is_wanted = line == "(set-info :status " + status + ")";
    if (line != "(check-sat)" || is_wanted) result += line + "\n";
  }
  return result;
}

// What the solver does not confirm, or complains about.
Strings unconfirmed(const std::string& solver, const std::string& text) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string file =
      testing::TempDir() + test->test_suite_name() + "." + test->name() + ".smt2";
  std::ofstream(file) << text;
  const Strings output = lines_of(output_of(solver + " '" + file + "'"));
  std::remove(file.c_str());
  Strings result;
  const std::vector<Question> questions = questions_of(text);
  std::size_t answered = 0;
  for (const std::string& line : output) {
    if (line.find("check annotation that says") != std::string::npos) continue;  // z3 compares, too
    if (line != "sat" && line != "unsat" && line != "unknown") {
      result.push_back(line);
    } else if (answered < questions.size()) {
      const Question& question = questions[answered++];
      if (line != question.status) result.push_back(question.about);
    }
  }
  if (answered < questions.size()) result.push_back("no answer: " + questions[answered].about);
  return result;
}

// cvc5 finds contradictions best in one way, and models in another.
void expect_confirmed(const std::string& text) {
  EXPECT_EQ(unconfirmed("z3", text), Strings{});
  EXPECT_EQ(unconfirmed("cvc5 --incremental --full-saturate-quant", only("unsat", text)),
            Strings{});
  EXPECT_EQ(unconfirmed("cvc5 --incremental --finite-model-find", only("sat", text)), Strings{});
}

Model model_of(const std::string& text) {
  Result<Model> model = read_model("test", text);
  EXPECT_TRUE(model) << model.error().text();
  return model ? std::move(*model) : Model{};
}

std::string shipped_text(std::string_view name) {
  const auto& all = shipped_models();
  const auto found = std::ranges::find(all, name, &ShippedModel::name);
  EXPECT_NE(found, all.end()) << name;
  return found == all.end() ? "" : std::string(found->text);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// What a person would say about strict two-phase locking; all of it is needed.
const std::string s2pl_invariants = R"(
invariant nobody: cst(initial) = idle
invariant sessions: forall t: transaction, u: transaction.
  so(u, t) and cst(t) != idle => cst(u) in { committed, aborted }
invariant takes-part: forall k: key, t: transaction. st(k, t) != working => participant(k, t)
invariant prepared-first: forall k: key, t: transaction.
  st(k, t) = prepared => cst(t) = prepared
invariant exclusive: forall k: key, t: transaction, u: transaction.
  t != u and st(k, t) = write-lock => not locked(k, u)
invariant reads-late: forall k: key, t: transaction.
  rv(k, t) != none => locked(k, t) or st(k, t) = done
invariant reads-last: forall k: key, t: transaction, w: transaction.
  locked(k, t) and rv(k, t) = w => log.last(k) = w
invariant installed-late: forall k: key, t: transaction.
  log.installed(k, t) and t != initial => cst(t) = committed and st(k, t) = done
invariant last: forall k: key. log.installed(k, log.last(k))
invariant last-is-last: forall k: key, t: transaction.
  log.installed(k, t) => t = log.last(k) or log.before(k, t, log.last(k))
)";

// The questions for serializability, with the invariants that the model has.
std::string certificate_of(const Model& model, SmtObligationCounts& counts) {
  return smtlib_text(model, refinement_obligations(model, AbstractLevel::ser), model.invariants,
                     counts);
}

std::string certificate_of(const std::string& text) {
  SmtObligationCounts counts;
  return certificate_of(model_of(text), counts);
}

class Smtlib : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"z3", "cvc5"})
      ASSERT_NE(output_of(std::string(program) + " --version").find(" version "), std::string::npos)
          << program << " does not run; it comes with: tools/install-packages test";
  }
};

TEST_F(Smtlib, InvariantsByHandAreConfirmed) {
  const Model model = model_of(shipped_text("s2pl") + s2pl_invariants);
  SmtObligationCounts counts;
  const std::string text = certificate_of(model, counts);
  const auto with_status = [all = questions_of(text)](std::string_view status) {
    return static_cast<std::size_t>(std::ranges::count(all, status, &Question::status));
  };
  EXPECT_EQ(counts.unsat, with_status("unsat"));
  EXPECT_EQ(counts.sat, with_status("sat"));
  EXPECT_EQ(counts.sat, model.events.size() + 1);
  EXPECT_GT(counts.unsat, model.invariants.size() * (model.events.size() + 1));
  expect_confirmed(text);
}

TEST_F(Smtlib, WithoutOneOfTheInvariantsSomethingStaysOpen) {
  const Model model = model_of(shipped_text("s2pl") + s2pl_invariants);
  for (const Invariant& missing : model.invariants) {
    Model less = model;
    std::erase_if(less.invariants, [&](const Invariant& one) { return one.name == missing.name; });
    SmtObligationCounts counts;
    EXPECT_NE(unconfirmed("z3", certificate_of(less, counts)), Strings{}) << missing.name;
  }
}

TEST_F(Smtlib, MistakesOfAProtocolAreNotConfirmed) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"s2pl-read-ignores-write", "lock-read keeps: exclusive"},
      {"s2pl-write-ignores-read", "lock-write keeps: exclusive"},
      {"s2pl-early-read-release", "release-read keeps: reads-late"},
      {"s2pl-abort-installs", "release: leaves the versions as they are (no commit)"},
      {"s2pl-printed-guard", "commit keeps: prepared-first"},
  };
  for (const auto& [name, open] : mistakes) {
    const Strings found = unconfirmed("z3", certificate_of(shipped_text(name) + s2pl_invariants));
    EXPECT_NE(std::ranges::find(found, open), found.end())
        << name << ": " << testing::PrintToString(found);
  }
}

TEST_F(Smtlib, AnEventThatCannotHappenIsNotConfirmed) {
  const std::string text =
      replaced(shipped_text("s2pl"), "st(k, t) = prepared and cst(t) = prepared",
               "st(k, t) = prepared and cst(t) = aborted");
  const std::string certificate = certificate_of(text + s2pl_invariants);
  EXPECT_EQ(unconfirmed("z3", certificate), Strings{"refuse: can happen"});
  // It stops there.
  EXPECT_EQ(unconfirmed("cvc5 --incremental --finite-model-find", only("sat", certificate)).back(),
            "no answer: refuse: can happen");
}

// Every way to change a state. After each event, the guard of the one that follows it must be true.
// The names are such that they need care.
const std::string updates = R"(enum Transaction { select, store, initial' }
order so'
constant assert(key, transaction) : bool
state ite(key, transaction) : Transaction = select
state distinct(key, transaction) : transaction? = none
state let(key) : transaction = initial
state t1(transaction) : bool = false
state pair(key, transaction, transaction) : bool = false
versions log

event copy(k: key, t: transaction, u: transaction) at k
  when t != u and distinct(k, u) = t and let(k) = u
  then distinct(k, t) := distinct(k, u), distinct(k, u) := none, let(k) := t
event copy-then(k: key, t: transaction, u: transaction) at k
  when distinct(k, t) = t and distinct(k, u) = none and let(k) = t

event refer(k: key, t: transaction, u: transaction) at k
  when t != u and let(k) = u
  then distinct(k, t) := let(k), let(k) := initial if distinct(k, t) = u else t
event refer-then(k: key, t: transaction, u: transaction) at k
  when distinct(k, t) = u and (let(k) = t or let(k) = initial)
    and no x: transaction. x != u and distinct(k, t) = x

event choose(k: key, t: transaction, u: transaction) at k
  when t != u and assert(k, t) and ite(k, t) = select and ite(k, u) = store
  then ite(k, t) := store if not assert(k, t) else initial' if ite(k, t) = select else select,
    ite(k, u) := select if assert(k, t) and ite(k, u) = select
event choose-then(k: key, t: transaction, u: transaction) at k
  when ite(k, t) = initial' and ite(k, u) = store

event twice(k: key, t: transaction, u: transaction) at k
  when t != u and so'(t, u) and ite(k, u) = initial'
  then for x: transaction: ite(k, x) := store if x = t or x = u, ite(k, t) := select if so'(u, t),
    ite(k, u) := select if so'(t, u)
event twice-then(k: key, t: transaction, u: transaction) at k
  when ite(k, t) = store and ite(k, u) = select

event every(k: key, t: transaction, u: transaction) at k
  when t != u and pair(k, t, u) and not pair(k, u, t) and not pair(k, t, t)
  then for x: transaction: pair(k, x, x) := pair(k, t, u),
    for x: transaction: pair(k, u, x) := exists y: transaction. pair(k, y, x)
event every-then(k: key, t: transaction, u: transaction) at k
  when pair(k, t, t) and pair(k, t, u) and pair(k, u, u)
    and forall x: transaction. pair(k, x, x)

event list(k: key, t: transaction, u: transaction) at k
  when t != u and log.installed(k, t) and not log.installed(k, u)
  then append log(k) u, read log(k) t by u
event list-then(k: key, t: transaction, u: transaction) at k
  when log.last(k) = u and log.before(k, t, u) and log.reader(k, t, u) and log.installed(k, u)

observe t: transaction { committed when t1(t) }
)";

TEST_F(Smtlib, UpdatesDoWhatTheySay) {
  const Model model = model_of(updates);
  ASSERT_EQ(model.events.size() % 2, 0u);
  for (const bool is_true : {true, false}) {
    Obligations obligations;
    Strings wrong;
    for (std::size_t e = 0; e < model.events.size(); ++e) {
      obligations.events.emplace_back();
      if (e % 2 != 0) continue;
      Proposition then = formula_is(model.events[e + 1].guard, {0, 1, 2}, When::after);
      obligations.events.back().push_back(
          {"then", "test", {}, is_true ? std::move(then) : !std::move(then)});
      if (!is_true) wrong.push_back(model.events[e].name + ": then (test)");
    }
    SmtObligationCounts counts;
    const std::string text = smtlib_text(model, obligations, {}, counts);
    EXPECT_EQ(unconfirmed("z3", text), wrong);
    if (is_true) expect_confirmed(text);
  }
}

TEST_F(Smtlib, WhatIsAssumedIsAskedFor) {
  const Model model = model_of(shipped_text("s2pl") + s2pl_invariants);
  const auto exclusive = std::ranges::find(model.invariants, "exclusive", &Invariant::name);
  ASSERT_NE(exclusive, model.invariants.end());
  const Claim claim{"exclusive", "test", {}, formula_is(exclusive->formula, {}, When::before)};
  Obligations obligations = refinement_obligations(model, AbstractLevel::ser);
  obligations.assumed.assign(model.events.size(), {claim});
  std::vector<Invariant> others = model.invariants;
  std::erase_if(others, [](const Invariant& one) { return one.name == "exclusive"; });
  SmtObligationCounts counts;
  expect_confirmed(smtlib_text(model, obligations, others, counts));

  const Claim wrong{"shared", "test", {}, !claim.body};
  obligations.assumed.assign(model.events.size(), {wrong});
  const Strings open = unconfirmed("z3", smtlib_text(model, obligations, others, counts));
  EXPECT_NE(std::ranges::find(open, "start: shared (test)"), open.end());
}

// The proof rests on invariants that were found, not given.
void expect_confirmed_proof(const std::string& name, AbstractLevel level) {
  const Limits limits;
  Progress progress;
  const Proof proof = prove(model_of(shipped_text(name)), level, limits, progress);
  ASSERT_EQ(proof.outcome, Proof::Outcome::proved) << name;
  EXPECT_GT(questions_of(proof.certificate).size(), proof.goals) << name;
  expect_confirmed(proof.certificate);
}

TEST_F(Smtlib, TheProofOfStrictTwoPhaseLockingIsConfirmed) {
  expect_confirmed_proof("s2pl", AbstractLevel::sser);
}

TEST_F(Smtlib, TheProofOfARefinementIsConfirmed) {
  const Limits limits;
  Progress progress;
  for (const std::string& text : {shipped_text("atomic-steps"), keeper}) {
    const Result<Model> model = read_refining(text);
    ASSERT_TRUE(model) << model.error().text();
    const Proof proof = prove_refines(*model, limits, progress);
    ASSERT_EQ(proof.outcome, Proof::Outcome::proved);
    EXPECT_GT(questions_of(proof.certificate).size(), proof.goals);
    expect_confirmed(proof.certificate);
  }
}

TEST_F(Smtlib, OtherProofsAreConfirmed) {
  if (test_scale() == 1) GTEST_SKIP() << "only in the full run";
  expect_confirmed_proof("atomic", AbstractLevel::sser);
  expect_confirmed_proof("atomic-steps", AbstractLevel::sser);
  expect_confirmed_proof("occ", AbstractLevel::ser);
  expect_confirmed_proof("mvcc-si", AbstractLevel::si);
  expect_confirmed_proof("timestamp-ordering", AbstractLevel::ser);
  expect_confirmed_proof("ssi", AbstractLevel::ser);
  expect_confirmed_proof("ramp", AbstractLevel::ra);
}

}  // namespace
}  // namespace isoscope::protocol
