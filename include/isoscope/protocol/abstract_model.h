#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isoscope::protocol {

/// The levels of the abstract transaction model, none implied by one before it.
///
/// Source: Xiong, Cerone, Raad, Gardner: Data consistency in transactional storage systems
/// (ECOOP 2020), as VerIso (Ghasemirad and others, 2025) uses it. Read atomicity and update
/// atomicity ask for no session visibility there, unlike the levels of the same names in the
/// catalogue.
enum class AbstractLevel : std::uint8_t { ra, ua, tcc, psi, pc, si, ser, sser };
inline constexpr std::size_t abstract_level_count = 8;

/// A set of transactions or of keys, each a bit. Transaction 0 is the initial one.
using Bits = std::uint64_t;
constexpr Bits bit(std::size_t number) { return Bits{1} << number; }
inline constexpr std::size_t most_transactions = 62;  ///< with the initial one
inline constexpr std::size_t most_keys = 64;

/// Parts of R, the relation that a view must be closed under (backwards). `;` is composition.
enum class Dependency : std::uint8_t {
  session,                    ///< SO
  session_then_anti,          ///< SO;RW
  read,                       ///< WR
  read_then_anti,             ///< WR;RW
  overwrite,                  ///< WW
  overwrite_then_anti,        ///< WW;RW
  later_versions,             ///< WW^-1: all versions of all keys are in the view
  later_versions_of_written,  ///< WW^-1 of the keys that the transaction writes: no lost update
};

/// A row of the table of levels.
struct AbstractLevelEntry {
  AbstractLevel level = AbstractLevel::ra;
  std::string_view name;  ///< "RA"
  std::string_view title;
  std::string_view text;       ///< the shipped level text that says what it means for a history
  bool sessions = false;       ///< of that text: does session order count?
  std::uint32_t relation = 0;  ///< a bit for each Dependency
  bool client_views = false;   ///< views of a client grow and have its own writes (MR and RYW)
  bool real_time = false;      ///< it commits after it begins and before the client is answered
};

std::span<const AbstractLevelEntry> abstract_levels();
const AbstractLevelEntry& entry_of(AbstractLevel level);
/// By name, case aside: "SSER".
std::optional<AbstractLevel> find_abstract_level(std::string_view name);
/// Does every run at level `a` satisfy level `b`?
bool implies(AbstractLevel a, AbstractLevel b);

/// The store: for every key its versions, each named by its writer, their order and their readers.
/// Values do not matter: a version is its writer.
class AbstractStore {
 public:
  /// With the initial versions.
  AbstractStore(std::size_t keys, std::size_t transactions);
  /// Without anything.
  void clear();

  std::size_t keys() const { return installed_.size(); }
  std::size_t transactions() const { return transactions_; }

  Bits& installed(std::size_t key) { return installed_[key]; }
  Bits installed(std::size_t key) const { return installed_[key]; }
  /// Writers of versions of the key after that of `writer`.
  Bits& later(std::size_t key, std::size_t writer) { return later_[key * transactions_ + writer]; }
  Bits later(std::size_t key, std::size_t writer) const {
    return later_[key * transactions_ + writer];
  }
  Bits& readers(std::size_t key, std::size_t writer) {
    return readers_[key * transactions_ + writer];
  }
  Bits readers(std::size_t key, std::size_t writer) const {
    return readers_[key * transactions_ + writer];
  }

  Bits writers() const;
  Bits all_readers() const;
  /// Appends a version.
  void append(std::size_t key, std::size_t writer);

  bool operator==(const AbstractStore&) const = default;

 private:
  std::size_t transactions_;
  std::vector<Bits> installed_, later_, readers_;
};

/// What a transaction does: for each key the writer of the version that it read, or none, and the
/// keys it wrote.
struct Fingerprint {
  static constexpr std::uint8_t not_read = 255;
  std::vector<std::uint8_t> read_from;
  Bits written = 0;
  Bits read_twice = 0;  ///< keys of which it read two versions; one of them stands above

  bool operator==(const Fingerprint&) const = default;
};

