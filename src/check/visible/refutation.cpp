#include "check/visible/refutation.h"

#include <algorithm>

#include "check/weak/session_guarantees.h"
#include "isoscope/base/contract.h"
#include "isoscope/graph/shortest_cycle.h"

namespace isoscope::visible {

Refutation::Steps Refutation::take() {
  if (!facts_.could_show_all()) return std::nullopt;
  return facts_.writer().take();
}

Refutation::Steps Refutation::by_cycle(const Digraph& known) {
  const std::vector<std::uint32_t> nodes = shortest_cycle(known);
  ISOSCOPE_REQUIRE(!nodes.empty());
  std::vector<CycleEdge> edges;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    edges.push_back({.from = nodes[i], .to = nodes[(i + 1) % nodes.size()], .literal = {}});
  }
  write_cycle(edges, {});
  return take();
}

Refutation::Steps Refutation::by_repair(const Repair& repair) {
  choices_ = repair.choices();
  misfits_ = &repair.misfits();
  find_certain_orders(repair);
  for (const ProofEvent& event : repair.proof().trimmed()) {
    if (!facts_.could_show_all()) return std::nullopt;
    if (steps_.contains(event.id)) continue;
    std::uint32_t step = 0;
    switch (event.kind) {
      case ProofEvent::Kind::given:
        step = write_given(repair, event);
        break;
      case ProofEvent::Kind::cycle:
        step = write_cycle(event.edges, event.literals);
        break;
      case ProofEvent::Kind::learned: {
        std::vector<std::uint32_t> hints;
        for (const std::uint32_t id : event.antecedents) hints.push_back(steps_.at(id));
        step = facts_.writer().lemma(meaning(event.literals), std::move(hints));
        break;
      }
    }
    steps_[event.id] = step;
  }
  return take();
}

/// A clause of one statement about the order showed it for certain, and later clauses leave the
/// statement out (Repair).
void Refutation::find_certain_orders(const Repair& repair) {
  for (const auto& [id, misfit] : repair.misfits()) {
    const ProofEvent event = repair.proof().step(id - 1);
    const bool is_certain = misfit.source != 0 && event.literals.size() == 1;
    if (!is_certain) continue;
    const auto [known, is_new] = certain_orders_.try_emplace(pair(misfit.newer, misfit.source), id);
    if (!is_new) known->second = std::min(known->second, id);
  }
}

std::uint32_t Refutation::write_given(const Repair& repair, const ProofEvent& event) {
  if (const auto misfit = misfits_->find(event.id); misfit != misfits_->end()) {
    return write_misfit(event.id, misfit->second);
  }
  if (const auto read = repair.chosen_reads().find(event.id); read != repair.chosen_reads().end()) {
    return facts_.read(read->second);
  }
  // What was read from an uncertain transaction, or what such a one read, says that it committed.
  ISOSCOPE_REQUIRE(event.literals.size() == 2);
  const Choice& cause = choice(event.literals[0]);
  const Txn committed = choice(event.literals[1]).first;
  if (cause.kind == Choice::Kind::selection) return facts_.took(cause.read, committed);
  return facts_.member(cause.first, committed);
}

std::uint32_t Refutation::write_misfit(std::uint32_t id, const Misfit& misfit) {
  know_selection(misfit.read);
  const KeyId key = p_.read(misfit.read).key;
  if (misfit.source == 0) facts_.initial_first(event(0, key), event(misfit.newer, key));
  if (is_of_base(misfit)) {
    if (!nodes_.has_versions() && !misfit.follows) know_hop(id, misfit.way.front());
    return base(misfit);
  }
  for (const Hop& hop : misfit.way) know_hop(id, hop);
  return sees(misfit);
}

