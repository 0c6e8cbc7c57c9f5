// What holds for every kind.
#include "isoscope/workload/workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "isoscope/base/random.h"
#include "test_scale.h"
#include "workload/serial_client.h"

namespace isoscope {
namespace {

/// Small enough for many runs on a database that looks at every row.
WorkloadPlan small_plan(WorkloadKind kind) {
  WorkloadPlan plan = usual_plan(kind);
  plan.keys = std::min<std::size_t>(plan.keys, 100);
  return plan;
}

TEST(Workloads, AreFoundByTheirNames) {
  std::set<std::string_view> names;
  for (const WorkloadEntry& entry : workloads()) {
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_EQ(name_of(entry.kind), entry.name);
    EXPECT_EQ(entry.usual.kind, entry.kind);
    EXPECT_FALSE(entry.summary.empty());
    const auto found = find_workload(entry.name);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, entry.kind);
  }
  EXPECT_EQ(names.size(), 14U);
}

TEST(Workloads, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  const auto found = find_workload("tpc-c");
  ASSERT_FALSE(found);
  EXPECT_TRUE(
      found.error().what.starts_with("unknown workload 'tpc-c'; expected one of general, "));
  for (const WorkloadEntry& entry : workloads()) {
    EXPECT_NE(found.error().what.find(entry.name), std::string::npos);
  }
}

TEST(Workloads, AreDocumentedWithWhatTheyUse) {
  std::ifstream file(std::string(ISOSCOPE_SOURCE_DIR) + "/docs/workloads.md");
  std::string line;
  std::string section;
  std::set<std::string> described;
  while (std::getline(file, line)) {
    if (line.starts_with("## ")) section = line.substr(3);
    if (!line.starts_with("Uses: ")) continue;
    for (std::string more; std::getline(file, more) && !more.empty();) line += " " + more;
    for (const WorkloadEntry& entry : workloads()) {
      if (section.find("`" + std::string(entry.name) + "`") == std::string::npos) continue;
      described.insert(std::string(entry.name));
      std::istringstream words{std::string(entry.uses)};
      std::string expected = "Uses:";
      for (std::string word; words >> word;) {
        expected += (expected == "Uses:" ? " `" : ", `") + word + "`";
      }
      EXPECT_TRUE(line.starts_with(expected + ".")) << entry.name << ": " << expected;
    }
  }
  EXPECT_EQ(described.size(), workloads().size());
}

/// A session that gets "nothing" as the answer to every request; takes down what it asks.
struct UnansweredSession {
  std::size_t transactions_left = 0;
  std::optional<Script> script = {};
  std::string asked = {};

  bool is_done() const { return transactions_left == 0 && !script; }
  void step(Workload& workload, HistoryBuilder& names, std::size_t session) {
    const Request* request = nullptr;
    if (script) {
      request = script->resume(Reply{});
    } else {
      --transactions_left;
      script.emplace(workload.next(session));
      request = script->start();
    }
    if (request != nullptr) {
      asked += text_of(names, *request) + "\n";
    } else {
      asked += script->ending() == Ending::abort ? "abort\n" : "commit\n";
      script.reset();
    }
  }
};

/// What each session asks, when the session that `turn` names makes the next step.
template <class Turn>
std::vector<std::string> asked(const WorkloadPlan& plan, const Turn& turn) {
  HistoryBuilder names;
  const auto workload = make_workload(plan, names);
  std::vector<UnansweredSession> sessions(plan.sessions);
  for (UnansweredSession& session : sessions) session.transactions_left = 40;
  const auto is_done = [](const UnansweredSession& session) { return session.is_done(); };
  while (!std::ranges::all_of(sessions, is_done)) {
    std::size_t s = turn();
    while (sessions[s].is_done()) s = (s + 1) % sessions.size();
    sessions[s].step(*workload, names, s);
  }
  std::vector<std::string> texts;
  for (UnansweredSession& session : sessions) texts.push_back(std::move(session.asked));
  return texts;
}

TEST(Workloads, WhatASessionAsksDoesNotDependOnWhenTheOthersRun) {
  for (const WorkloadEntry& entry : workloads()) {
    WorkloadPlan plan = small_plan(entry.kind);
    plan.sessions = 5;
    const auto one_after_the_other = asked(plan, [] { return 0; });
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Random turns(seed);
      EXPECT_EQ(asked(plan, [&] { return turns.below(5); }), one_after_the_other) << entry.name;
    }
    for (std::size_t s = 1; s < plan.sessions; ++s) {
      EXPECT_NE(one_after_the_other[s], one_after_the_other[0]) << entry.name;
    }
    plan.seed = 2;
    EXPECT_NE(asked(plan, [] { return 0; }), one_after_the_other) << entry.name;
  }
}

