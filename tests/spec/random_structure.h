#pragma once

#include <utility>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/spec/structure.h"

namespace isoscope::spec {

namespace random_parts {

/// Sessions in the order of numbers, times that agree with them, and writes.
inline void add_sessions_and_writes(Structure& result, Random& random) {
  const std::size_t count = result.transactions - 1;
  const std::size_t sessions = 1 + random.below(count + 1);
  std::vector<std::size_t> session(count + 1);
  std::vector<std::size_t> begin(count + 1);
  std::vector<std::size_t> end(count + 1);
  std::vector<std::size_t> latest(sessions, 0);
  for (std::size_t t = 1; t <= count; ++t) {
    session[t] = random.below(sessions);
    begin[t] = latest[session[t]] + 1 + random.below(3);
    end[t] = latest[session[t]] = begin[t] + random.below(4);
    for (std::size_t key = 0; key < result.keys; ++key) {
      if (random.chance(40)) result.writes.add(t, key);
    }
  }
  for (std::size_t t = 1; t <= count; ++t) {
    for (std::size_t s = 1; s <= count; ++s) {
      if (t < s && session[t] == session[s]) result.so.add(t, s);
      if (end[t] < begin[s]) result.rt.add(t, s);
    }
  }
}

/// Some keys are read, from the writers that `choose(key)` says, in a random order, and some twice.
template <class Choose>
void add_reads(Structure& result, Random& random, std::size_t reader, const Choose& choose) {
  std::vector<std::pair<std::size_t, std::size_t>> reads;  // key, writer
  for (std::size_t key = 0; key < result.keys; ++key) {
    if (!random.chance(60)) continue;
    const std::size_t writer = choose(key);
    result.wr[key].add(writer, reader);
    reads.insert(reads.begin() + static_cast<std::ptrdiff_t>(random.below(reads.size() + 1)),
                 {key, writer});
    if (random.chance(20)) reads.emplace_back(key, writer);
  }
  for (std::size_t later = 0; later < reads.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (reads[earlier].first != reads[later].first) {
        result.seen_before[reads[later].first].add(reads[earlier].second, reader);
      }
    }
  }
}

}  // namespace random_parts

/// A structure that some history has: sessions in the order of numbers, times that agree with them,
/// reads from anybody (so cycles too) in a random order, some of them twice.
inline Structure random_structure(Random& random, std::size_t count, std::size_t keys) {
  Structure result = empty_structure(count, keys);
  random_parts::add_sessions_and_writes(result, random);
  for (std::size_t s = 1; s <= count; ++s) {
    random_parts::add_reads(result, random, s, [&](std::size_t key) {
      std::size_t writer = 0;
      do {
        writer = random.below(count + 1);
      } while (writer == s || !result.writes.has(writer, key));
      return writer;
    });
  }
  return result;
}

/// The same, but made by a store that runs the transactions in the order of their numbers. Now and
/// then it shows a transaction an old state, or a key as it was in another state. So the strong
/// levels are common.
inline Structure random_run(Random& random, std::size_t count, std::size_t keys) {
  Structure result = empty_structure(count, keys);
  random_parts::add_sessions_and_writes(result, random);
  const bool apart = random.chance(50);
  std::vector<bool> reads(count + 1, true);
  for (std::size_t t = 1; apart && t <= count; ++t) {
    reads[t] = random.chance(50);
    if (reads[t]) result.writes.rows[t] = 0;
  }
  for (std::size_t s = 1; s <= count; ++s) {
    if (!reads[s]) continue;
    const auto any_state = [&] { return random.chance(50) ? s : 1 + random.below(s); };
    const std::size_t snapshot = any_state();
    const bool one_snapshot = random.chance(60);
    random_parts::add_reads(result, random, s, [&](std::size_t key) {
      std::size_t writer = (one_snapshot ? snapshot : any_state()) - 1;
      while (!result.writes.has(writer, key)) --writer;
      return writer;
    });
  }
  return result;
}

}  // namespace isoscope::spec