std::uint32_t Refutation::sees(const Misfit& misfit) {
  ProofStep step{.kind = ProofStep::Kind::sees,
                 .read = facts_.read_number(misfit.read),
                 .writer = facts_.number(misfit.source),
                 .other = facts_.number(misfit.newer)};
  if (misfit.follows) {
    // At other levels it is a list that cannot have the reader's own appends in it, for which there
    // is no step.
    if (!weak::guarantee_of(level_)->after_reads) return facts_.fail();
    step.kind = ProofStep::Kind::follows;
    return facts_.writer().add(std::move(step));
  }
  const bool is_earlier = misfit.way.back().kind == Hop::Kind::earlier;
  if (is_earlier && level_ == LevelId::update_serializable) {
    // A transaction that writes comes before those that overwrite what it read.
    step.kind = ProofStep::Kind::between;
    return facts_.writer().add(std::move(step));
  }
  for (const Hop& hop : misfit.way) step.hops.push_back(hop_of(hop));
  return facts_.writer().add(std::move(step));
}

/// Whether it is wrong that something is between what an update was applied to and its own version.
bool Refutation::is_of_base(const Misfit& misfit) const {
  const Read& read = p_.read(misfit.read);
  if (!read.base) return false;
  if (misfit.follows) return misfit.newer == read.reader;
  return misfit.way.size() == 1 && misfit.way.front().kind == Hop::Kind::overwrite;
}

std::uint32_t Refutation::base(const Misfit& misfit) {
  return facts_.writer().add({.kind = ProofStep::Kind::base,
                              .read = facts_.read_number(misfit.read),
                              .writer = facts_.number(misfit.source),
                              .other = facts_.number(misfit.newer)});
}

isoscope::Hop Refutation::hop_of(const Hop& hop) {
  const std::uint32_t to = facts_.number(hop.to);
  switch (hop.kind) {
    case Hop::Kind::session:
      return isoscope::Hop::session(to);
    case Hop::Kind::read:
      return isoscope::Hop::by_read(facts_.read_number(hop.read));
    case Hop::Kind::overwrite:
      return isoscope::Hop::overwrite(to);
    case Hop::Kind::antidependency:
      return isoscope::Hop::antidependency(to, facts_.read_number(hop.read),
                                           facts_.number(hop.version));
    case Hop::Kind::earlier:
      return isoscope::Hop::earlier(to);
  }
  return {};
}

void Refutation::know_selection(std::uint32_t read) {
  if (!p_.is_open(p_.read(read))) facts_.read(read);
}

void Refutation::know_hop(std::uint32_t id, const Hop& hop) {
  switch (hop.kind) {
    case Hop::Kind::session:
      return;
    case Hop::Kind::read:
      return know_selection(hop.read);
    case Hop::Kind::overwrite:
    case Hop::Kind::earlier:
      return know_order(id, hop.from, hop.to);
    case Hop::Kind::antidependency:
      know_selection(hop.read);
      if (hop.version == 0) {
        return facts_.initial_first(facts_.commit(0), facts_.commit(hop.to));
      }
      return know_order(id, hop.version, hop.to);
  }
}

/// If the clause, whose id is given, left the order out because an earlier one had shown it, that
/// one's step is written first.
void Refutation::know_order(std::uint32_t id, Txn earlier, Txn later) {
  const auto shown = certain_orders_.find(pair(earlier, later));
  if (shown == certain_orders_.end() || shown->second >= id) return;
  const std::uint32_t by = shown->second;
  if (!steps_.contains(by)) steps_[by] = write_misfit(by, misfits_->at(by));
}

