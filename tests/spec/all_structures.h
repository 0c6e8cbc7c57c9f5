#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "isoscope/spec/structure.h"

namespace isoscope::spec {

/// Every structure of three transactions (some may do nothing) on two keys, without times: what
/// each writes, from which transaction it reads each key if it does, which of two reads is first,
/// and how the three are spread over sessions. Structures that differ only in the numbers of
/// transactions or keys come up once.
class AllStructures {
 public:
  static constexpr std::size_t transactions = 3;
  static constexpr std::size_t keys = 2;

  /// Calls visit(Structure) for each that has number 0, stride, 2 * stride, ...; returns how many
  /// there are.
  template <class Visit>
  static long for_each(long stride, const Visit& visit) {
    long number = 0;
    for (const Sessions sessions : {Sessions{0, 1, 2}, Sessions{0, 0, 1}, Sessions{0, 0, 0}}) {
      Pattern pattern;
      const auto each = [&] {
        if (!is_least(pattern, sessions)) return;
        if (number++ % stride == 0) visit(structure_of_pattern(pattern, sessions));
      };
      choose_writes(pattern, 0, each);
    }
    return number;
  }

 private:
  using Sessions = std::array<std::size_t, transactions>;  // of each transaction

  /// What one transaction does.
  struct Actions {
    std::array<bool, keys> writes{};
    std::array<std::uint8_t, keys> source{};  // 0: not read; 1: the initial one; 2 + t
    std::uint8_t second_first = 0;            // the second key is read before the first
    auto operator<=>(const Actions&) const = default;
  };
  using Pattern = std::array<Actions, transactions>;

  template <class Each>
  static void choose_writes(Pattern& pattern, std::size_t at, const Each& each) {
    if (at == transactions * keys) return choose_sources(pattern, 0, each);
    for (const bool writes : {false, true}) {
      pattern[at / keys].writes[at % keys] = writes;
      choose_writes(pattern, at + 1, each);
    }
  }

  template <class Each>
  static void choose_sources(Pattern& pattern, std::size_t at, const Each& each) {
    if (at == transactions * keys) return choose_orders(pattern, 0, each);
    const std::size_t key = at % keys;
    for (std::uint8_t source = 0; source < 2 + transactions; ++source) {
      const std::size_t writer = source - std::size_t{2};
      if (source >= 2 && (writer == at / keys || !pattern[writer].writes[key])) continue;
      pattern[at / keys].source[key] = source;
      choose_sources(pattern, at + 1, each);
    }
  }

  template <class Each>
  static void choose_orders(Pattern& pattern, std::size_t at, const Each& each) {
    if (at == transactions) return each();
    pattern[at].second_first = 0;
    choose_orders(pattern, at + 1, each);
    if (pattern[at].source[0] == 0 || pattern[at].source[1] == 0) return;
    pattern[at].second_first = 1;
    choose_orders(pattern, at + 1, each);
    pattern[at].second_first = 0;
  }

  /// Is no renaming that keeps the sessions smaller?
  static bool is_least(const Pattern& pattern, const Sessions& sessions) {
    std::array<std::size_t, transactions> to = {0, 1, 2};
    do {
      if (!keeps(sessions, to)) continue;
      for (const bool swap_keys : {false, true}) {
        if (renamed(pattern, to, swap_keys) < pattern) return false;
      }
    } while (std::ranges::next_permutation(to).found);
    return true;
  }

  static bool keeps(const Sessions& sessions, const std::array<std::size_t, transactions>& to) {
    for (std::size_t a = 0; a < transactions; ++a) {
      for (std::size_t b = a + 1; b < transactions; ++b) {
        const bool same = sessions[a] == sessions[b];
        if (same != (sessions[to[a]] == sessions[to[b]]) || (same && to[a] > to[b])) return false;
      }
    }
    return true;
  }

  static Pattern renamed(const Pattern& pattern, const std::array<std::size_t, transactions>& to,
                         bool swap_keys) {
    Pattern result;
    for (std::size_t t = 0; t < transactions; ++t) {
      Actions actions = pattern[t];
      for (std::uint8_t& source : actions.source) {
        if (source >= 2) source = static_cast<std::uint8_t>(2 + to[source - std::size_t{2}]);
      }
      if (swap_keys) {
        std::swap(actions.writes[0], actions.writes[1]);
        std::swap(actions.source[0], actions.source[1]);
        if (actions.source[0] != 0 && actions.source[1] != 0) actions.second_first ^= 1;
      }
      result[to[t]] = actions;
    }
    return result;
  }

  static Structure structure_of_pattern(const Pattern& pattern, const Sessions& sessions) {
    Structure result = empty_structure(transactions, keys);
    for (std::size_t t = 0; t < transactions; ++t) {
      const Actions& actions = pattern[t];
      for (std::size_t s = t + 1; s < transactions; ++s) {
        if (sessions[t] == sessions[s]) result.so.add(t + 1, s + 1);
      }
      for (std::size_t key = 0; key < keys; ++key) {
        if (actions.writes[key]) result.writes.add(t + 1, key);
        if (actions.source[key] != 0) {
          result.wr[key].add(actions.source[key] - std::size_t{1}, t + 1);
        }
      }
      if (actions.source[0] != 0 && actions.source[1] != 0) {
        const std::size_t first = actions.second_first;
        result.seen_before[1 - first].add(actions.source[first] - std::size_t{1}, t + 1);
      }
    }
    return result;
  }
};

}  // namespace isoscope::spec
