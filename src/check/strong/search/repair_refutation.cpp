#include "check/strong/search/repair_refutation.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

ProofLiteral RepairRefutation::meaning(SatLiteral literal) const {
  const Choice& c = choice(literal);
  ProofLiteral positive;
  switch (c.kind) {
    case Choice::Kind::order:
      positive = ProofLiteral::order(writer_.event(p_.commit(writer_of(c.version))),
                                     writer_.event(p_.held_from(writer_of(c.other))));
      break;
    case Choice::Kind::selection:
      positive = ProofLiteral::selection(writer_.read_number(c.read),
                                         writer_.number(writer_of(c.version)));
      break;
    case Choice::Kind::before:
      positive = ProofLiteral::order(writer_.event(p_.begin(p_.reads[c.read].reader)),
                                     writer_.event(p_.commit(writer_of(c.version))));
      break;
    case Choice::Kind::committed:
      positive = ProofLiteral::committed(writer_.number(c.txn));
      break;
    case Choice::Kind::state:
      positive = ProofLiteral::selection(part_of(c), writer_.number(writer_of(c.version)));
      break;
  }
  return literal.is_negative() ? !positive : positive;
}

std::vector<ProofLiteral> RepairRefutation::meaning(std::span<const SatLiteral> literals) const {
  std::vector<ProofLiteral> result;
  for (const SatLiteral literal : literals) result.push_back(meaning(literal));
  return result;
}

ReadNumber RepairRefutation::part_of(const Choice& state) const {
  ReadNumber read = writer_.read_number(state.read);
  read.elements = state.elements;
  return read;
}

void RepairRefutation::know(std::uint32_t from, std::uint32_t to) {
  writer_.set_purpose(ProofWriter::Purpose::to_know);
  derivation_.prove_known(from, to);
  writer_.set_purpose(ProofWriter::Purpose::to_name);
}

void RepairRefutation::know_way(std::uint32_t from, std::uint32_t to) {
  writer_.set_purpose(ProofWriter::Purpose::to_know);
  derivation_.prove_way(from, to);
  writer_.set_purpose(ProofWriter::Purpose::to_name);
}

std::uint32_t RepairRefutation::know_read(ReadId read) {
  writer_.set_purpose(ProofWriter::Purpose::to_know);
  const std::uint32_t step = derivation_.prove_read(read);
  writer_.set_purpose(ProofWriter::Purpose::to_name);
  return step;
}

void RepairRefutation::write() {
  writer_.set_purpose(ProofWriter::Purpose::to_name);
  for (const ProofEvent& event : repair_.proof().trimmed()) {
    std::uint32_t step = 0;
    switch (event.kind) {
      case ProofEvent::Kind::given:
        step = write_given(event);
        break;
      case ProofEvent::Kind::cycle:
        step = write_cycle(event);
        break;
      case ProofEvent::Kind::learned: {
        std::vector<std::uint32_t> hints;
        for (const std::uint32_t id : event.antecedents) hints.push_back(steps_.at(id));
        step = writer_.lemma(meaning(event.literals), std::move(hints));
        break;
      }
    }
    steps_[event.id] = step;
  }
}

/// Repair gives five kinds of clauses, further kinds about lists, and cycles where it is told to.
std::uint32_t RepairRefutation::write_given(const ProofEvent& event) {
  const std::span<const SatLiteral> literals = event.literals;
  ISOSCOPE_REQUIRE(!literals.empty());
  const auto cycle = repair_.given_cycles().find(event.id);
  if (cycle != repair_.given_cycles().end()) return write_given_cycle(literals, cycle->second);
  const auto known = repair_.known_lists().find(event.id);
  if (known != repair_.known_lists().end()) return write_known_list(known->second);
  const Choice& first = choice(literals[0]);
  switch (first.kind) {
    case Choice::Kind::order:  // the initial version is the first
      return writer_.order(p_.commit(0), p_.held_from(writer_of(first.other)));
    case Choice::Kind::committed: {  // so the one in its list did
      const Txn reader = first.txn;
      if (literals.size() == 1) return write_unexplained(reader);
      const Txn member = choice(literals[1]).txn;
      for (const OrderProblem::Member& entry : p_.members) {
        if (entry.writer != member || p_.reads[entry.read].reader != reader) continue;
        return writer_.member(writer_.read_number(entry.read), writer_.number(member));
      }
      ISOSCOPE_REQUIRE(false);
      return 0;
    }
    case Choice::Kind::state:
      return write_state(literals);
    case Choice::Kind::selection:
      break;
    case Choice::Kind::before:
      ISOSCOPE_REQUIRE(false);
      return 0;
  }
  if (!literals[0].is_negative()) return know_read(first.read);
  if (choice(literals[1]).kind == Choice::Kind::committed) {
    return writer_.took(writer_.read_number(first.read), writer_.number(choice(literals[1]).txn));
  }
  if (choice(literals[1]).kind == Choice::Kind::state) {
    return writer_.left(first.read, writer_of(first.version));
  }
  return write_between(literals);
}

