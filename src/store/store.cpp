#include "isoscope/store/store.h"

#include "isoscope/base/contract.h"
#include "store/engine.h"

namespace isoscope {

namespace {

/// Two bugs are a technique of another store: what breaks is the idea, not its execution.
Technique technique_with(StoreKind kind, Bug bug) {
  Technique technique = technique_of(kind);
  if (bug == Bug::long_fork) technique.reads = Technique::Reads::replica;
  if (bug == Bug::write_skew && technique.check == Technique::Check::reads_are_current) {
    technique.reads = Technique::Reads::snapshot;
    technique.check = Technique::Check::first_committer_wins;
  }
  return technique;
}

}  // namespace

Store::Engine::Engine(const StorePlan& plan, HistoryBuilder& names,
                      std::span<const RowVersion> initial_rows)
    : plan_(plan),
      technique_(technique_with(plan.kind, plan.bug)),
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
Store::Answer Store::execute(Transaction transaction, const Request& request, Reply& reply) {
  return engine_->execute(transaction, request, reply);
}
Store::Answer Store::commit(Transaction transaction) { return engine_->commit(transaction); }
void Store::abort(Transaction transaction) { engine_->abort(transaction); }

}  // namespace isoscope
