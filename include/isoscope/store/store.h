#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "isoscope/history/history_builder.h"
#include "isoscope/store/store_kind.h"
#include "isoscope/workload/request.h"

namespace isoscope {

/// What a store is made from. Everything random comes from the seed.
struct StorePlan {
  StoreKind kind = StoreKind::serializable_locking;
  Bug bug = Bug::none;        ///< one that the store can have
  unsigned bug_percent = 50;  ///< how often it strikes where it could
  std::size_t sessions = 10;
  ValueId initial = ValuePool::nil;  ///< of keys for which nothing else is said
  std::size_t lag = 4;  ///< by how many commits a view may be behind, in stores where one may
  std::uint64_t seed = 1;
};

/// An in-memory transactional database of a stated isolation level, or with a stated bug.
///
/// The store is single-threaded on purpose: its caller decides the interleaving, so a run can be
/// repeated exactly. Keys hold values, rows or lists. Nothing ever blocks: a transaction that would
/// have to wait is told so and asks again.
///
///   Store store(plan, names, initial_rows);
///   Store::Transaction t = store.begin(session);
///   Reply reply;
///   while (store.execute(t, request, reply) == Store::Status::wait) let_others_run();
///   store.commit(t);
class Store {
 public:
  /// A session has at most one transaction at a time, so the session names it.
  using Transaction = std::size_t;

  enum class Status : std::uint8_t {
    done,
    wait,     ///< nothing has happened; ask again later
    aborted,  ///< the store has rolled the transaction back
  };

  /// Keys, values and predicates are those of `names`, which must outlive the store.
  Store(const StorePlan& plan, HistoryBuilder& names, std::span<const RowVersion> initial_rows);
  ~Store();
  Store(Store&&) noexcept;

  Transaction begin(std::size_t session);
  /// The reply's rows are good until the next request to the store.
  Status execute(Transaction transaction, const Request& request, Reply& reply);
  /// Never `wait`.
  Status commit(Transaction transaction);
  void abort(Transaction transaction);

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace isoscope