/// Points in time are no events. They are left out, and the cycle starts elsewhere.
std::uint32_t Refutation::write_cycle(std::span<const CycleEdge> edges,
                                      std::span<const SatLiteral> literals) {
  if (nodes_.has_versions()) {
    const bool is_circle = edges.front().from < p_.size();
    return is_circle ? write_circle(edges) : write_cycle_of_versions(edges, literals);
  }
  const auto is_time = [&](std::uint32_t node) { return node >= p_.size(); };
  std::vector<CycleEdge> all(edges.begin(), edges.end());
  const auto start =
      std::ranges::find_if(all, [&](const CycleEdge& e) { return !is_time(e.from); });
  ISOSCOPE_ENSURE(start != all.end());
  std::ranges::rotate(all, start);
  std::vector<Event> path;
  std::vector<std::uint32_t> hints;
  bool are_literals = true;
  for (std::size_t i = 0; i < all.size();) {
    CycleEdge edge = all[i++];
    const bool by_time = is_time(edge.to);
    for (; is_time(edge.to); ++i) edge.to = all[i].to;
    path.push_back(facts_.commit(edge.from));
    bool has_begin = edge.literal && choice(*edge.literal).kind == Choice::Kind::selection;
    if (edge.literal) {
      are_literals &= !add_edge_hint(edge, hints);
    } else {
      facts_.known_before(edge.from, edge.to, by_time);
      has_begin = facts_.is_before_begin(edge.from, edge.to, by_time);
    }
    if (has_begin) facts_.add_begin(edge.to, path);
  }
  path.push_back(path.front());
  const std::uint32_t step = facts_.path(std::move(path));
  if (are_literals) return step;
  hints.push_back(step);
  return facts_.writer().lemma(meaning(literals), std::move(hints));
}

/// Sessions and reads lead in no circle, where writes follow reads.
std::uint32_t Refutation::write_circle(std::span<const CycleEdge> edges) {
  ProofStep step{.kind = ProofStep::Kind::circle, .writer = facts_.number(edges.front().from)};
  for (const CycleEdge& edge : edges) {
    if (!edge.literal && p_.in_session(edge.from, edge.to)) {
      step.hops.push_back(isoscope::Hop::session(facts_.number(edge.to)));
      continue;
    }
    const auto read =
        edge.literal ? choice(*edge.literal).read : facts_.known_read(edge.to, edge.from);
    know_selection(read);
    step.hops.push_back(isoscope::Hop::by_read(facts_.read_number(read)));
  }
  return facts_.writer().add(std::move(step));
}

std::uint32_t Refutation::write_cycle_of_versions(std::span<const CycleEdge> edges,
                                                  std::span<const SatLiteral> literals) {
  std::vector<Event> path;
  std::vector<std::uint32_t> hints;
  bool are_literals = true;
  const auto version = [&](std::uint32_t node) {
    return p_.writer_and_key(node - static_cast<std::uint32_t>(p_.size()));
  };
  for (const CycleEdge& edge : edges) {
    const auto [from, key] = version(edge.from);
    const Txn to = version(edge.to).first;
    path.push_back(facts_.version(from, key));
    if (edge.literal) {
      are_literals &= !add_edge_hint({from, to, edge.literal, edge.tag}, hints);
    } else {
      facts_.known_version_before(from, to, key);
    }
  }
  path.push_back(path.front());
  const std::uint32_t step = facts_.path(std::move(path));
  if (are_literals) return step;
  hints.push_back(step);
  return facts_.writer().lemma(meaning(literals), std::move(hints));
}

bool Refutation::add_edge_hint(const CycleEdge& edge, std::vector<std::uint32_t>& hints) {
  const Choice& its = choice(*edge.literal);
  switch (its.kind) {
    case Choice::Kind::order:
      return false;
    case Choice::Kind::selection:
      hints.push_back(facts_.from(its.read, its.first));
      return true;
    case Choice::Kind::committed:
      hints.push_back(facts_.list(its.first, edge.from, edge.to));
      return true;
  }
  return false;
}

std::vector<ProofLiteral> Refutation::meaning(std::span<const SatLiteral> literals) {
  std::vector<ProofLiteral> result;
  for (const SatLiteral literal : literals) {
    const Choice& its = choice(literal);
    ProofLiteral statement;
    switch (its.kind) {
      case Choice::Kind::order:
        statement = ProofLiteral::order(event(its.first, its.key), event(its.second, its.key));
        break;
      case Choice::Kind::selection:
        statement = ProofLiteral::selection(facts_.read_number(its.read), facts_.number(its.first));
        break;
      case Choice::Kind::committed:
        statement = ProofLiteral::committed(facts_.number(its.first));
        break;
    }
    result.push_back(literal.is_negative() ? !statement : statement);
  }
  return result;
}

}  // namespace isoscope::visible
