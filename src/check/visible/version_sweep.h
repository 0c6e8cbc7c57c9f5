#pragma once

#include <map>
#include <vector>

#include "check/visible/version_replay.h"

namespace isoscope::visible {

/// One run of a VersionReplay. It goes session by session, and knows what the present one wrote,
/// read and saw.
class VersionReplay::Sweep {
 public:
  Sweep(VersionReplay& replay, Execution& execution, std::vector<Misfit>& misfits);

  Result run();
  bool tell_rows(const TellRow& tell, std::size_t most);

 private:
  /// A version that a reader must not miss, and why.
  struct Known {
    Txn writer = 0;
    std::uint32_t place = 0;
    std::uint32_t own_read = none;  ///< the session read it
    std::uint32_t seen_by = none;   ///< this read saw a later transaction of its session
  };
  /// What the session did with a key.
  struct Own {
    std::uint32_t chain = 0;
    Txn newest_write = 0;
    /// The reads of the two newest versions.
    std::uint32_t newest_read = none;
    std::uint32_t second_read = none;
  };

  std::uint32_t place(Txn t, KeyId key) const { return replay_.nodes_.place(e_, t, key); }
  bool takes_part(Txn t) const { return e_.takes_part[t] != 0; }
  std::span<const Txn> by_place(std::uint32_t set, KeyId key);
  void choose_sources();
  Txn likely_source(const Read& read);
  bool may_be(const Read& read, Txn source) const {
    return source != read.reader && takes_part(source);
  }

  /// Calls visit(t) for those that take part, each with what its session did before it.
  template <class Visit>
  void walk(const Visit& visit);
  void see(std::uint32_t read);
  /// Sees what t read before the operation. Operations must ascend.
  void see_before(std::uint32_t operation);
  void begin_reads() { next_read_ = 0; }
  void remember(Txn t, std::uint32_t chain);
  Own* own(KeyId key);

  /// The newest version of the key that the present transaction must not miss. The read, if there
  /// is one, sees its own source, too.
  Known newest_known(KeyId key, std::uint32_t read);
  bool is_list(KeyId key) const { return replay_.accesses_.use(key) == KeyUse::list; }
  bool comes_after_own_append(std::uint32_t read) const;
  bool choose_newer(std::uint32_t read, std::uint32_t since);
  void judge_reads(Txn t);
  void judge_writes(Txn t);
  void judge_rows(Txn t);
  void judge_bases(Txn t);
  Txn version_before(Txn t, KeyId key);
  std::vector<Hop> way(Txn t, const Known& known) const;

  VersionReplay& replay_;
  const Problem& p_;
  Execution& e_;
  std::vector<Misfit>& misfits_;
  Result result_;
  std::vector<std::vector<Txn>> sets_by_place_;

  // This is about the present session and transaction.
  std::uint32_t chain_ = 0;
  std::vector<Own> own_;                         // by key
  std::map<std::uint32_t, std::uint32_t> seen_;  // by chain: the read of the latest that was seen
  std::vector<std::uint32_t> reads_;
  std::size_t next_read_ = 0;
  struct ToMake {
    Txn reader = 0;
    const PredicateOperation* operation = nullptr;
    KeyId key;
    std::uint32_t set = none;
  };
  std::vector<ToMake> to_make_;
  std::vector<std::vector<Txn>> versions_;  // by key, in their order; filled when asked for
};

}  // namespace isoscope::visible
