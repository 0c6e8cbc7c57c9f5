#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "isoscope/history/history_builder.h"
#include "verifier/certificates.h"

// What the tests of predicates have in common.

namespace isoscope::test {

constexpr const char* confirmed = "confirmed";
/// All steps are accepted.
constexpr const char* more = "the steps lead to no contradiction";

inline std::string steps(const History& history, const std::string& level,
                         const std::string& lines) {
  const auto count = std::ranges::count(lines, '\n');
  return answer(history, certificate_of(history, level,
                                        "violated\nsteps " + std::to_string(count) + "\n" + lines));
}
inline std::string steps(const std::string& litmus, const std::string& level,
                         const std::string& lines) {
  return steps(history_of(litmus), level, lines);
}
inline std::string step(const std::string& litmus, const std::string& line) {
  return steps(litmus, "SER", line + "\n");
}

inline std::string order(const History& history, const std::string& level,
                         const std::string& events) {
  const auto count = std::ranges::count(events, ' ') + 1;
  return answer(history, certificate_of(history, level,
                                        "holds\ncommitted\norder " + std::to_string(count) + "\n" +
                                            events + "\n"));
}
inline std::string order(const std::string& litmus, const std::string& level,
                         const std::string& events) {
  return order(history_of(litmus), level, events);
}

/// T1 writes x, T2 has a predicate; values of the pool are made by the functions.
template <class Write, class Look>
History two(const Write& write, const Look& look) {
  HistoryBuilder builder;
  const SessionId a = builder.add_session();
  builder.begin_transaction(a);
  write(builder);
  builder.begin_transaction(a);
  look(builder);
  return std::move(builder).finish();
}

inline void add_predicate(HistoryBuilder& builder, OperationKind kind, Predicate predicate,
                          std::vector<RowVersion> rows) {
  builder.add_predicate(kind, HistoryBuilder::default_table, builder.predicate(predicate), rows);
}

inline const Predicate is_one = {
    Predicate::Kind::equal, Predicate::value_operand, {Constant(std::int64_t{1})}, {}};

inline const std::string no_candidate =
    "step 1: the read cannot have returned what this transaction left";
inline const std::string nothing_known = "step 1: nothing is known of such a read";
inline const std::string silent = "step 1: the read says nothing about other transactions";
inline const std::string consistent = "step 1: the read does not contradict its transaction";

inline const std::string wrong_read = "something else was read than is there by this order";
inline const std::string selects_more = "by this order the predicate selects a row more";
inline const std::string not_selected = "the predicate does not select a row";

}  // namespace isoscope::test
