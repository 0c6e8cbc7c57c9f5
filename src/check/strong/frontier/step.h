#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/strong/frontier/model.h"
#include "check/strong/frontier/paths.h"
#include "check/strong/frontier/rows.h"
#include "isoscope/base/limits.h"

namespace isoscope::strong {

/// A configuration is a row of numbers. It says which of the transactions with a place have
/// happened and which have only begun, with a bit for each place, and what the keys with a column
/// hold.
struct FrontierLayout {
  static constexpr std::size_t most_places = 64;
  static constexpr std::size_t first_column = 4;

  using Places = std::uint64_t;  ///< a set of them
  static Places get(std::span<const std::uint32_t> row, std::size_t at) {
    return row[at] | Places{row[at + 1]} << 32;
  }
  static void set(std::span<std::uint32_t> row, std::size_t at, Places places) {
    row[at] = static_cast<std::uint32_t>(places);
    row[at + 1] = static_cast<std::uint32_t>(places >> 32);
  }
  static Places happened(std::span<const std::uint32_t> row) { return get(row, 0); }
  static Places begun(std::span<const std::uint32_t> row) { return get(row, 2); }
  static void set_happened(std::span<std::uint32_t> row, Places places) { set(row, 0, places); }
  static void set_begun(std::span<std::uint32_t> row, Places places) { set(row, 2, places); }

  std::vector<KeyId> columns;
  std::vector<Txn> places;  ///< 0: nobody has it
};

/// One step of a search over frontiers. It goes from all configurations to all those in which an
/// event, the goal, has happened, too.
///
/// A transaction that may happen by now, and conflicts with the goal's transaction or with one that
/// does, is a member of the step. From each configuration only some members are tried, a *stubborn
/// set*. It has the goal's transaction, and every member that must come before one in the set. For
/// what one in the set is to read, it has the members that may write it; if that content is there
/// now but may come again, it has all writers of the key. For a key that one in the set writes, it
/// has all other writers, and the members that are to read what is there now. Whatever else could
/// happen before the goal can as well happen after it with the same outcome: it makes no member of
/// the set possible or impossible. (Valmari, Stubborn sets for reduced state space generation,
/// 1989.)
///
/// Besides: a transaction that changes nothing anybody will see happens as soon as it can; contents
/// that nobody will read are all the same; and where somebody is to read what is not there and
/// nobody is left to write it, the configuration is dropped.
class FrontierStep {
 public:
  /// The members have places, and the keys they write have columns. `base`: what the others hold.
  FrontierStep(const FrontierModel& model, const FrontierLayout& layout,
               const IdVector<KeyId, std::uint32_t>& base, std::span<const Txn> members,
               std::uint32_t goal_number);

  /// Adds to `reached`; false if more than `visits` configurations were met, or a limit was
  /// reached: then it is not all there. `visits` is reduced by those that were.
  bool run(const FrontierRows& from, FrontierPaths& paths, const Limits& limits,
           std::uint64_t& visits, FrontierRows& reached);

 private:
  using Places = FrontierLayout::Places;
  static constexpr std::uint32_t no_column = none;

  struct ColumnRead {
    std::uint32_t column;
    const FrontierModel::Read* read;
    Places writers = 0;    // other members that write what it reads, or append
    bool is_list = false;  // which never holds the same again
    bool later = false;    // a transaction that is no member yet may write it
  };
  struct ColumnWrite {
    std::uint32_t column;
    const FrontierModel::Write* write;
  };
  struct Needs {  // of an event
    Places happened = 0;
    Places begun = 0;
    bool in_time = false;
    bool are_met(Places now_happened, Places now_begun) const {
      return in_time && (happened & ~now_happened) == 0 &&
             (begun & ~(now_happened | now_begun)) == 0;
    }
  };
  struct Member {
    Txn txn = 0;
    Places place = 0;
    bool is_open = false;
    bool may_read = true;   // what it reads of keys without a column is there
    bool is_quiet = false;  // nobody will see what it writes
    std::vector<ColumnRead> reads;
    std::vector<ColumnWrite> writes;
    Places rivals = 0;  // those that must not have begun when it begins
    Needs begin;
    Needs commit;
  };

  Needs needs_of(std::uint32_t event) const;
  Places place_of(Txn t) const;
  void connect();
  bool can_begin(const Member& member, std::span<const std::uint32_t> row) const;
  bool is_visible(const Member& member, std::span<const std::uint32_t> row) const;
  Places stubborn_set(std::span<const std::uint32_t> row) const;
  Places needed_by(const Member& member, std::span<const std::uint32_t> row) const;
  bool is_doomed(std::span<const std::uint32_t> row) const;
  void forget_unread(std::span<std::uint32_t> row, std::uint32_t goal_number) const;
  void happen_quietly();
  bool has_goal(std::span<const std::uint32_t> row) const;
  void meet(std::uint32_t path, FrontierRows& reached);
  void add_to(FrontierRows& rows, std::uint32_t path);
  void try_member(const Member& member, std::uint32_t path, FrontierRows& reached);
  void commit(const Member& member);

  const FrontierModel& m_;
  const OrderProblem& p_;
  const FrontierLayout& layout_;
  const std::uint32_t goal_number_;
  const std::uint32_t goal_;
  std::uint32_t now_;
  std::vector<Member> members_;
  std::size_t goal_member_ = 0;
  std::vector<Places> writers_;                         // by column
  std::vector<std::vector<const Member*>> readers_of_;  // by column
  std::vector<std::uint32_t> member_at_;                // by place
  FrontierRows met_;
  FrontierPaths* paths_ = nullptr;
  std::vector<std::uint32_t> row_;     // the one that is being made
  std::vector<std::uint32_t> events_;  // that were made to happen in it
};

}  // namespace isoscope::strong
