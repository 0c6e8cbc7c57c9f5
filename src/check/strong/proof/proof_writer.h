#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "check/strong/problem/order_problem.h"
#include "isoscope/certificate/bad_read.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope::strong {

/// Writes the steps of a refutation in the certificate's terms. Every method returns the number of
/// its step, from 1.
///
/// A step is written once for each purpose. The verifier looks at a clause only where it is
/// written. If all but one of its statements are known to be false there, the last one is known
/// from then on. So a clause that was written early, for a lemma to name, is written again when
/// more is known and the clause is to tell something.
class ProofWriter {
 public:
  enum class Purpose : std::uint8_t { to_know, to_name };

  ProofWriter(const History& history, const OrderProblem& problem)
      : history_(history), p_(problem), key_numbers_(history) {}

  /// Sets what steps are for from here on.
  void set_purpose(Purpose purpose) { purpose_ = purpose; }

  std::uint32_t number(Txn t) const { return t == 0 ? 0 : number_of(p_.ids[t]); }
  Event event(std::uint32_t node) const;
  ReadNumber read_number(ReadId read);
  /// The number of a read at a place. It names the key if a predicate operation read it.
  ReadNumber read_number(const OperationRef& at, KeyId key);

  std::uint32_t order(std::uint32_t from, std::uint32_t to);
  std::uint32_t read(ReadNumber read) { return add_once({.kind = Kind::read, .read = read}); }
  std::uint32_t inside(ReadNumber read) { return add_once({.kind = Kind::inside, .read = read}); }
  std::uint32_t from(ReadId read, Txn writer);
  std::uint32_t took(ReadNumber read, std::uint32_t writer) {
    return add_once({.kind = Kind::took, .read = read, .writer = writer});
  }
  std::uint32_t between(ReadId read, Txn writer, Txn other);
  std::uint32_t conflict(Txn t, Txn s);
  std::uint32_t list(const ListOrder& order);
  std::uint32_t member(ReadNumber read, std::uint32_t writer) {
    return add_once({.kind = Kind::member, .read = read, .writer = writer});
  }
  std::uint32_t left(ReadId read, Txn writer);
  // The following are about lists; `read` says how many elements.
  std::uint32_t rest(ReadNumber read, Txn writer);
  std::uint32_t next(ReadNumber read, Txn writer, Txn before);
  std::uint32_t apart(ReadNumber read, Txn writer, Txn before, Txn other);
  std::uint32_t path(std::span<const std::uint32_t> nodes);
  /// Where transactions can overlap, a writer of a key that commits before another writer commits
  /// does so before that one begins. This takes two steps, and a lemma needs both.
  struct LaterBegin {
    std::uint32_t path = 0;
    std::uint32_t conflict = 0;
  };
  LaterBegin later_begin(Txn earlier, Txn later);
  std::uint32_t lemma(std::vector<ProofLiteral> literals, std::vector<std::uint32_t> hints);
  /// Any other step.
  std::uint32_t add(ProofStep step);

  std::vector<ProofStep> take() { return std::move(steps_); }

 private:
  using Kind = ProofStep::Kind;

  std::uint32_t add_once(const ProofStep& step);

  const History& history_;
  const OrderProblem& p_;
  KeyNumbers key_numbers_;
  std::vector<ProofStep> steps_;
  struct Written {
    std::uint32_t number = 0;
    bool to_know = false;
  };
  std::map<std::array<std::uint32_t, 10>, Written> written_;
  Purpose purpose_ = Purpose::to_know;
};

}  // namespace isoscope::strong