/// A transaction that has a read without candidates did not commit.
std::uint32_t RepairRefutation::write_unexplained(Txn reader) {
  const auto read = std::ranges::find_if(p_.reads, [&](const Read& one) {
    return one.reader == reader && p_.candidates_of(one).empty();
  });
  ISOSCOPE_REQUIRE(read != p_.reads.end());
  return know_read(ReadId(static_cast<std::size_t>(read - p_.reads.begin())));
}

/// The read's source is known, and so is what that source left.
std::uint32_t RepairRefutation::write_known_list(ReadId read) {
  ISOSCOPE_REQUIRE(p_.reads[read].source != none);
  know_read(read);
  writer_.set_purpose(ProofWriter::Purpose::to_know);
  const std::uint32_t step = writer_.left(read, writer_of(p_.reads[read].source));
  writer_.set_purpose(ProofWriter::Purpose::to_name);
  return step;
}

/// Writes the other clauses that repair_lists.cpp gives.
std::uint32_t RepairRefutation::write_state(std::span<const SatLiteral> literals) {
  const Choice& state = choice(literals[0]);
  const Txn writer = writer_of(state.version);
  if (literals.size() == 1 || !literals[1].is_negative()) {
    if (literals.size() == 2 && choice(literals[1]).kind == Choice::Kind::committed) {
      return writer_.took(part_of(state), writer_.number(writer));
    }
    writer_.set_purpose(ProofWriter::Purpose::to_know);
    derivation_.exclude(state.read, state.elements - repair_.appends(state.version));
    writer_.set_purpose(ProofWriter::Purpose::to_name);
    return writer_.rest(part_of(state), writer);
  }
  const bool is_next = choice(literals[1]).kind == Choice::Kind::state && literals.size() == 3 &&
                       writer_of(choice(literals[1]).version) != 0;
  return is_next ? write_next(literals) : write_apart(literals);
}

/// The clause says: not both states are true, or the one before committed before the later one
/// began.
std::uint32_t RepairRefutation::write_next(std::span<const SatLiteral> literals) {
  ISOSCOPE_REQUIRE(literals.size() == 3);
  const Choice& state = choice(literals[0]);
  const Txn writer = writer_of(state.version);
  const Txn before = writer_of(choice(literals[1]).version);
  const std::uint32_t next = writer_.next(part_of(state), writer, before);
  if (!p_.rules.writers_conflict || !literals[2].is_negative()) return next;
  // The solver's statement is that the one before began before the later one committed.
  writer_.order(p_.begin(before), p_.commit(before));
  writer_.order(p_.begin(writer), p_.commit(writer));
  const std::uint32_t nodes[] = {p_.begin(before), p_.commit(before), p_.begin(writer),
                                 p_.commit(writer)};
  return writer_.lemma(meaning(literals), {next, writer_.path(nodes)});
}

/// The clause says: not both states are true, or the other writer is after the later one, or
/// (unless the one before is the initial state) before the earlier one.
std::uint32_t RepairRefutation::write_apart(std::span<const SatLiteral> literals) {
  ISOSCOPE_REQUIRE(literals.size() >= 3);
  const Choice& state = choice(literals[0]);
  const Txn writer = writer_of(state.version);
  const Txn before = writer_of(choice(literals[1]).version);
  const Choice& order = choice(literals[2]);
  const Txn other = writer_of(order.version == state.version ? order.other : order.version);
  if (before == 0) writer_.order(p_.commit(0), p_.commit(other));
  const std::uint32_t apart = writer_.apart(part_of(state), writer, before, other);
  if (!p_.rules.writers_conflict) return apart;
  // The solver's statements are that one commits before the other begins.
  std::vector<std::uint32_t> hints;
  if (!literals[2].is_negative()) hints.push_back(writer_.conflict(writer, other));
  if (before != 0) {
    if (!literals[3].is_negative()) hints.push_back(writer_.conflict(other, before));
    hints.push_back(commits_before(before, other));
  }
  hints.push_back(apart);
  return writer_.lemma(meaning(literals), std::move(hints));
}

/// The clause says: the candidate is not selected, or the reader is before the other writer, or
/// (unless the candidate is the initial version) the other writer is before the candidate.
std::uint32_t RepairRefutation::write_between(std::span<const SatLiteral> literals) {
  ISOSCOPE_REQUIRE(literals.size() >= 2);
  const Choice& selection = choice(literals[0]);
  const Txn candidate = writer_of(selection.version);
  const Txn other = writer_of(choice(literals[1]).version);
  if (candidate == 0) writer_.order(p_.commit(0), p_.commit(other));
  const std::uint32_t between = writer_.between(selection.read, candidate, other);
  if (!p_.rules.writers_conflict || candidate == 0) return between;
  // The solver's statement is that the other one commits before the candidate begins.
  std::vector<std::uint32_t> hints;
  if (!literals[2].is_negative()) hints.push_back(writer_.conflict(other, candidate));
  hints.push_back(commits_before(candidate, other));
  hints.push_back(between);
  return writer_.lemma(meaning(literals), std::move(hints));
}

