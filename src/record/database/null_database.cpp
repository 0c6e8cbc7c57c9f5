// Answers at once and remembers nothing: what a run on it costs is the recorder itself.
#include "record/database/kinds.h"

namespace isoscope::record {

namespace {

class NullConnection final : public Connection {
 public:
  Completion begin() override { return {}; }
  Completion execute(const Request&, Reply& reply) override {
    reply = {};
    return {};
  }
  Completion commit() override { return {}; }
  Completion rollback() override { return {}; }
};

class NullDatabase final : public Database {
 public:
  std::string_view isolation() const override { return "none"; }
  std::optional<Level> promise() const override { return std::nullopt; }
  DatabaseDescription description() const override { return {"no database", "null", {}}; }
  Status set_up(const SetUp&, HistoryBuilder&) override { return Done{}; }
  Result<std::unique_ptr<Connection>> connect(std::size_t, std::span<const TableShape>,
                                              HistoryBuilder&) override {
    return std::unique_ptr<Connection>(std::make_unique<NullConnection>());
  }
};

}  // namespace

OpenedKind open_null(const OpenOptions& options) {
  if (!options.isolation.empty() && plain_level_name(options.isolation) != "none")
    return no_such_level("null:", options.isolation, {"none"});
  return std::unique_ptr<Database>(std::make_unique<NullDatabase>());
}

}  // namespace isoscope::record