/// What stands in the way of a commit.
enum class Obstacle : std::uint8_t {
  nothing,
  not_well_formed,  ///< versions of a key are not in a total order, or a rule of stores is broken
  not_fresh,        ///< it, or a later one of its client, is in the store already
  not_last_write,   ///< in every possible view a newer version of what it read is visible (LWW)
  two_versions,     ///< it read two versions of a key
  missing_version,  ///< it read a version that is not there
  other_update,     ///< the store changes in another way than this transaction makes it
  observation_changed,  ///< what clients see of a transaction changes by another step than its
                        ///< commit
  store_changed,        ///< it changes in a step that is no commit
  view_shrank,          ///< a client's view loses a version, or has one that does not exist
  view_shift,           ///< the view after it lacks what it saw, or its own writes
  out_of_time,          ///< it takes effect before it begins or after the client was answered
  not_witnessed,        ///< the model's order does not show the level: an axiom is broken
};
std::string_view text_of(Obstacle obstacle);

/// A transaction commits.
struct Commit {
  const AbstractStore& before;
  const AbstractStore& after;
  std::size_t transaction = 0;
  const Fingerprint& fingerprint;
  /// By transaction: the earlier ones of its client.
  std::span<const Bits> earlier_in_session;
  /// The client's view before and after, if the protocol says what it is. Otherwise it is the
  /// smallest view that is possible after what the client's earlier transactions read and wrote.
  /// Levels without client_views do not look at these: there a view may shrink to the initial
  /// versions after every commit.
  std::optional<Bits> view_before = {}, view_after = {};
  /// Between begin and answer? (Only a real-time level asks.)
  bool in_time = true;
};

/// What is wrong at each level, if anything; where the trouble is.
struct Finding {
  Obstacle obstacle = Obstacle::nothing;
  std::uint8_t key = 0;
  std::uint8_t transaction = 0;  ///< not_last_write: the newer visible version's writer

  bool operator==(const Finding&) const = default;
};
using Findings = std::array<Finding, abstract_level_count>;

/// Can this commit happen at each of the levels in the bit set `asked`?
///
/// A level asks for some view with five properties. All of them except the last-write rule say that
/// the view contains something: the client's view, the writers of what was read, and with each
/// transaction all that R leads back to. So there is a least view. The last-write rule (nothing
/// newer than what was read is visible) can only fail because a view has too much, so the least
/// view is as good as any. It is found by a search along R, through read-only transactions, which
/// are in no view. Views are sets of transactions, so a view always has either all or none of a
/// transaction's versions.
///
/// Cost: about transactions^2 words of work per level.
class CommitCheck {
 public:
  CommitCheck(std::size_t keys, std::size_t transactions);
  Findings check(const Commit& commit, std::uint32_t asked = ~0u);

 private:
  Finding common_finding(const Commit& commit);
  Finding finding_at(const Commit& commit, const AbstractLevelEntry& level);
  /// The smallest view that the level lets the transaction have.
  Bits view_at(const Commit& commit, const AbstractLevelEntry& level);
  void collect_dependencies(const Commit& commit);

  std::size_t transactions_;
  AbstractStore expected_;
  /// By dependency and transaction: its predecessors in R.
  std::vector<Bits> predecessors_;
  std::vector<Bits> overlooked_by_;
  bool collected_ = false;
};

/// Is it a store? The versions of every key must be in a total order with the initial one first. A
/// reader reads only one version of a key, and nobody reads its own version or one from its
/// session's future.
bool is_well_formed(const AbstractStore& store, std::span<const Bits> earlier_in_session);

/// What clients saw, and orders that are said to explain it: sets of transactions by transaction.
struct WitnessedRun {
  Bits committed = 0;                     ///< with the initial one
  std::vector<Fingerprint> fingerprints;  ///< by transaction
  std::vector<Bits> before;               ///< by transaction: those that it is after
  std::vector<Bits> sees;                 ///< by transaction
  std::span<const Bits> earlier_in_session;
};

/// The axiom of the level that the orders break ("EXT", "PREFIX"...), or "". Cerone, Bernardi,
/// Gotsman: A framework for transactional consistency models with atomic visibility (CONCUR 2015).
/// Serializability takes `before` for `sees`. Nothing is said about real time, so SSER is treated
/// as SER.
std::string_view broken_axiom(const WitnessedRun& run, AbstractLevel level);

}  // namespace isoscope::protocol
