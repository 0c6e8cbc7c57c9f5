#pragma once  // Part of the API: docs/api.md.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/byte_sink.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/result.h"
#include "isoscope/base/source.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

/// The moment a transaction begins (takes its snapshot) or commits; at most levels both are one. At
/// session guarantees, which know no commits, it is the version of a key that a transaction left.
/// Transactions are numbered as in the text of a certificate: 0 is the initial state, n the n-th of
/// the history.
struct Event {
  std::uint32_t transaction = 0;
  bool is_commit = false;
  std::uint32_t key = 0;  ///< of a version: the key's number (KeyNumbers); otherwise 0

  static Event begin(std::uint32_t t) { return {t, false}; }
  static Event commit(std::uint32_t t) { return {t, true}; }
  static Event version(std::uint32_t t, std::uint32_t key) { return {t, false, key}; }
  bool is_version() const { return key != 0; }
  auto operator<=>(const Event&) const = default;
};

/// The number a certificate has for a transaction of the history.
inline std::uint32_t number_of(TransactionId t) { return t.value + 1; }

/// A read, by the reader's number and the place among its operations, from 1. A predicate operation
/// reads every row of its table: then `key` says which one (KeyNumbers); otherwise it is 0.
struct ReadNumber {
  static constexpr std::uint32_t whole = 0xFFFFFFFF;

  std::uint32_t transaction = 0;
  std::uint32_t operation = 0;
  std::uint32_t key = 0;
  /// The read is only about this many elements from the start of the list, without the reader's own
  /// appends.
  std::uint32_t elements = whole;

  auto operator<=>(const ReadNumber&) const = default;
};

/// What a refutation reasons about: a statement, or its negation, about a supposed execution.
struct ProofLiteral {
  enum class Kind : std::uint8_t {
    order,      ///< `before` comes before `after`; its negation is the other way round
    selection,  ///< `read` returned what `writer` left; a list's first elements: it left just them
    committed,  ///< `writer`, whose outcome is unknown, committed
  };

  Kind kind = Kind::order;
  bool negated = false;  ///< never for order
  Event before = {};
  Event after = {};
  ReadNumber read = {};
  std::uint32_t writer = 0;

  static ProofLiteral order(Event before, Event after) {
    return {.kind = Kind::order, .before = before, .after = after};
  }
  static ProofLiteral selection(ReadNumber read, std::uint32_t writer) {
    return {.kind = Kind::selection, .read = read, .writer = writer};
  }
  static ProofLiteral committed(std::uint32_t transaction) {
    return {.kind = Kind::committed, .writer = transaction};
  }
  ProofLiteral operator!() const {
    ProofLiteral result = *this;
    if (kind == Kind::order) {
      result.before = after;
      result.after = before;
    } else {
      result.negated = !negated;
    }
    return result;
  }
  auto operator<=>(const ProofLiteral&) const = default;
};

/// One reason why a transaction saw another one: it leads from the present transaction to
/// `transaction`.
struct Hop {
  enum class Kind : std::uint8_t {
    session,         ///< comes later in the session
    read,            ///< `read` is one of its reads, and returned what the present one left
    overwrite,       ///< writes a key that the present one writes, and commits later
    antidependency,  ///< `read`, of the present one, returned what `writer` left; the transaction
                     ///< writes that key and commits after the writer
    earlier,         ///< commits later
  };

  Kind kind = Kind::session;
  std::uint32_t transaction = 0;
  ReadNumber read = {};
  std::uint32_t writer = 0;

  static Hop session(std::uint32_t to) { return {.kind = Kind::session, .transaction = to}; }
  static Hop by_read(ReadNumber read) {
    return {.kind = Kind::read, .transaction = read.transaction, .read = read};
  }
  static Hop overwrite(std::uint32_t to) { return {.kind = Kind::overwrite, .transaction = to}; }
  static Hop antidependency(std::uint32_t to, ReadNumber read, std::uint32_t writer) {
    return {.kind = Kind::antidependency, .transaction = to, .read = read, .writer = writer};
  }
  static Hop earlier(std::uint32_t to) { return {.kind = Kind::earlier, .transaction = to}; }
  bool operator==(const Hop&) const = default;
};

/// One line of a refutation: a clause (a disjunction of literals) that is true in every execution
/// of the level in which the clients see the history. docs/certificates.md says which clause each
/// kind stands for.
struct ProofStep {
  enum class Kind : std::uint8_t {
    order,     ///< events: two; known from sessions, time, or because one is a transaction's begin
    read,      ///< read: it returned what one of its candidates left
    from,      ///< read, writer: the writer it returned committed before the reader began
    took,      ///< read, writer: the writer it returned did commit
    between,   ///< read, writer, other: the other writer is not between the two
    conflict,  ///< writer, other: writers of one key do not overlap
    list,      ///< read, writer, other: the list read says that writer appended before other
    member,    ///< read, writer: the writer is in the list read, so it did commit
    inside,    ///< read: contradicts its own transaction
    path,      ///< events: order is transitive; or, first and last being the same, has no cycle
    lemma,     ///< literals, hints: follows from earlier steps by unit propagation
    left,      ///< read, writer: if the read is from the writer, that one left the list
    rest,      ///< read (elements), writer: somebody left what is before the writer's appends
    next,      ///< read (elements), writer, other: if the other one left that, it committed before
               ///< the writer began
    apart,     ///< read (elements), writer, other, third: the third one is not between the two
    sees,      ///< read, writer, other, hops: the hops lead from the other one, which writes the
               ///< key, to the reader; so it is not newer than the writer that the read is from
    follows,   ///< read, writer, other: the other one, the reader or later in its session, writes
               ///< the key that the read returned from the writer
    circle,    ///< writer, hops: lead back to the writer
    stuck,     ///< events: each of these transactions comes after another one of them, whatever
               ///< its reads are from
    base,      ///< read, writer, other: the read is of an update's base, and the other one is not
               ///< between the writer and the reader
  };

