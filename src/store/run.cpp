#include "isoscope/store/run.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/base/random.h"
#include "isoscope/store/store.h"

namespace isoscope {

namespace {

/// What a client did in its transaction so far, and was told.
class Transcript {
 public:
  void clear() {
    operations_.clear();
    rows_.clear();
  }
  bool empty() const { return operations_.empty(); }
  void add(const Request& request, const Reply& reply) {
    const std::size_t first_row = rows_.size();
    rows_.insert(rows_.end(), reply.rows.begin(), reply.rows.end());
    operations_.push_back({request, reply.value, first_row, reply.rows.size()});
  }
  void write_to(HistoryBuilder& builder) const {
    for (const Entry& entry : operations_) {
      const Request& request = entry.request;
      switch (request.kind) {
        case OperationKind::predicate_read:
        case OperationKind::predicate_write:
          builder.add_predicate(request.kind, request.table, request.predicate,
                                std::span(rows_).subspan(entry.first_row, entry.row_count));
          break;
        case OperationKind::list_read:
          builder.list_read(request.key,
                            entry.seen == ValuePool::nil ? ValuePool::empty_list : entry.seen);
          break;
        case OperationKind::read:
          builder.read(request.key, entry.seen);
          break;
        case OperationKind::remove:
          builder.remove(request.key);
          break;
        case OperationKind::write:
        case OperationKind::insert:
        case OperationKind::append:
          builder.add(request.kind, request.key, request.value);
          break;
      }
    }
  }

 private:
  struct Entry {
    Request request;
    ValueId seen;
    std::size_t first_row;
    std::size_t row_count;
  };
  std::vector<Entry> operations_;
  std::vector<RowVersion> rows_;
};

struct Client {
  std::size_t number = 0;
  SessionId session;
  std::size_t transactions_left = 0;
  std::int64_t clock_offset = 0;
  std::optional<Script> script = {};  // nothing: between two transactions
  const Request* request = nullptr;   // null: all done but the end
  Transcript transcript = {};
  std::int64_t begin = 0;
  bool lost_connection = false;
};

class Scheduler {
 public:
  Scheduler(const RunPlan& plan, const MakeWorkload& make)
      : plan_(plan),
        random_(plan.seed),
        workload_(make(seeded(plan.workload, random_.next()), builder_)),
        initial_rows_(workload_->initial_rows()),
        store_({.kind = plan.store,
                .bug = plan.bug,
                .bug_percent = plan.bug_percent,
                .sessions = plan.workload.sessions,
                .initial = initial_value(),
                .lag = plan.lag,
                .seed = random_.next()},
               builder_, initial_rows_) {
    builder_.set_initial_default(initial_value());
    for (const RowVersion& row : initial_rows_) builder_.set_initial(row.key, row.value);
    for (std::size_t i = 0; i < plan.workload.sessions; ++i) {
      const auto skew = static_cast<std::uint64_t>(plan.clock_skew);
      clients_.push_back({.number = i,
                          .session = builder_.add_session(),
                          .transactions_left = plan.transactions,
                          .clock_offset = static_cast<std::int64_t>(random_.below(skew + 1))});
    }
  }

  History run(const Limits& limits, Progress& progress) {
    std::vector<std::size_t> busy;  // clients that have something left to do
    for (std::size_t i = 0; i < clients_.size() && plan_.transactions > 0; ++i) busy.push_back(i);
    progress.phase("running", plan_.transactions * clients_.size());
    while (!busy.empty() && !limits.reached()) {
      const std::size_t chosen = random_.below(busy.size());
      Client& client = clients_[busy[chosen]];
      // The clock goes on by up to a microsecond a step.
      now_ += 1 + static_cast<std::int64_t>(random_.below(1000));
      step(client);
      if (!client.script) progress.advance(builder_.transaction_count());
      if (client.script || client.transactions_left > 0) continue;
      busy[chosen] = busy.back();
      busy.pop_back();
    }
    for (Client& client : clients_) {
      if (client.script) record(client, Outcome::indeterminate);
    }
    builder_.set_origin(origin());
    return std::move(builder_).finish();
  }