TEST(Workloads, LaterTransactionsChooseTheSameWhenAnEarlierOneIsCutShort) {
  // Only the numbers that nobody else gets may differ; so look at a workload that reads.
  WorkloadPlan plan;
  plan.read_percent = 100;
  HistoryBuilder names;
  const auto whole = make_workload(plan, names);
  const auto cut = make_workload(plan, names);
  const Reply nothing;
  Script first = whole->next(0);
  for (const Request* r = first.start(); r != nullptr;) r = first.resume(nothing);
  Script dropped = cut->next(0);
  ASSERT_NE(dropped.start(), nullptr);
  Script left = whole->next(0);
  Script right = cut->next(0);
  EXPECT_EQ(left.start()->key, right.start()->key);
  EXPECT_EQ(left.resume(nothing)->key, right.resume(nothing)->key);
}

/// The first transactions of every kind as one number. A change here is a change of what seeds
/// mean: histories that people generated before cannot be generated again. If that is intended,
/// say so in the change log.
TEST(Workloads, SeedsMeanTheSameOnEveryMachine) {
  const std::uint64_t expected[14] = {0xA62AB73A203D1641, 0xBC00C4EA953AB738, 0x4FB994B729C80746,
                                      0xC8699939B56AF1BD, 0x39E143AD49201684, 0x214B6BB9E5DBE244,
                                      0x7F0FF059979154C0, 0xAC09720C79D3C6D0, 0x9E526A290F6D38C5,
                                      0xEE5219D001E87221, 0xCD8BBFF29097AE86, 0x725074B7C9244414,
                                      0xCF120B8D87B2311C, 0xE431AC139C145F3E};
  std::size_t i = 0;
  for (const WorkloadEntry& entry : workloads()) {
    WorkloadPlan plan = small_plan(entry.kind);
    plan.distribution = KeyDistribution::zipf;
    SerialClient client(plan);
    std::uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
    for (const Transaction& transaction : client.run_all(500)) {
      for (const Step& step : transaction.steps) {
        for (const char c : text_of(client.names(), step.request)) {
          hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
        }
      }
    }
    EXPECT_EQ(hash, expected[i]) << entry.name;
    ++i;
  }
}

std::vector<WorkloadPlan> extreme_plans(WorkloadKind kind) {
  const WorkloadPlan usual = small_plan(kind);
  std::vector<WorkloadPlan> plans;
  const auto vary = [&](auto change) {
    WorkloadPlan plan = usual;
    change(plan);
    plans.push_back(plan);
  };
  vary([](WorkloadPlan& plan) { plan.sessions = 1; });
  vary([](WorkloadPlan& plan) { plan.sessions = 500; });
  vary([](WorkloadPlan& plan) { plan.operations = 1; });
  vary([](WorkloadPlan& plan) { plan.operations = 60; });
  vary([](WorkloadPlan& plan) { plan.read_percent = 0; });
  vary([](WorkloadPlan& plan) { plan.read_percent = 100; });
  vary([](WorkloadPlan& plan) { plan.duplicate_percent = 100; });
  vary([](WorkloadPlan& plan) { plan.value_space = 1; });
  for (const std::size_t keys : {1U, 2U, 3U}) {
    for (const auto distribution :
         {KeyDistribution::uniform, KeyDistribution::zipf, KeyDistribution::hotspot}) {
      vary([&](WorkloadPlan& plan) {
        plan.keys = keys;
        plan.distribution = distribution;
      });
    }
    vary([&](WorkloadPlan& plan) {
      plan.keys = keys;
      plan.sessions = 1;
      plan.operations = 1;
      plan.read_percent = 0;
    });
  }
  for (const unsigned theta : {0U, 300U}) {
    vary([&](WorkloadPlan& plan) {
      plan.distribution = KeyDistribution::zipf;
      plan.key_theta = theta;
      plan.value_theta = theta;
    });
  }
  for (const unsigned percent : {0U, 100U}) {
    vary([&](WorkloadPlan& plan) {
      plan.distribution = KeyDistribution::hotspot;
      plan.hot_key_percent = percent;
      plan.hot_use_percent = 100 - percent;
    });
  }
  return plans;
}

