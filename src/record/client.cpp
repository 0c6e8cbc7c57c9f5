#include "record/client.h"

#include <algorithm>
#include <new>
#include <thread>

namespace isoscope::record {

namespace {

/// A database that refuses that many transactions of one client, one after the other, for reasons
/// that have nothing to do with other clients, is not going to change its mind.
constexpr std::size_t hopeless = 100;

}  // namespace

Client::Client(std::size_t number, Database& database, const RecordPlan& plan)
    : number_(number),
      database_(database),
      workload_(make_workload(plan.workload, names_)),
      tables_(workload_->tables()),
      line_(names_, tables_),
      random_(plan.workload.seed + number) {}

Status Client::connect() {
  ISOSCOPE_TRY(connection, database_.connect(number_, tables_, names_));
  connection_ = std::move(connection);
  ++connections_;
  session_ = std::to_string(number_ + 1);
  if (connections_ > 1) session_ = '"' + session_ + "." + std::to_string(connections_) + '"';
  return Done{};
}

void Client::run(SharedRun& run) {
  try {
    for (std::size_t i = 0; !run.plan.transactions || i < *run.plan.transactions; ++i) {
      if (run.stops()) return;
      if (connection_ == nullptr && !connect_again(run)) return;
      run_transaction(run);
    }
  } catch (const std::bad_alloc&) {
    run.stop_because(Error{"the recorder was refused memory", {}, {}, ErrorKind::stopped});
  }
}

void Client::run_transaction(SharedRun& run) {
  Script script = workload_->next(number_);
  line_.begin(session_, run.now());
  if (const Completion begun = connection_->begin(); !begun) return give_up(run, begun);
  if (!run_script(run, script)) return;
  if (script.ending() == Ending::abort || random_.chance(run.plan.abort_percent)) {
    roll_back(run);
  } else {
    commit(run);
  }
}

bool Client::run_script(SharedRun& run, Script& script) {
  for (const Request* request = script.start(); request != nullptr;) {
    if (run.stops()) {
      roll_back(run);
      return false;
    }
    Reply reply;
    const Completion done = connection_->execute(*request, reply);
    if (!done) {
      // A statement that arrived may have had an effect before its connection was gone.
      if (done.trouble == Trouble::disconnected) line_.add_unanswered(*request);
      give_up(run, done);
      return false;
    }
    line_.add(*request, reply);
    if (run.plan.pause.count() > 0) {
      const auto longest = static_cast<std::uint64_t>(run.plan.pause.count());
      std::this_thread::sleep_for(std::chrono::nanoseconds(random_.below(longest + 1)));
    }
    request = script.resume(reply);
  }
  return true;
}

void Client::commit(SharedRun& run) {
  if (line_.problem()) {
    connection_->rollback();
    run.stop_because(Error{"cannot be recorded: " + *line_.problem()});
    return;
  }
  const auto offset = run.file.append(line_.finish(TransactionLine::indeterminate()));
  if (!offset) {
    connection_->rollback();
    run.stop_because(offset.error());
    return;
  }
  const Completion done = connection_->commit();
  const std::int64_t end = run.now();
  if (!done && !done.is_certain) {
    run.count_indeterminate();
    note_trouble(run, done);
    return lose_connection();
  }
  const std::string field = done ? TransactionLine::committed(end) : TransactionLine::aborted();
  if (const Status status = run.file.replace(*offset + line_.field_offset(), field); !status)
    run.stop_because(status.error());
  if (done) {
    troubles_in_a_row_ = 0;
    return run.count_commit();
  }
  run.count_abort(done.trouble);
  note_trouble(run, done);
  if (done.trouble == Trouble::disconnected || !connection_->rollback()) lose_connection();
}

void Client::roll_back(SharedRun& run) {
  const Completion done = connection_->rollback();
  write_aborted(run);
  run.count_rollback();
  if (!done) lose_connection();
}

void Client::give_up(SharedRun& run, const Completion& trouble) {
  if (trouble.trouble == Trouble::disconnected || !connection_->rollback()) lose_connection();
  write_aborted(run);
  run.count_abort(trouble.trouble);
  note_trouble(run, trouble);
}

void Client::write_aborted(SharedRun& run) {
  if (line_.is_empty()) return;
  const auto written = run.file.append(line_.finish(TransactionLine::aborted_at(run.now())));
  if (!written) run.stop_because(written.error());
}

void Client::note_trouble(SharedRun& run, const Completion& trouble) {
  run.keep_example(trouble);
  if (trouble.trouble != Trouble::refused && trouble.trouble != Trouble::disconnected) {
    troubles_in_a_row_ = 0;
    return;
  }
  if (++troubles_in_a_row_ < hopeless) return;
  run.stop_because(Error{run.plan.database + " refused " + std::to_string(hopeless) +
                         " transactions of a client in a row: " + trouble.message});
}

void Client::lose_connection() { connection_.reset(); }

bool Client::connect_again(SharedRun& run) {
  using std::chrono::milliseconds;
  const auto end = std::chrono::steady_clock::now() + run.plan.patience;
  for (milliseconds pause(1); !run.stops(); pause = std::min(2 * pause, milliseconds(100))) {
    const Status connected = connect();
    if (connected) {
      run.count_reconnection();
      return true;
    }
    if (std::chrono::steady_clock::now() > end) {
      run.stop_because(Error{"lost the connection: " + connected.error().text()});
      return false;
    }
    std::this_thread::sleep_for(pause);
  }
  return false;
}

}  // namespace isoscope::record
