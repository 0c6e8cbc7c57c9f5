#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "reference/execution.h"

namespace isoscope::small {

struct Operation {
  bool is_write = false;
  int key = 0;
  int source = 0;  ///< of a read: the transaction whose write it returned
};

struct Transaction {
  int session = 0;
  bool aborted = false;
  int begin = 0;
  int end = 0;
  std::vector<Operation> operations;

  /// The place of the write of the key, or the number of operations if there is none.
  int place_of_write(int key) const {
    const auto is_it = [&](const Operation& o) { return o.is_write && o.key == key; };
    const auto at = std::find_if(operations.begin(), operations.end(), is_it);
    return static_cast<int>(at - operations.begin());
  }
  bool writes(int key) const { return place_of_write(key) < static_cast<int>(operations.size()); }
};

/// A history of which everything is known: what each read returned and in which order the versions
/// are. What holds between two levels for every such history holds for every history of registers
/// and lists, whichever part of this is recorded.
///
/// Transaction 0 is the initial one and writes every key; those of a session are numbered in
/// session order; a transaction writes a key at most once and reads it, before that, from another
/// transaction.
struct History {
  int keys = 0;
  std::vector<Transaction> transactions;
  std::vector<std::vector<int>> versions;  ///< of each key: its committed writers, 0 first

  int size() const { return static_cast<int>(transactions.size()); }

  /// The same, with session order or without, as the definitions look at it. Aborted transactions
  /// are in it with nothing done.
  reference::Execution execution(bool session_order) const {
    using reference::Execution;
    reference::Relation so;
    reference::Relation real_time;
    for (int t = 1; t < size(); ++t) {
      if (transactions[t].aborted) continue;
      so.add(0, t);
      for (int s = 1; s < size(); ++s) {
        if (s == t || transactions[s].aborted) continue;
        const bool same_session = transactions[s].session == transactions[t].session;
        if (session_order && s < t && same_session) so.add(s, t);
        if (transactions[s].end < transactions[t].begin) real_time.add(s, t);
      }
    }
    Execution result(size(), keys, so, real_time);
    for (int key = 0; key < keys; ++key) {
      for (const int t : versions[key]) {
        if (t > 0) result.add_version({t, transactions[t].place_of_write(key), key});
      }
    }
    for (int t = 1; t < size(); ++t) {
      if (transactions[t].aborted) continue;
      const std::vector<Operation>& operations = transactions[t].operations;
      for (int i = 0; i < static_cast<int>(operations.size()); ++i) {
        const int source = operations[i].source;
        if (operations[i].is_write) continue;
        result.add_read({t, i, operations[i].key,
                         transactions[source].aborted ? Execution::nobody : source, true});
      }
    }
    return result;
  }
};

/// A history that goes wrong in few places: most are at some level and not at another.
inline History random_history(std::mt19937& random) {
  const auto below = [&](int limit) {
    return static_cast<int>(random() % static_cast<unsigned>(limit));
  };
  History history;
  const int count = 3 + below(3);  // with the initial one
  history.keys = 1 + below(3);
  history.transactions.resize(static_cast<std::size_t>(count));
  const int sessions = 1 + below(count - 1);
  for (int t = 1; t < count; ++t) {
    Transaction& transaction = history.transactions[t];
    transaction.session = below(sessions);
    transaction.aborted = below(40) == 0;
    for (int left = 1 + below(4); left > 0; --left) {
      const int key = below(history.keys);
      const bool is_write = below(2) == 0 && !transaction.writes(key);
      if (!is_write && transaction.writes(key)) continue;  // reads of own writes say nothing here
      transaction.operations.push_back({is_write, key, 0});
    }
  }
  const auto writes = [&](int t, int key) { return t == 0 || history.transactions[t].writes(key); };
  for (int t = 1; t < count; ++t) {
    for (Operation& operation : history.transactions[t].operations) {
      std::vector<int> sources;
      for (int s = 0; s < count; ++s) {
        if (s != t && writes(s, operation.key)) sources.push_back(s);
      }
      operation.source = sources[static_cast<std::size_t>(below(static_cast<int>(sources.size())))];
    }
  }
  std::vector<int> order;
  for (int t = 1; t < count; ++t) order.push_back(t);
  for (int key = 0; key < history.keys; ++key) {
    if (key == 0 || below(3) == 0) {
      for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[static_cast<std::size_t>(below(static_cast<int>(i)))]);
      }
    }
    history.versions.push_back({0});
    for (const int t : order) {
      if (!history.transactions[t].aborted && writes(t, key)) history.versions.back().push_back(t);
    }
  }
  // Begin and end events in an order in which each session's transactions follow each other.
  std::vector<int> events_done(static_cast<std::size_t>(count), 0);
  for (int time = 0; time < 2 * (count - 1);) {
    const int t = 1 + below(count - 1);
    if (events_done[t] == 2) continue;
    bool must_wait = false;
    for (int s = 1; s < t; ++s) {
      must_wait =
          must_wait || (history.transactions[s].session == history.transactions[t].session &&
                        events_done[s] < 2);
    }
    if (must_wait) continue;
    (events_done[t]++ == 0 ? history.transactions[t].begin : history.transactions[t].end) = time++;
  }
  // The times of some transactions are not known.
  for (Transaction& transaction : history.transactions) {
    if (below(4) > 0) continue;
    transaction.begin = -1;
    transaction.end = 2 * count;
  }
  return history;
}

/// Two readers see two independent writes in opposite orders: random_history() needs too long to
/// meet it.
inline History long_fork() {
  const auto write = [](int key) { return Operation{true, key, 0}; };
  const auto read = [](int key, int source) { return Operation{false, key, source}; };
  History history;
  history.keys = 2;
  history.transactions = {{.session = 0, .end = 9, .operations = {}},
                          {.session = 1, .end = 9, .operations = {write(0)}},
                          {.session = 2, .end = 9, .operations = {write(1)}},
                          {.session = 3, .end = 9, .operations = {read(0, 1), read(1, 0)}},
                          {.session = 4, .end = 9, .operations = {read(1, 2), read(0, 0)}}};
  history.versions = {{0, 1}, {0, 2}};
  return history;
}

/// The history in litmus notation, with the version orders behind it.
inline std::string text_of(const History& history) {
  std::string text;
  const auto key_name = [](int key) { return std::string(1, static_cast<char>('x' + key)); };
  for (int t = 1; t < history.size(); ++t) {
    const Transaction& transaction = history.transactions[t];
    text += "session " + std::to_string(transaction.session) + ": T" + std::to_string(t);
    if (transaction.aborted) text += " (aborted)";
    for (const Operation& o : transaction.operations) {
      text += (o.is_write ? " w(" : " r(") + key_name(o.key) + "," +
              std::to_string(o.is_write ? t : o.source) + ")";
    }
    text += "  ";
  }
  for (int key = 0; key < history.keys; ++key) {
    text += " " + key_name(key) + ":";
    for (const int t : history.versions[key]) text += " " + std::to_string(t);
  }
  return text;
}

}  // namespace isoscope::small
