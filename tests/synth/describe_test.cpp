#include "isoscope/synth/describe.h"

#include "draw/well_formed.h"
#include "synth/examples.h"

namespace isoscope::synth {
namespace {

const std::string skew = "a: T1 r(x,nil) w(y,1)  |  b: T2 r(y,nil) w(x,1)";

class Describe : public testing::Test {
 protected:
  Example example(std::vector<const spec::Definition*> allow,
                  std::vector<const spec::Definition*> forbid, const std::string& litmus) {
    const Question question{.allow = std::move(allow), .forbid = std::move(forbid)};
    auto result = confirmed(question, found_from(question, litmus), Limits());
    EXPECT_TRUE(result) << result.error().text();
    explain(*result, Limits());
    return *std::move(result);
  }

  spec::Definition si_ = level("biswas-enea/SI");
  spec::Definition cerone_si_ = level("cerone/SI");
  spec::Definition ser_ = level("SER");
  spec::Definition pl3_ = level("PL-3");
};

TEST_F(Describe, TellsHowALevelAllowsAHistoryAndWhyAnotherForbidsIt) {
  EXPECT_EQ(
      example_text(example({&cerone_si_}, {&ser_}, skew)),
      "a: T1 r(x,nil) w(y,1)  |  b: T2 r(y,nil) w(x,1)\n"
      "\n"
      "2 transactions, 2 keys, 4 operations\n"
      "\n"
      "cerone/SI, Snapshot isolation (Cerone et al.), allows it with\n"
      "    ar   T1 < T2\n"
      "    vis  empty\n"
      "\n"
      "biswas-enea/SER, Serializability (Biswas, Enea), forbids it: no co fits all of these\n"
      "    serializable  x1 = x, t1 = init, t2 = T1\n"
      "    serializable  x1 = y, t1 = init, t2 = T2\n"
      "  where\n"
      "    serializable: forall x1: key, t1, t2: transaction. wr(t1, x1, t2) => no ((co ; t2) & "
      "(writes ;\n"
      "      x1) & (t1 ; co))\n");
}

TEST_F(Describe, ShowsEveryKindOfWitness) {
  const spec::Definition all = level_from(
      "witness co : total order from so\n"
      "witness seen : relation from wr to wr\n"
      "witness vo : version order\n"
      "witness readers : set of transactions\n"
      "witness hot : set of keys\n"
      "axiom order: vo in co\n"
      "axiom readers: readers = transaction \\ update\n"
      "axiom hot: hot = key\n");
  const spec::Structure history = structure_from("a: T1 w(x,1) ; T2 w(x,2) w(y,1) | b: T3 r(x,2)");
  const auto allowed = is_allowed(all, history, Limits());
  ASSERT_TRUE(allowed && allowed->execution);
  const std::string text = execution_text(all, history, *allowed->execution);
  EXPECT_NE(text.find("    seen     T2 -> T3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    vo       x: T1 < T2; y: T2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    readers  {T3}\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    hot      {x, y}\n"), std::string::npos) << text;
}

TEST_F(Describe, BoundsAreDemandsLikeAxioms) {
  const spec::Structure circle = structure_from("a: T1 r(x,2) w(x,1) | b: T2 r(x,1) w(x,2)");
  EXPECT_EQ(reasons_text(si_, circle, why_forbidden(si_, circle, Limits())),
            "    co contains  T1 -> T2\n"
            "    co contains  T2 -> T1\n");
}

TEST_F(Describe, ScopesInWords) {
  EXPECT_EQ(scope_text({}), "up to 5 transactions, 3 keys");
  EXPECT_EQ(
      scope_text({.transactions = 1,
                  .keys = 1,
                  .values = 2,
                  .exactly = true,
                  .operations = 2,
                  .blind_writes = false,
                  .any_session_order = true}),
      "of exactly 1 transaction, up to 1 key, 2 values, 2 operations per transaction, without "
      "blind writes, session order being any order");
}

TEST_F(Describe, ComparisonsInWords) {
  Comparison comparison;
  EXPECT_EQ(comparison_text(comparison, si_, cerone_si_, {}),
            "biswas-enea/SI and cerone/SI are equivalent up to 5 transactions, 3 keys\n");
  comparison.only_first = {Synthesis::Kind::found, example({&si_}, {&ser_}, skew)};
  const std::string text = comparison_text(comparison, si_, ser_, {});
  EXPECT_TRUE(text.starts_with("biswas-enea/SI is weaker than biswas-enea/SER (up to 5 ")) << text;
  EXPECT_NE(text.find("\nA smallest history that biswas-enea/SI allows and biswas-enea/SER "
                      "forbids:\n\n  a: T1 r(x,nil) w(y,1)"),
            std::string::npos)
      << text;
  EXPECT_TRUE(
      text.ends_with("\nNo history that biswas-enea/SER allows and biswas-enea/SI "
                     "forbids, up to 5 transactions, 3 keys.\n"))
      << text;
}

TEST_F(Describe, JsonIsOneLineOfJson) {
  const std::vector<Example> examples = {example({&si_, &cerone_si_}, {&ser_, &pl3_}, skew)};
  const std::string json = examples_json(examples, true, {});
  EXPECT_TRUE(json.ends_with("}\n"));
  EXPECT_EQ(json.find('\n'), json.size() - 1);
  EXPECT_NE(json.find("\"allowed-by\":[{\"level\":\"biswas-enea/SI\",\"witnesses\":{\"co\":"
                      "[\"T1\",\"T2\"]}},{\"level\":\"cerone/SI\",\"witnesses\":{\"ar\":"
                      "[\"T1\",\"T2\"],\"vis\":[]}}]"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find("{\"axiom\":\"serializable\",\"of\":[\"x\",\"init\",\"T1\"]}"),
            std::string::npos)
      << json;
}

TEST_F(Describe, PicturesAreWellFormed) {
  const std::string svg = example_svg(example({&si_, &cerone_si_}, {&ser_}, skew));
  EXPECT_EQ(xml_problem(svg), "");
  for (const std::string_view part :
       {"T1 r(x,nil) w(y,1)", "session a", "wr x", "biswas-enea/SI co, cerone/SI ar"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
}

TEST_F(Describe, LatticesInWordsAndPictures) {
  const std::vector<const spec::Definition*> levels = {&si_, &ser_, &cerone_si_};
  const Scope scope{.transactions = 2, .keys = 2};
  Progress progress;
  const auto result = lattice(levels, scope, {}, Limits(), progress);
  ASSERT_TRUE(result);
  const std::string text = lattice_text(*result, scope);
  EXPECT_NE(text.find("biswas-enea/SER\n    biswas-enea/SI  (H1)\nbiswas-enea/SI = cerone/SI\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("    allowed by biswas-enea/SI and all below\n"
                      "    forbidden by biswas-enea/SER and all above\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(xml_problem(lattice_svg(*result, scope)), "");
  const std::string json = lattice_json(*result, scope);
  EXPECT_NE(json.find("\"groups\":[[\"biswas-enea/SER\"],[\"biswas-enea/SI\",\"cerone/SI\"]]"),
            std::string::npos)
      << json;
}

TEST_F(Describe, VerdictsOfRecordedHistories) {
  const auto told = [](const spec::Definition& definition, const std::string& litmus) {
    return recorded_text("h", definition,
                         check_recorded(history_from(litmus), definition, Limits()));
  };
  EXPECT_EQ(
      told(ser_, "a: T1 w(x,1) | b: T2 r(x,1)"),
      "h: biswas-enea/SER: holds (2 committed transactions, 2 operations) with\n    co  T1 < T2\n");
  EXPECT_TRUE(told(ser_, skew)
                  .starts_with("h: biswas-enea/SER: VIOLATED (among 2 committed transactions, 4 "
                               "operations): no co fits all of these\n    serializable  x1 = x, "));
  EXPECT_EQ(told(level("strict-serializable"), skew),
            "h: strict/strict-serializable: unknown (2 committed transactions, 4 operations): the "
            "level is about real time, and T1 has no "
            "times\n");
  EXPECT_EQ(told(level("RC"), "a: T1 w(x,1) | b: T2 r(x,1) r(x,nil)"),
            "h: biswas-enea/RC: unknown (2 committed transactions, 3 operations): the level is "
            "about the order of reads, and a transaction "
            "read a key from two writers\n");
  EXPECT_NE(told(ser_, "a: T1 w(x,1) | b: T2 w(x,1) | c: T3 r(x,1)").find(": r(x,1) of T3"),
            std::string::npos);
}

}  // namespace
}  // namespace isoscope::synth
