#include "isoscope/store/store.h"

#include "isoscope/base/contract.h"
#include "store/engine.h"

namespace isoscope {

Store::Engine::Engine(const StorePlan& plan, HistoryBuilder& names,
                      std::span<const RowVersion> initial_rows)
    : plan_(plan),
      technique_(technique_of(plan.kind)),
      names_(names),
      random_(plan.seed),
      versions_(plan.initial),
      latest_rows_(names, versions_),
      log_(names, versions_),
      keeps_log_(technique_.check >= Technique::Check::no_pivot),
      running_(plan.sessions),
      last_commit_(plan.sessions, 0),
      committer_(1, UINT32_MAX),
      written_from_(2, 0) {
  ISOSCOPE_REQUIRE(can_have(plan.kind, plan.bug));
  const bool can_fork = plan.bug == Bug::long_fork;
  for (std::size_t i = 0; i < plan.sessions; ++i) {
    const bool reads_replica = technique_.reads == Technique::Reads::replica;
    at_replica_.push_back(reads_replica || (can_fork && random_.chance(plan.bug_percent)));
  }
  for (const RowVersion& row : initial_rows) {
    versions_.start_with(row.key, names.key_table(row.key), row.value);
  }
}

Store::Store(const StorePlan& plan, HistoryBuilder& names, std::span<const RowVersion> initial_rows)
    : engine_(std::make_unique<Engine>(plan, names, initial_rows)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;

Store::Transaction Store::begin(std::size_t session) {
  engine_->begin(session);
  return session;
}
Store::Status Store::execute(Transaction transaction, const Request& request, Reply& reply) {
  return engine_->execute(transaction, request, reply);
}
Store::Status Store::commit(Transaction transaction) { return engine_->commit(transaction); }
void Store::abort(Transaction transaction) { engine_->abort(transaction); }

}  // namespace isoscope
