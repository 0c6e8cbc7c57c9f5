#include "isoscope/store/recording.h"

#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/history_builder.h"

namespace isoscope {

namespace {

struct Step {
  bool is_write = false;
  std::size_t key = 0;
  std::optional<std::int64_t> value;
};

/// What a client is doing right now.
struct Client {
  std::size_t transactions_left = 0;
  std::optional<Store::Transaction> running;
  std::int64_t begin = 0;
  std::vector<Step> steps;
};

std::string key_name(std::size_t key) {
  return key < 3 ? std::string(1, "xyz"[key]) : "k" + std::to_string(key);
}

void add_transaction(HistoryBuilder& builder, SessionId session, const Client& client,
                     Outcome outcome) {
  builder.begin_transaction(session);
  for (const Step& step : client.steps) {
    const KeyId key = builder.key(key_name(step.key));
    const ValueId value = step.value ? builder.values().integer(*step.value) : ValuePool::nil;
    builder.add(step.is_write ? OperationKind::write : OperationKind::read, key, value);
  }
  builder.set_outcome(outcome);
}

}  // namespace

History record(const RecordingPlan& plan) {
  Random random(plan.seed);
  Store store(plan.keys, plan.bug);
  HistoryBuilder builder;
  builder.set_origin("embedded store, seed " + std::to_string(plan.seed) + ", bug " +
                     std::string(name_of(plan.bug)));
  std::vector<Client> clients(plan.sessions, Client{plan.transactions_per_session, {}, 0, {}});
  std::vector<SessionId> sessions;
  for (std::size_t s = 0; s < plan.sessions; ++s) sessions.push_back(builder.add_session());
  std::int64_t next_value = 1;
  std::int64_t now = 0;
  std::size_t left = plan.sessions * plan.transactions_per_session;
  while (left != 0) {
    const std::size_t s = random.below(plan.sessions);
    Client& client = clients[s];
    if (client.transactions_left == 0) continue;
    ++now;
    if (!client.running) {
      client.running = store.begin();
      client.begin = now;
      client.steps.clear();
    } else if (client.steps.size() < plan.operations_per_transaction) {
      Step step{random.chance(plan.write_percent), random.below(plan.keys), {}};
      if (step.is_write) {
        step.value = next_value++;
        store.write(*client.running, step.key, *step.value);
      } else {
        step.value = store.read(*client.running, step.key);
      }
      client.steps.push_back(step);
    } else {
      const bool aborts = random.chance(plan.abort_percent);
      aborts ? store.abort(*client.running) : store.commit(*client.running);
      add_transaction(builder, sessions[s], client, aborts ? Outcome::aborted : Outcome::committed);
      if (plan.record_times) builder.set_times(client.begin, now);
      client.running.reset();
      --client.transactions_left;
      --left;
    }
  }
  return std::move(builder).finish();
}

}  // namespace isoscope
