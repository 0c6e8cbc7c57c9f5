#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "isoscope/history/predicate.h"

/// The few predicates that the workloads ask with.
namespace isoscope::condition {

inline Predicate compare(Predicate::Kind kind, std::string operand, std::int64_t constant) {
  return {kind, std::move(operand), {Constant(constant)}, {}};
}
inline Predicate equal(std::string operand, std::int64_t constant) {
  return compare(Predicate::Kind::equal, std::move(operand), constant);
}
inline Predicate less(std::string operand, std::int64_t constant) {
  return compare(Predicate::Kind::less, std::move(operand), constant);
}
/// Both ends included.
inline Predicate between(std::string operand, std::int64_t first, std::int64_t last) {
  return {Predicate::Kind::between, std::move(operand), {Constant(first), Constant(last)}, {}};
}
inline Predicate both(Predicate left, Predicate right) {
  return {Predicate::Kind::conjunction, {}, {}, {std::move(left), std::move(right)}};
}

}  // namespace isoscope::condition
