// Structures as histories.
//
// Example: if T1 writes x and T2 reads x from T1 and, before, y from the initial transaction, it is
//
//   a: T1 w(x,1)  |  b: T2 r(y,nil) r(x,1)
//
// What needs thought is the order of reads and the choice of times; each has a part of its own.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "isoscope/base/contract.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/spec/structure.h"

namespace isoscope::spec {
namespace {

/// A sequence of keys to read in which each key's last read comes after reads from just those
/// that `seen_before` says; nothing if there is none.
///
/// A key may be read twice: r(x,1) r(y,1) r(x,1) has seen the writer of y before x, and that of x
/// before y. So each key is opened (first read) and closed (last read), in one step if possible.
/// Opening y makes its writer seen for all keys that are still to be closed. Closing x requires
/// that all that it should have seen has been seen. Steps never forbid other steps, so taking any
/// possible step leads to an order if there is one.
class ReadOrder {
 public:
  ReadOrder(const Structure& structure, std::size_t reader)
      : structure_(structure), reader_(reader) {
    for (std::size_t key = 0; key < structure.keys; ++key) {
      for (std::size_t t = 0; t < structure.transactions; ++t) {
        if (structure.wr[key].has(t, reader)) reads_.push_back({key, t});
      }
    }
  }

  std::optional<std::vector<std::size_t>> find() {
    while (std::ranges::any_of(reads_, [](const Read& read) { return !read.closed; })) {
      if (!step()) return std::nullopt;
    }
    return std::move(sequence_);
  }

 private:
  struct Read {
    std::size_t key;
    std::size_t writer;
    bool open = false;
    bool closed = false;
  };

  bool shall_see(const Read& read, std::size_t writer) const {
    return structure_.seen_before[read.key].has(writer, reader_);
  }
  bool can_open(const Read& read) const {
    return std::ranges::all_of(reads_, [&](const Read& other) {
      return other.key == read.key || other.closed || shall_see(other, read.writer);
    });
  }
  bool can_close(const Read& read) const {
    std::uint64_t missing = 0;
    for (std::size_t t = 0; t < structure_.transactions; ++t) {
      if (shall_see(read, t)) missing |= std::uint64_t{1} << t;
    }
    for (const Read& other : reads_) {
      if (other.open && other.key != read.key) missing &= ~(std::uint64_t{1} << other.writer);
    }
    return missing == 0;
  }

  bool step() {
    const auto take = [&](const auto& possible, bool close) {
      const auto at = std::ranges::find_if(
          reads_, [&](const Read& read) { return !read.closed && possible(read); });
      if (at == reads_.end()) return false;
      at->open = true;
      at->closed = close;
      sequence_.push_back(at->key);
      return true;
    };
    const auto once = [&](const Read& r) { return !r.open && can_open(r) && can_close(r); };
    const auto again = [&](const Read& r) { return r.open && can_close(r); };
    const auto first = [&](const Read& r) { return !r.open && can_open(r); };
    return take(once, true) || take(again, true) || take(first, false);
  }

  const Structure& structure_;
  std::size_t reader_;
  std::vector<Read> reads_;
  std::vector<std::size_t> sequence_;
};

struct Times {
  std::int64_t begin;
  std::int64_t end;
};

/// Times that realise `rt`. In an interval order the sets of predecessors contain one another, so
/// their sizes rank the transactions by their begin; each ends just before the first that it
/// precedes begins (Fishburn: Intransitive indifference with unequal indifference intervals, J.
/// Math. Psychology 1970).
std::vector<Times> times_of(const Structure& structure) {
  const std::size_t n = structure.transactions;
  std::vector<std::int64_t> before(n, 0);
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t s = 0; s < n; ++s) before[s] += structure.rt.has(t, s) ? 1 : 0;
  }
  std::vector<Times> times(n);
  for (std::size_t t = 0; t < n; ++t) {
    const auto size = static_cast<std::int64_t>(n);
    std::int64_t next = size;
    for (std::size_t s = 0; s < n; ++s) {
      if (structure.rt.has(t, s)) next = std::min(next, before[s]);
    }
    times[t] = {10 * before[t], 10 * next - 5};
  }
  for (std::size_t t = 1; t < n; ++t) {
    ISOSCOPE_REQUIRE(times[t].begin <= times[t].end);
    for (std::size_t s = 1; s < n; ++s) {
      ISOSCOPE_REQUIRE((times[t].end < times[s].begin) == structure.rt.has(t, s));
    }
  }
  return times;
}

/// For each transaction the first of its session.
std::vector<std::size_t> first_of_sessions(const Structure& structure) {
  std::vector<std::size_t> first(structure.transactions);
  for (std::size_t t = 0; t < structure.transactions; ++t) {
    first[t] = t;
    for (std::size_t s = t; s-- > 1;) {
      if (structure.so.has(s, t)) first[t] = s;
    }
  }
  for (std::size_t t = 1; t < structure.transactions; ++t) {
    for (std::size_t s = 1; s < structure.transactions; ++s) {
      ISOSCOPE_REQUIRE(structure.so.has(s, t) == (s < t && first[s] == first[t]));
    }
  }
  return first;
}

}  // namespace

History history_of(const Structure& structure, bool timed) {
  ISOSCOPE_REQUIRE(!structure.has_non_repeatable_reads());
  HistoryBuilder builder;
  std::vector<KeyId> keys;
  for (const std::string& name : structure.key_names) keys.push_back(builder.key(name));

  // The k-th writer of a key writes k; the initial transaction is the 0-th, and left nothing.
  const auto value = [&](std::size_t writer, std::size_t key) {
    std::int64_t rank = 0;
    for (std::size_t t = 1; t <= writer; ++t) rank += structure.writes.has(t, key) ? 1 : 0;
    return writer == 0 ? ValuePool::nil : builder.values().integer(rank);
  };

  const std::vector<std::size_t> first = first_of_sessions(structure);
  const std::vector<Times> times = timed ? times_of(structure) : std::vector<Times>();
  std::map<std::size_t, SessionId> sessions;
  for (std::size_t t = 1; t < structure.transactions; ++t) {
    if (!sessions.contains(first[t])) {
      const std::size_t rank = sessions.size();
      const std::string name = rank < 26 ? std::string(1, static_cast<char>('a' + rank))
                                         : "s" + std::to_string(rank + 1);
      sessions.emplace(first[t], builder.session(builder.values().string(name)));
    }
    builder.begin_transaction(sessions.at(first[t]),
                              builder.values().integer(static_cast<std::int64_t>(t)));
    if (timed) builder.set_times(times[t].begin, times[t].end);

    std::vector<std::size_t> in_key_order;
    for (std::size_t key = 0; key < structure.keys; ++key) {
      if (structure.reads(t, key)) in_key_order.push_back(key);
    }
    for (const std::size_t key : ReadOrder(structure, t).find().value_or(in_key_order)) {
      for (std::size_t writer = 0; writer < structure.transactions; ++writer) {
        if (structure.wr[key].has(writer, t)) builder.read(keys[key], value(writer, key));
      }
    }
    for (std::size_t key = 0; key < structure.keys; ++key) {
      if (structure.writes.has(t, key)) builder.write(keys[key], value(t, key));
    }
  }
  return std::move(builder).finish();
}

}  // namespace isoscope::spec