TEST(Workloads, EveryPlanWorks) {
  for (const WorkloadEntry& entry : workloads()) {
    for (WorkloadPlan plan : extreme_plans(entry.kind)) {
      for (int i = 0; i < test_scale(); ++i, ++plan.seed) {
        SerialClient client(plan);
        for (std::size_t t = 0; t < 1000; ++t) {
          EXPECT_FALSE(client.run(t % plan.sessions).steps.empty()) << entry.name;
        }
      }
    }
  }
}

/// Reads return any version that the key ever had, or none; a predicate finds any versions that it
/// selects. No real database is as bad.
class ErraticClient {
 public:
  explicit ErraticClient(const WorkloadPlan& plan)
      : workload_(make_workload(plan, names_)), random_(plan.seed) {
    for (const RowVersion& row : workload_->initial_rows()) add(row);
  }

  std::size_t run(std::size_t session) {
    std::size_t requests = 0;
    Script script = workload_->next(session);
    Reply reply;
    std::vector<RowVersion> rows;
    for (const Request* request = script.start(); request != nullptr;
         request = script.resume(reply)) {
      if (random_.below(100) == 0) break;  // aborted by the database
      ++requests;
      rows.clear();
      reply = {};
      if (request->kind == OperationKind::read) {
        std::vector<ValueId> versions{ValuePool::nil};
        for (const RowVersion& row : versions_) {
          if (row.key == request->key) versions.push_back(row.value);
        }
        reply.value = versions[random_.below(versions.size())];
      } else if (request->kind == OperationKind::list_read) {
        reply.value = ValuePool::empty_list;
      } else if (request->kind == OperationKind::predicate_read) {
        for (const RowVersion& row : versions_) {
          if (random_.chance(50) && names_.key_table(row.key) == request->table &&
              evaluate(names_.predicate(request->predicate), names_.values(),
                       names_.key_name(row.key), row.value) == Truth::yes) {
            rows.push_back(row);
          }
        }
        reply.rows = rows;
      } else if (request->kind != OperationKind::predicate_write) {
        add({request->key, request->value});
      }
    }
    return requests;
  }

 private:
  void add(RowVersion row) {
    if (versions_.size() < 3000) {
      versions_.push_back(row);
    } else {
      versions_[random_.below(versions_.size())] = row;
    }
  }

  HistoryBuilder names_;
  std::unique_ptr<Workload> workload_;
  Random random_;
  std::vector<RowVersion> versions_;
};

TEST(Workloads, NoAnswerIsTooStrange) {
  for (const WorkloadEntry& entry : workloads()) {
    WorkloadPlan plan = small_plan(entry.kind);
    for (int i = 0; i < test_scale(); ++i, ++plan.seed) {
      ErraticClient client(plan);
      std::size_t requests = 0;
      for (std::size_t t = 0; t < 1000; ++t) requests += client.run(t % plan.sessions);
      EXPECT_GT(requests, 1000U) << entry.name;
    }
  }
}

}  // namespace
}  // namespace isoscope
