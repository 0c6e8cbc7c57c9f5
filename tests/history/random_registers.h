#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::test {

struct RegisterFeatures {
  bool empty_ones = false;    ///< sessions without transactions, transactions without operations
  bool string_names = false;  ///< of sessions and transactions
  bool adjacent_aborts = true;
};

/// A random history that dbcop's bincode and Plume's text can hold: reads and writes of integers,
/// committed and aborted, every key 0 at first. The same seed and features always make the same
/// history.
inline History random_registers(std::uint64_t seed, const RegisterFeatures& features) {
  Random random(seed);
  HistoryBuilder builder;
  builder.set_initial_default(builder.values().integer(0));
  const auto integer = [&]() -> std::int64_t {
    if (random.chance(5)) return -1 - static_cast<std::int64_t>(random.below(3));
    return static_cast<std::int64_t>(random.chance(10) ? random.below(1'000'000'000'000)
                                                       : random.below(5));
  };
  const auto name = [&](std::uint64_t number) {
    return features.string_names ? builder.values().string("n" + std::to_string(number))
                                 : builder.values().integer(static_cast<std::int64_t>(number));
  };
  const std::uint64_t first_session = random.below(3);
  struct Session {
    SessionId id;
    bool used = false;
    bool ends_aborted = false;
  };
  std::vector<Session> sessions;
  for (std::uint64_t s = 0, count = 1 + random.below(4); s < count; ++s) {
    sessions.push_back({builder.session(name(first_session + s))});
  }
  std::uint64_t next_transaction = random.below(3);
  const auto transaction = [&](Session& session) {
    builder.begin_transaction(session.id, name(next_transaction++));
    const bool may_abort = features.adjacent_aborts || !session.ends_aborted;
    session.used = true;
    session.ends_aborted = may_abort && random.chance(20);
    if (session.ends_aborted) builder.set_outcome(Outcome::aborted);
    const std::uint64_t least = features.empty_ones ? 0 : 1;
    for (std::uint64_t i = 0, count = least + random.below(5); i < count; ++i) {
      builder.add(random.chance(50) ? OperationKind::write : OperationKind::read,
                  builder.key(integer()), builder.values().integer(integer()));
    }
  };
  for (std::uint64_t t = 0, count = random.below(12); t < count; ++t) {
    transaction(sessions[random.below(sessions.size())]);
  }
  for (Session& session : sessions) {
    if (!session.used && !features.empty_ones) transaction(session);
  }
  return std::move(builder).finish();
}

}  // namespace isoscope::test
