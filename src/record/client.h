#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/record/driver.h"
#include "record/shared_run.h"
#include "record/transaction_line.h"

namespace isoscope::record {

/// One client of a run: a connection, the transactions of its session, and what they saw.
///
/// It has names and a workload of its own, made from the same plan as everybody's, of which it runs
/// one session. So clients share nothing but the file, and never wait for each other.
class Client {
 public:
  Client(std::size_t number, Database& database, const RecordPlan& plan);

  /// Makes the connection that it begins with.
  Status connect();
  /// Transaction after transaction until the run is over.
  void run(SharedRun& run);

 private:
  void run_transaction(SharedRun& run);
  /// Asks one request after the other; false: the transaction has come to an end.
  bool run_script(SharedRun& run, Script& script);
  void commit(SharedRun& run);
  void roll_back(SharedRun& run);
  /// The database has ended the transaction, or the connection.
  void give_up(SharedRun& run, const Completion& trouble);
  void write_aborted(SharedRun& run);
  /// Nothing works any more if this comes again and again.
  void note_trouble(SharedRun& run, const Completion& trouble);
  void lose_connection();
  bool connect_again(SharedRun& run);

  const std::size_t number_;
  Database& database_;
  HistoryBuilder names_;
  std::unique_ptr<Workload> workload_;
  std::vector<TableShape> tables_;
  TransactionLine line_;
  Random random_;
  std::unique_ptr<Connection> connection_;  // null: it is lost
  std::string session_;                     // as JSON: 3, and "3.2" after the first reconnection
  std::size_t connections_ = 0;
  std::size_t troubles_in_a_row_ = 0;
};

}  // namespace isoscope::record
