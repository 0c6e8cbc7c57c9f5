#include <gtest/gtest.h>

#include <algorithm>

#include "solver/trial.h"

// That a proof can be followed says something only if a wrong one cannot.

namespace isoscope {
namespace {

SatLiteral yes(std::uint32_t variable) { return SatLiteral::positive(variable); }
SatLiteral no(std::uint32_t variable) { return SatLiteral::negative(variable); }

class RecordedProofTest : public testing::Test {
 protected:
  RecordedProofTest() {
    // a and b close a cycle, as do a and c; one of b and c is needed, and without a neither is
    // there.
    problem_.node_count = 4;
    problem_.base = {{0, 1}};
    problem_.must_decide = {false, false, false, false};
    problem_.edges = {{yes(0), {1, 2}, 1}, {yes(1), {2, 0}, 2}, {yes(2), {2, 1}, 3}};
    problem_.clauses = {{yes(3), no(3)},        {yes(1), yes(2)},        {no(1), yes(0)},
                        {no(2), yes(0), no(3)}, {no(2), yes(0), yes(3)}, {no(3), yes(3), yes(1)}};
    trial_.emplace(problem_);
    EXPECT_EQ(trial_->solve(), Satisfiability::unsatisfiable);
    steps_ = trial_->proof().trimmed();
    for (std::uint32_t id = 1; id <= problem_.clauses.size(); ++id) {
      ids_.push_back(id);
    }
  }

  std::string fault() { return ProofCheck(problem_, ids_).fault_in(steps_); }

  Problem problem_;
  std::optional<Trial> trial_;
  std::vector<std::uint32_t> ids_;
  std::vector<ProofEvent> steps_;
};

TEST_F(RecordedProofTest, KeepsOnlyWhatIsNeeded) {
  EXPECT_EQ(fault(), "");
  EXPECT_TRUE(std::is_sorted(steps_.begin(), steps_.end(),
                             [](const ProofEvent& a, const ProofEvent& b) { return a.id < b.id; }));
  for (const ProofEvent& step : steps_) {
    EXPECT_TRUE(step.id != 1 && step.id != 6) << "a tautology says nothing";
  }
}

TEST_F(RecordedProofTest, EveryStepIsNeeded) {
  const std::vector<ProofEvent> all = steps_;
  for (std::size_t i = 0; i < all.size(); ++i) {
    steps_ = all;
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(fault(), "") << i;
  }
}

TEST_F(RecordedProofTest, EveryAntecedentAndLiteralCounts) {
  const std::vector<ProofEvent> all = steps_;
  for (std::size_t i = 0; i < all.size(); ++i) {
    steps_ = all;
    ProofEvent& step = steps_[i];
    if (step.kind == ProofEvent::Kind::learned) {
      step.antecedents = step.antecedents.first(step.antecedents.size() - 1);
      EXPECT_NE(fault(), "") << i;
    }
    if (step.kind == ProofEvent::Kind::cycle) {
      step.edges = step.edges.first(step.edges.size() - 1);
      EXPECT_NE(fault(), "") << i;
    }
    if (!all[i].literals.empty()) {
      steps_ = all;
      steps_[i].literals = all[i].literals.subspan(1);
      EXPECT_NE(fault(), "") << i;
    }
  }
}

TEST(RecordedProof, NothingToTrimWithoutARefutation) {
  RecordedProof proof;
  const std::vector<SatLiteral> clause{yes(0)};
  proof.given(1, clause);
  EXPECT_FALSE(proof.is_refutation());
  EXPECT_TRUE(proof.trimmed().empty());
  EXPECT_EQ(proof.step(0).id, 1U);
  EXPECT_EQ(proof.step(0).literals.size(), 1U);
}

}  // namespace
}  // namespace isoscope
