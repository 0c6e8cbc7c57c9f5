#include "check/strong/proof/proof_writer.h"

#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

Event ProofWriter::event(std::uint32_t node) const {
  const Txn t = p_.transaction_of(node);
  ISOSCOPE_REQUIRE(!p_.is_time(node));
  return {number(t), node == p_.commit(t)};
}

ReadNumber ProofWriter::read_number(ReadId read) {
  const Read& its = p_.reads[read];
  return read_number({p_.ids[its.reader], its.operation}, its.key);
}

ReadNumber ProofWriter::read_number(const OperationRef& at, KeyId key) {
  ISOSCOPE_REQUIRE(at.operation < history_.operations(at.transaction).size());
  ReadNumber result = {number_of(at.transaction), at.operation + 1};
  if (!history_.operations(at.transaction)[at.operation].is_predicate()) return result;
  result.key = key_numbers_.number(key);
  return result;
}

std::uint32_t ProofWriter::add(ProofStep step) {
  steps_.push_back(std::move(step));
  return static_cast<std::uint32_t>(steps_.size());
}

/// For steps that are no path and no lemma.
std::uint32_t ProofWriter::add_once(const ProofStep& step) {
  const auto code = [](Event event) { return 2 * event.transaction + (event.is_commit ? 1 : 0); };
  std::array<std::uint32_t, 10> key = {static_cast<std::uint32_t>(step.kind),
                                       step.read.transaction,
                                       step.read.operation,
                                       step.read.key,
                                       step.read.elements,
                                       step.writer,
                                       step.other,
                                       step.third,
                                       0,
                                       0};
  if (step.events.size() == 2) {
    key[8] = code(step.events[0]);
    key[9] = code(step.events[1]);
  }
  const bool to_know = purpose_ == Purpose::to_know;
  Written& written = written_[key];
  if (written.number == 0 || (to_know && !written.to_know)) {
    written.number = add(step);
    written.to_know = to_know;
  }
  return written.number;
}

std::uint32_t ProofWriter::order(std::uint32_t from, std::uint32_t to) {
  ISOSCOPE_REQUIRE(from != to);
  return add_once({.kind = Kind::order, .events = {event(from), event(to)}});
}

std::uint32_t ProofWriter::from(ReadId read, Txn writer) {
  return add_once({.kind = Kind::from, .read = read_number(read), .writer = number(writer)});
}

std::uint32_t ProofWriter::between(ReadId read, Txn writer, Txn other) {
  ISOSCOPE_REQUIRE(writer != other);
  return add_once({.kind = Kind::between,
                   .read = read_number(read),
                   .writer = number(writer),
                   .other = number(other)});
}

std::uint32_t ProofWriter::conflict(Txn t, Txn s) {
  ISOSCOPE_REQUIRE(t != s);
  if (t > s) std::swap(t, s);
  return add_once({.kind = Kind::conflict, .writer = number(t), .other = number(s)});
}

std::uint32_t ProofWriter::list(const ListOrder& order) {
  ISOSCOPE_REQUIRE(order.earlier != order.later);
  return add_once({.kind = Kind::list,
                   .read = read_number(order.read),
                   .writer = number(order.earlier),
                   .other = number(order.later)});
}

std::uint32_t ProofWriter::left(ReadId read, Txn writer) {
  return add_once({.kind = Kind::left, .read = read_number(read), .writer = number(writer)});
}

std::uint32_t ProofWriter::rest(ReadNumber read, Txn writer) {
  return add_once({.kind = Kind::rest, .read = read, .writer = number(writer)});
}

std::uint32_t ProofWriter::next(ReadNumber read, Txn writer, Txn before) {
  return add_once(
      {.kind = Kind::next, .read = read, .writer = number(writer), .other = number(before)});
}

std::uint32_t ProofWriter::apart(ReadNumber read, Txn writer, Txn before, Txn other) {
  return add_once({.kind = Kind::apart,
                   .read = read,
                   .writer = number(writer),
                   .other = number(before),
                   .third = number(other)});
}

std::uint32_t ProofWriter::path(std::span<const std::uint32_t> nodes) {
  ISOSCOPE_REQUIRE(nodes.size() >= 2);
  ProofStep step{.kind = Kind::path};
  for (const std::uint32_t node : nodes) step.events.push_back(event(node));
  if (nodes.size() == 2) return add_once(step);
  return add(std::move(step));
}

ProofWriter::LaterBegin ProofWriter::later_begin(Txn earlier, Txn later) {
  ISOSCOPE_REQUIRE(p_.rules.writers_conflict);
  order(p_.begin(earlier), p_.commit(earlier));
  const std::uint32_t nodes[] = {p_.begin(earlier), p_.commit(earlier), p_.commit(later)};
  const std::uint32_t step = path(nodes);
  return {step, conflict(earlier, later)};
}

std::uint32_t ProofWriter::lemma(std::vector<ProofLiteral> literals,
                                 std::vector<std::uint32_t> hints) {
  ISOSCOPE_REQUIRE(
      std::ranges::all_of(hints, [&](std::uint32_t h) { return h > 0 && h <= steps_.size(); }));
  return add({.kind = Kind::lemma, .literals = std::move(literals), .hints = std::move(hints)});
}

}  // namespace isoscope::strong
