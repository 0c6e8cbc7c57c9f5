#pragma once

#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/store/store.h"
#include "store/commit_log.h"
#include "store/latest_rows.h"
#include "store/locks.h"
#include "store/replicas.h"
#include "store/running.h"
#include "store/technique.h"
#include "store/versions.h"

namespace isoscope {

/// All stores in one: the technique says what a transaction sees, locks and is checked for, and
/// the bug where that goes wrong. begin.cpp chooses what a transaction sees, execute.cpp answers
/// its requests, commit.cpp ends it.
class Store::Engine {
 public:
  Engine(const StorePlan& plan, HistoryBuilder& names, std::span<const RowVersion> initial_rows);

  void begin(std::size_t session);
  Status execute(std::size_t session, const Request& request, Reply& reply);
  Status commit(std::size_t session);
  void abort(std::size_t session);

 private:
  bool has_replicas() const {
    return technique_.reads == Technique::Reads::replica || has(Bug::long_fork);
  }
  bool has(Bug bug) const { return plan_.bug == bug; }
  /// Is this one of the occasions at which the store goes wrong?
  bool strikes(Bug bug) { return has(bug) && random_.chance(plan_.bug_percent); }

  // begin.cpp
  View usual_view(std::size_t session);
  Sequence older_state(Sequence at_least);
  std::vector<Sequence> some_latest_commits(std::size_t session, bool own_ones_too);
  void go_wrong_at_begin(std::size_t session, Running& t);

  // execute.cpp
  struct Seen {
    ValueId value;
    Sequence version;
  };
  Status read(Running& t, KeyId key, Reply& reply);
  Status write(Running& t, const Request& request);
  Status scan(Running& t, const Request& request, Reply& reply);
  Status predicate_write(Running& t, const Request& request, Reply& reply);
  Status lock_to_read(Running& t, KeyId key);
  Status lock_to_scan(Running& t, TableId table);
  Status lock_to_write(Running& t, KeyId key);
  void add_effect(Running& t, KeyId key, bool appends, ValueId value);
  Seen seen_of_others(const Running& t, const View& view, KeyId key, bool dirty) const;
  const View& view_for_this_read(Running& t, View& other);
  std::vector<KeyId> keys_to_look_at(const Running& t, const Request& request, const View& view,
                                     bool dirty);
  std::span<const KeyId> written_by(Sequence commit) const;
  void add_if_selected(Running& t, const Request& request, const View& view, bool dirty, KeyId key);
  ValueId updated(ValueId row, ValueId change);

  // commit.cpp
  std::vector<Footprint::Write> final_writes(const Running& t);
  bool may_commit(Running& t);
  bool first_committer(const Running& t) const;
  void install(const Running& t, bool with_writes);
  void end(Running& t);
  void forget_old_commits();

  StorePlan plan_;
  Technique technique_;
  HistoryBuilder& names_;
  Random random_;
  Versions versions_;
  LatestRows latest_rows_;
  Locks locks_;
  Replicas replicas_;
  CommitLog log_;
  bool keeps_log_;
  std::vector<bool> at_replica_;          // of each session: reads what has arrived at a replica
  std::vector<Running> running_;          // of each session
  std::vector<Sequence> last_commit_;     // of each session
  std::vector<std::uint32_t> committer_;  // the session of each commit; the initial state has none
  std::vector<KeyId> written_;            // by all commits, one after the other
  std::vector<std::size_t>
      written_from_;              // where each commit's keys start; and where the next's will
  std::vector<RowVersion> rows_;  // of the last reply
  Sequence now_ = 0;              // the last commit
  Age next_age_ = 0;
  std::uint64_t next_effect_ = 0;
};

}  // namespace isoscope