  Kind kind = Kind::order;
  ReadNumber read = {};
  std::uint32_t writer = 0;
  std::uint32_t other = 0;
  std::uint32_t third = 0;
  std::vector<Event> events = {};
  std::vector<ProofLiteral> literals = {};
  std::vector<std::uint32_t> hints = {};  ///< numbers of earlier steps, from 1
  std::vector<Hop> hops = {};
  bool operator==(const ProofStep&) const = default;
};

/// Says that a read returned what the writer left; 0 is the initial state.
struct ReadSource {
  ReadNumber read = {};
  std::uint32_t writer = 0;
  bool operator==(const ReadSource&) const = default;
};

/// What a verdict rests on, so that somebody else can confirm it: an order of events (the witness),
/// or a refutation. The text format is described in docs/certificates.md.
struct Certificate {
  /// Version 2 says what indeterminate transactions do to sessions. Where they cut them, as they
  /// always do in version 1, a certificate is written as one of version 1. Version 3 is written
  /// where a level or a step needs it, and always says so.
  static constexpr std::uint32_t newest_version = 3;

  Level level;
  bool indeterminate_cuts = true;  ///< as History::indeterminate_cuts()
  /// How much clocks may differ, in nanoseconds. Only real-time levels look at times.
  std::int64_t clock_skew = 0;
  std::string history_digest;  ///< digest(history); empty until certificate_of()
  bool holds = false;
  /// holds: the indeterminate transactions that are taken as committed, ascending.
  std::vector<std::uint32_t> committed;
  /// holds: events in their order, those that the level has (events_of). Versions of different
  /// keys stand in any order, and a key that one transaction writes may be left out.
  std::vector<Event> order;
  /// holds: what reads returned. A read that is not listed is from the latest of its candidates
  /// before the reader in the order; at session guarantees from the newest one.
  std::vector<ReadSource> sources = {};
  /// violated: the last step's clause is empty once what is known is taken from it.
  std::vector<ProofStep> steps;

  bool operator==(const Certificate&) const = default;
};

/// What is in the order of a certificate of a level.
enum class OrderEvents : std::uint8_t {
  none,                ///< each read is judged by itself, or no session order counts
  commits,             ///< a transaction is one event
  begins_and_commits,  ///< it reads at one moment and commits at another
  versions,            ///< each key has an order of its own
};
OrderEvents events_of(Level level);

/// Whether begin and commit of a transaction are one event at this level. Snapshot isolation and
/// prefix consistency have two.
bool has_one_event(LevelId level);
/// Whether certificates of this level are written as version 3.
bool needs_version_3(LevelId level);
/// Two writers of one key must not overlap: one commits before the other begins.
bool do_writers_conflict(LevelId level);
/// Whether the certificate's claim is also true of this level. `holds` is true of all levels that
/// the certificate's level implies, `violated` of all levels that imply it.
bool settles(const Certificate& certificate, Level level);
/// The same about this history, which says what the recorded levels are.
bool settles(const Certificate& certificate, Level level, const History& history);

/// The numbers that certificates have for keys, from 1 on. Keys are numbered in the order in which
/// the operations name them; then the other keys follow by table and name, integers first.
///
/// Cost: one pass over the history when a number is first asked for. Certificates of histories
/// without predicates never ask. An object must not be asked by several threads at once.
class KeyNumbers {
 public:
  /// The history must outlive the object.
  explicit KeyNumbers(const History& history) : history_(history) {}

  std::uint32_t number(KeyId key) const {
    count();
    ISOSCOPE_REQUIRE(key.index() < numbers_.size());
    return numbers_[key.index()];
  }
  /// Nothing if there is no such key.
  std::optional<KeyId> key(std::uint32_t number) const {
    count();
    if (number == 0 || number > keys_.size()) return std::nullopt;
    return keys_[number - 1];
  }

 private:
  void count() const;

  const History& history_;
  mutable std::vector<std::uint32_t> numbers_;  // by key
  mutable std::vector<KeyId> keys_;             // by number, from 1
};

/// A digest of what a parsed history says, whatever file it came from: 64 hexadecimal digits.
std::string digest(const History& history);

/// An Error if the certificate has no digest of a history, because nobody could say then what it is
/// about. certificate_of() in verdict.h makes those that have one.
Status write_certificate(const Certificate& certificate, ByteSink& sink);
Result<Certificate> read_certificate(const Source& source);

}  // namespace isoscope
