#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "check/strong/problem.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope::strong {

/// Writes the steps of a refutation in the certificate's terms, each once. Every method returns the
/// number of its step, from 1.
class ProofWriter {
 public:
  explicit ProofWriter(const Problem& problem) : p_(problem) {}

  std::uint32_t number(Txn t) const { return t == 0 ? 0 : number_of(p_.ids[t]); }
  Event event(std::uint32_t node) const;
  ReadNumber read_number(std::uint32_t read) const;

  std::uint32_t order(std::uint32_t from, std::uint32_t to);
  std::uint32_t read(ReadNumber read) { return add_once({.kind = Kind::read, .read = read}); }
  std::uint32_t inside(ReadNumber read) { return add_once({.kind = Kind::inside, .read = read}); }
  std::uint32_t from(std::uint32_t read, Txn writer);
  std::uint32_t took(ReadNumber read, std::uint32_t writer) {
    return add_once({.kind = Kind::took, .read = read, .writer = writer});
  }
  std::uint32_t between(std::uint32_t read, Txn writer, Txn other);
  std::uint32_t conflict(Txn t, Txn s);
  std::uint32_t list(const ListOrder& order);
  std::uint32_t member(ReadNumber read, std::uint32_t writer) {
    return add_once({.kind = Kind::member, .read = read, .writer = writer});
  }
  std::uint32_t path(std::span<const std::uint32_t> nodes);
  std::uint32_t lemma(std::vector<ProofLiteral> literals, std::vector<std::uint32_t> hints);

  std::vector<ProofStep> take() { return std::move(steps_); }

 private:
  using Kind = ProofStep::Kind;

  std::uint32_t add(ProofStep step);
  std::uint32_t add_once(const ProofStep& step);

  const Problem& p_;
  std::vector<ProofStep> steps_;
  std::map<std::array<std::uint32_t, 7>, std::uint32_t> written_;
};

}  // namespace isoscope::strong
