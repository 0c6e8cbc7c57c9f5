#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "isoscope/spec/structure.h"

namespace isoscope::synth {

/// One name for every transaction (the initial one keeps its own) and key.
struct Naming {
  std::vector<std::size_t> transactions, keys;
};

/// Calls `visit` with every naming of a history of this size.
template <class Visit>
void for_each_naming(const spec::Structure& history, Visit visit) {
  Naming naming{std::vector<std::size_t>(history.transactions),
                std::vector<std::size_t>(history.keys)};
  std::iota(naming.transactions.begin(), naming.transactions.end(), 0);
  do {
    std::iota(naming.keys.begin(), naming.keys.end(), 0);
    do {
      visit(naming);
    } while (std::ranges::next_permutation(naming.keys).found);
  } while (std::next_permutation(naming.transactions.begin() + 1, naming.transactions.end()));
}

/// Everything the structure says, transaction number i being naming.transactions[i], as numbers.
inline std::vector<std::uint64_t> named_facts(const spec::Structure& history,
                                              const Naming& naming) {
  std::vector<std::uint64_t> facts;
  facts.reserve(history.transactions * (3 + 2 * history.keys));
  const auto add = [&facts](const spec::Matrix& matrix, std::size_t row, const auto& columns) {
    std::uint64_t bits = 0;
    for (const std::size_t column : columns) bits = bits << 1 | (matrix.has(row, column) ? 1 : 0);
    facts.push_back(bits);
  };
  for (const std::size_t t : naming.transactions) {
    add(history.so, t, naming.transactions);
    add(history.rt, t, naming.transactions);
    add(history.writes, t, naming.keys);
    for (const std::size_t x : naming.keys) {
      add(history.wr[x], t, naming.transactions);
      add(history.seen_before[x], t, naming.transactions);
    }
  }
  return facts;
}

/// The first of the facts under all namings: the same for histories that differ only in names.
inline std::vector<std::uint64_t> canonical_facts(const spec::Structure& history) {
  std::vector<std::uint64_t> best;
  for_each_naming(history, [&](const Naming& naming) {
    std::vector<std::uint64_t> facts = named_facts(history, naming);
    if (best.empty() || facts < best) best = std::move(facts);
  });
  return best;
}

/// Every history of 1 to `most_transactions` transactions that all do something, and 1 to
/// `most_keys` keys all of which are used; transactions of a session in the order of their numbers.
/// Reads come in the order of keys, or in the opposite one, if `read_orders`.
template <class Visit>
class EveryStructure {
 public:
  EveryStructure(std::size_t transactions, std::size_t keys, bool read_orders, Visit& visit)
      : history_(spec::empty_structure(transactions, keys)),
        read_orders_(read_orders),
        visit_(visit) {}

  void run() { choose_sessions(1, {}); }

 private:
  // Transaction t joins an earlier session, or starts one.
  void choose_sessions(std::size_t t, std::vector<std::size_t> session) {
    if (t == history_.transactions) return choose_writes(1);
    const std::size_t sessions =
        session.empty() ? 0 : 1 + *std::max_element(session.begin(), session.end());
    for (std::size_t s = 0; s <= sessions; ++s) {
      const spec::Matrix before = history_.so;
      for (std::size_t earlier = 1; earlier < t; ++earlier)
        if (session[earlier - 1] == s) history_.so.add(earlier, t);
      std::vector<std::size_t> next = session;
      next.push_back(s);
      choose_sessions(t + 1, std::move(next));
      history_.so = before;
    }
  }

  void choose_writes(std::size_t t) {
    if (t == history_.transactions) return choose_reads(1, 0);
    for (std::uint64_t set = 0; set < std::uint64_t{1} << history_.keys; ++set) {
      history_.writes.rows[t] = set;
      choose_writes(t + 1);
    }
    history_.writes.rows[t] = 0;
  }

  void choose_reads(std::size_t t, std::size_t x) {
    if (t == history_.transactions) return choose_read_orders(1);
    if (x == history_.keys) {
      if (history_.writes.rows[t] != 0 || reads_something(t)) choose_reads(t + 1, 0);
      return;
    }
    choose_reads(t, x + 1);
    for (std::size_t writer = 0; writer < history_.transactions; ++writer) {
      if (writer == t || !history_.writes.has(writer, x)) continue;
      history_.wr[x].add(writer, t);
      choose_reads(t, x + 1);
      history_.wr[x].rows[writer] &= ~(std::uint64_t{1} << t);
    }
  }

  void choose_read_orders(std::size_t t) {
    if (t == history_.transactions) return finish();
    std::size_t read = 0;
    for (std::size_t x = 0; x < history_.keys; ++x) read += history_.reads(t, x) ? 1 : 0;
    for (int backwards = 0; backwards < (read_orders_ && read > 1 ? 2 : 1); ++backwards) {
      const std::vector<spec::Matrix> before = history_.seen_before;
      for (std::size_t x = 0; x < history_.keys; ++x)
        for (std::size_t y = 0; y < history_.keys; ++y)
          if (history_.reads(t, x) && (backwards ? y > x : y < x))
            for (std::size_t s = 0; s < history_.transactions; ++s)
              if (history_.wr[y].has(s, t)) history_.seen_before[x].add(s, t);
      choose_read_orders(t + 1);
      history_.seen_before = before;
    }
  }

  bool reads_something(std::size_t t) const {
    for (std::size_t x = 0; x < history_.keys; ++x)
      if (history_.reads(t, x)) return true;
    return false;
  }

  void finish() {
    for (std::size_t x = 0; x < history_.keys; ++x) {
      bool is_used = false;
      for (std::size_t t = 1; t < history_.transactions; ++t)
        is_used = is_used || history_.writes.has(t, x) || history_.reads(t, x);
      if (!is_used) return;
    }
    visit_(history_);
  }

  spec::Structure history_;
  bool read_orders_;
  Visit& visit_;
};

template <class Visit>
void for_each_structure(std::size_t most_transactions, std::size_t most_keys, Visit visit,
                        bool read_orders = true) {
  for (std::size_t n = 1; n <= most_transactions; ++n)
    for (std::size_t keys = 1; keys <= most_keys; ++keys)
      EveryStructure<Visit>(n, keys, read_orders, visit).run();
}

}  // namespace isoscope::synth