 private:
  static WorkloadPlan seeded(WorkloadPlan plan, std::uint64_t seed) {
    plan.seed = seed;
    return plan;
  }

  ValueId initial_value() {
    // Where rows come and go, one that nobody inserted must not be there.
    const bool zero = plan_.workload.zero_start && uses(plan_.workload.kind, "zero_start");
    return zero ? builder_.values().integer(0) : ValuePool::nil;
  }

  std::string origin() const {
    std::string text = "isoscope generate: workload " + std::string(name_of(plan_.workload.kind)) +
                       ", store " + std::string(name_of(plan_.store));
    if (plan_.bug != Bug::none) text += ", bug " + std::string(name_of(plan_.bug));
    return text + ", seed " + std::to_string(plan_.seed);
  }

  void step(Client& client) {
    if (!client.script) {
      begin(client);
    } else if (client.request != nullptr) {
      ask(client);
    } else {
      finish(client);
    }
  }

  void begin(Client& client) {
    --client.transactions_left;
    if (client.lost_connection) client.session = builder_.add_session();
    client.begin = now_ + client.clock_offset;
    client.transcript.clear();
    store_.begin(client.number);
    client.script.emplace(workload_->next(client.number));
    client.request = client.script->start();
  }

  void ask(Client& client) {
    Reply reply;
    switch (store_.execute(client.number, *client.request, reply)) {
      case Store::Status::wait:
        break;
      case Store::Status::aborted:
        record(client, Outcome::aborted);
        break;
      case Store::Status::done:
        client.transcript.add(*client.request, reply);
        client.request = client.script->resume(reply);
        break;
    }
  }

  void finish(Client& client) {
    if (client.script->ending() == Ending::abort || random_.chance(plan_.abort_percent)) {
      store_.abort(client.number);
      record(client, Outcome::aborted);
    } else if (random_.chance(plan_.indeterminate_percent)) {
      // Either the request or its answer was lost.
      if (random_.chance(50)) {
        store_.commit(client.number);
      } else {
        store_.abort(client.number);
      }
      record(client, Outcome::indeterminate);
    } else {
      const bool done = store_.commit(client.number) == Store::Status::done;
      record(client, done ? Outcome::committed : Outcome::aborted);
    }
  }

  void record(Client& client, Outcome outcome) {
    if (plan_.empty_ones || outcome == Outcome::committed || !client.transcript.empty()) {
      builder_.begin_transaction(client.session);
      client.transcript.write_to(builder_);
      builder_.set_outcome(outcome);
      if (plan_.times) {
        const std::int64_t end = now_ + client.clock_offset;
        builder_.set_times(client.begin,
                           outcome == Outcome::indeterminate ? std::nullopt : std::optional(end));
      }
    }
    client.script.reset();
    client.lost_connection = outcome == Outcome::indeterminate;
  }

  const RunPlan plan_;
  Random random_;
  HistoryBuilder builder_;
  std::unique_ptr<Workload> workload_;
  std::vector<RowVersion> initial_rows_;
  Store store_;
  std::vector<Client> clients_;
  std::int64_t now_ = 0;
};

}  // namespace

History run(const RunPlan& plan, const MakeWorkload& make, const Limits& limits,
            Progress& progress) {
  ISOSCOPE_REQUIRE(plan.workload.sessions > 0 && plan.clock_skew >= 0);
  return Scheduler(plan, make).run(limits, progress);
}

History run(const RunPlan& plan, const Limits& limits, Progress& progress) {
  return run(plan, make_workload, limits, progress);
}

History run(const RunPlan& plan) {
  Progress silence;
  return run(plan, Limits(), silence);
}

}  // namespace isoscope