std::uint32_t RepairRefutation::commits_before(Txn earlier, Txn later) {
  writer_.order(p_.begin(later), p_.commit(later));
  const std::uint32_t nodes[] = {p_.commit(earlier), p_.begin(later), p_.commit(later)};
  return writer_.path(nodes);
}

std::uint32_t RepairRefutation::write_cycle(const ProofEvent& event) {
  std::vector<std::uint32_t> hints;
  bool edges_are_literals = true;
  std::vector<std::uint32_t> nodes;
  // Points in time are no events: start elsewhere, and leave them out.
  std::vector<CycleEdge> edges(event.edges.begin(), event.edges.end());
  const auto start =
      std::ranges::find_if(edges, [&](const CycleEdge& edge) { return edge.literal.has_value(); });
  ISOSCOPE_ENSURE(start != edges.end());
  std::ranges::rotate(edges, start);
  std::vector<CycleEdge> folded;
  for (const CycleEdge& edge : edges) {
    if (p_.is_time(edge.from)) {
      folded.back().to = edge.to;
    } else {
      folded.push_back(edge);
    }
    if (edge.literal && add_edge_hints(edge, hints)) edges_are_literals = false;
  }
  for (std::size_t i = 0; i < folded.size(); ++i) {
    const CycleEdge& edge = folded[i];
    nodes.push_back(edge.from);
    if (!edge.literal) know(edge.from, edge.to);
  }
  nodes.push_back(nodes.front());
  const std::uint32_t path = writer_.path(nodes);
  if (edges_are_literals) return path;
  hints.push_back(path);
  return writer_.lemma(meaning(event.literals), std::move(hints));
}

std::uint32_t RepairRefutation::write_given_cycle(std::span<const SatLiteral> literals,
                                                  std::span<const CycleEdge> edges) {
  ISOSCOPE_REQUIRE(edges.size() >= 2);
  std::vector<std::uint32_t> hints;
  std::vector<std::uint32_t> nodes;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const CycleEdge& edge = edges[i];
    const CycleEdge& next = edges[(i + 1) % edges.size()];
    add_edge_hints(edge, hints);
    nodes.push_back(edge.from);
    if (edge.to == next.from) continue;
    know_way(edge.to, next.from);
    nodes.push_back(edge.to);
  }
  nodes.push_back(nodes.front());
  hints.push_back(writer_.path(nodes));
  return writer_.lemma(meaning(literals), std::move(hints));
}

bool RepairRefutation::add_edge_hints(const CycleEdge& edge, std::vector<std::uint32_t>& hints) {
  const Choice& c = choice(*edge.literal);
  switch (c.kind) {
    case Choice::Kind::selection:
      hints.push_back(writer_.from(c.read, writer_of(c.version)));
      return true;
    case Choice::Kind::before:
    case Choice::Kind::state:
      return false;
    case Choice::Kind::order:
      return add_order_hints(edge, hints);
    case Choice::Kind::committed: {
      ISOSCOPE_ENSURE(edge.tag < p_.list_orders.size());
      const ListOrder& order = p_.list_orders[edge.tag];
      hints.push_back(writer_.list(order));
      if (!p_.rules.writers_conflict) return true;
      const ProofWriter::LaterBegin steps = writer_.later_begin(order.earlier, order.later);
      hints.insert(hints.end(), {steps.path, steps.conflict});
      return true;
    }
  }
  return false;
}

bool RepairRefutation::add_order_hints(const CycleEdge& edge, std::vector<std::uint32_t>& hints) {
  const Choice& c = choice(*edge.literal);
  const bool negative = edge.literal->is_negative();
  const Txn earlier = writer_of(negative ? c.other : c.version);
  const Txn later = writer_of(negative ? c.version : c.other);
  const bool overlap = p_.rules.writers_conflict;
  const std::size_t before = hints.size();
  if (negative && overlap) hints.push_back(writer_.conflict(earlier, later));
  if (edge.tag == 0) return hints.size() > before;  // from the earlier one to the later one
  if (earlier == 0) {
    writer_.order(p_.commit(0), p_.commit(later));
  } else if (overlap) {
    hints.push_back(commits_before(earlier, later));
  }
  const ReadId read(edge.tag - 1);
  know_read(read);
  hints.push_back(writer_.between(read, earlier, later));
  return true;
}

}  // namespace isoscope::strong
