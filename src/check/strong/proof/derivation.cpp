#include "check/strong/proof/derivation.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

/// Goes depth first without recursion, because chains of reasons can be long.
void Derivation::prove(const Item& wanted) {
  struct Frame {
    Item item;
    Plan plan;
    std::size_t next = 0;
  };
  std::vector<Frame> stack;
  const auto enter = [&](const Item& item) {
    if (written_.try_emplace(item, false).second) stack.push_back({item, plan(item)});
  };
  enter(wanted);
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next < top.plan.needs.size()) {
      const Item need = top.plan.needs[top.next++];
      enter(need);
      continue;
    }
    const Frame done = std::move(stack.back());
    stack.pop_back();
    write(done.item, done.plan);
    written_[done.item] = true;
  }
}

Derivation::Plan Derivation::plan(const Item& item) {
  switch (item.kind) {
    case Item::Kind::edge:
      return plan_edge(item.index);
    case Item::Kind::source:
      return plan_source(ReadId(item.index));
    case Item::Kind::commit:
      return plan_commit(item.index);
  }
  return {};
}

Path Derivation::search(std::uint32_t from, std::uint32_t to, std::uint32_t edges) {
  const auto found = paths_.find(from, to, edges);
  ISOSCOPE_REQUIRE(found.has_value());  // or saturation would not have said so
  return paths_.folded(*found);
}

void Derivation::need_path(Plan& plan, const Path& path) const {
  for (const Hop& hop : path) {
    if (hop.kind == Hop::Kind::edge) plan.needs.push_back({Item::Kind::edge, hop.edge});
  }
}

void Derivation::need_reader(Plan& plan, Txn reader) const {
  if (history_.outcome(p_.ids[reader]) == Outcome::indeterminate && p_.open[reader] == 0) {
    plan.needs.push_back({Item::Kind::commit, reader});
  }
}

Derivation::Plan Derivation::plan_edge(std::uint32_t index) {
  ISOSCOPE_REQUIRE(index < known_.size());
  const KnownGraph::Edge& edge = known_.edge(index);
  Plan plan;
  switch (edge.rule()) {
    case Why::wr:
      plan.needs.push_back(source_of(edge.read()));
      break;
    case Why::ww:
      plan.needs.push_back(source_of(edge.read()));
      plan.path = search(edge.from, p_.begin(p_.reads[edge.read()].reader), index);
      break;
    case Why::rw: {
      plan.needs.push_back(source_of(edge.read()));
      const Txn source = p_.versions[p_.reads[edge.read()].source].writer;
      const std::uint32_t held = p_.held_from(p_.transaction_of(edge.to));
      // Saturation knew that the source comes before the writer holds the key; the writer's commit
      // need not have heard of that yet.
      plan.path = search(p_.commit(source), held, index);
      if (held != edge.to) plan.path.push_back({held, edge.to, Hop::Kind::inside, none});
      break;
    }
    case Why::conflict:
      plan.path = search(p_.begin(p_.transaction_of(edge.from)),
                         p_.commit(p_.transaction_of(edge.to)), index);
      break;
    case Why::list:
      need_reader(plan, p_.reads[edge.read()].reader);
      break;
    case Why::time:
    case Why::session:
      break;
    case Why::assumed:
      ISOSCOPE_REQUIRE(false);  // there are no refutations then
  }
  need_path(plan, plan.path);
  return plan;
}

Derivation::Plan Derivation::plan_source(ReadId r) {
  const Read& read = p_.reads[r];
  Plan plan;
  need_reader(plan, read.reader);
  if (read.has_candidate_set == 0) return plan;
  const CandidateSet& set = p_.set_of(read);
  const auto all = p_.all_candidates_of(read);
  const std::uint32_t edges = set.resolved_after == none ? known_.size() : set.resolved_after;
  ISOSCOPE_ENSURE(set.left <= all.size() && edges <= known_.size());
  for (std::size_t i = set.left; i < all.size(); ++i) {
    plan.dropped.push_back(why_dropped(read, p_.versions[all[i]].writer, edges));
    need_path(plan, plan.dropped.back().first);
    need_path(plan, plan.dropped.back().second);
  }
  return plan;
}

Derivation::Dropped Derivation::why_dropped(const Read& read, Txn candidate, std::uint32_t edges) {
  const std::uint32_t begin = p_.begin(read.reader);
  const std::uint32_t commit = p_.commit(candidate);
  if (candidate != 0 && paths_.may_reach(begin, commit)) {
    if (const auto path = paths_.find(begin, commit, edges)) {
      return {candidate, none, paths_.folded(*path), {}};
    }
  }
  // Saturation has looked at the latest ones before the reader.
  const auto versions = p_.versions_of(read.key);
  for (auto version = versions.rbegin(); version != versions.rend(); ++version) {
    const Txn other = p_.versions[*version].writer;
    if (other == candidate || other == read.reader) continue;
    if (!paths_.may_reach(p_.commit(other), begin)) continue;
    if (candidate != 0 && !paths_.may_reach(commit, p_.commit(other))) continue;
    const auto after = paths_.find(p_.commit(other), begin, edges);
    if (!after) continue;
    const auto before = paths_.find(commit, p_.commit(other), edges);
    if (before) return {candidate, other, paths_.folded(*before), paths_.folded(*after)};
  }
  ISOSCOPE_REQUIRE(false);  // saturation dropped it for a reason
  return {};
}

Derivation::Plan Derivation::plan_commit(Txn t) {
  ISOSCOPE_REQUIRE(p_.commit_reasons.contains(t));
  const OrderProblem::CommitReason& reason = p_.commit_reasons.at(t);
  Plan plan;
  if (reason.by_list) {
    need_reader(plan, p_.reads[reason.read].reader);
  } else {
    plan.needs.push_back(source_of(reason.read));
  }
  return plan;
}

void Derivation::write(const Item& item, const Plan& plan) {
  switch (item.kind) {
    case Item::Kind::edge:
      write_edge(known_.edge(item.index), plan);
      break;
    case Item::Kind::source:
      write_source(ReadId(item.index), plan);
      break;
    case Item::Kind::commit: {
      const OrderProblem::CommitReason& reason = p_.commit_reasons.at(item.index);
      const ReadNumber read = writer_.read_number(reason.read);
      const std::uint32_t number = writer_.number(item.index);
      if (reason.by_list) {
        writer_.member(read, number);
      } else {
        writer_.took(read, number);
      }
      break;
    }
  }
}

void Derivation::write_edge(const KnownGraph::Edge& edge, const Plan& plan) {
  const Txn from = p_.transaction_of(edge.from);
  const Txn to = p_.transaction_of(edge.to);
  write_path(plan.path);
  switch (edge.rule()) {
    case Why::wr:
      writer_.from(edge.read(), from);
      break;
    case Why::ww:
      if (to == 0) writer_.order(p_.commit(0), edge.from);
      writer_.between(edge.read(), to, from);
      if (to != 0 && p_.rules.writers_conflict) writer_.later_begin(from, to);
      break;
    case Why::rw:
      writer_.between(edge.read(), p_.versions[p_.reads[edge.read()].source].writer, to);
      break;
    case Why::conflict:
      writer_.conflict(from, to);
      break;
    case Why::list:
      writer_.list({from, to, edge.read()});
      if (p_.rules.writers_conflict) writer_.later_begin(from, to);
      break;
    case Why::session:
      writer_.order(edge.from, edge.to);
      break;
    case Why::assumed:
    case Why::time:
      break;  // a hop through points in time is written as a whole
  }
}

void Derivation::write_source(ReadId r, const Plan& plan) {
  const Read& read = p_.reads[r];
  ruled_out_.exclude(writer_, {p_.ids[read.reader], read.operation}, read.key);
  for (const Dropped& dropped : plan.dropped) {
    write_path(dropped.first);
    if (dropped.between == none) {
      writer_.from(r, dropped.candidate);
    } else {
      write_path(dropped.second);
      writer_.between(r, dropped.candidate, dropped.between);
    }
  }
  writer_.read(writer_.read_number(r));
}

/// Writes each hop, and then that the first event comes before the last.
void Derivation::write_path(const Path& path) {
  std::vector<std::uint32_t> nodes;
  for (const Hop& hop : path) {
    ISOSCOPE_REQUIRE(nodes.empty() || nodes.back() == hop.from);  // or it would be no path
    if (hop.kind != Hop::Kind::edge) writer_.order(hop.from, hop.to);
    if (nodes.empty()) nodes.push_back(hop.from);
    nodes.push_back(hop.to);
  }
  if (nodes.size() > 2) writer_.path(nodes);
}

void Derivation::refute(const Contradiction& contradiction) {
  if (contradiction.read != none) {
    prove(source_of(contradiction.read));
    return;
  }
  ISOSCOPE_REQUIRE(contradiction.from != none && contradiction.to != none);
  const std::optional<Hop> first = paths_.hop(contradiction.from, contradiction.to);
  ISOSCOPE_REQUIRE(first.has_value());
  Path cycle = {*first};
  if (p_.transaction_of(contradiction.to) != 0 || p_.is_time(contradiction.to)) {
    const auto back = paths_.find(contradiction.to, contradiction.from, known_.size());
    ISOSCOPE_REQUIRE(back.has_value());
    cycle.insert(cycle.end(), back->begin(), back->end());
  }
  write_cycle(std::move(cycle));
}

void Derivation::refute_cycle(const std::vector<std::uint32_t>& nodes) {
  ISOSCOPE_REQUIRE(!nodes.empty());
  Path cycle;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::optional<Hop> hop = paths_.hop(nodes[i], nodes[(i + 1) % nodes.size()]);
    ISOSCOPE_REQUIRE(hop.has_value());
    cycle.push_back(*hop);
  }
  write_cycle(std::move(cycle));
}

void Derivation::write_cycle(Path cycle) {
  // To be folded, the cycle must start with an event, and not within a session.
  const auto start = std::ranges::find_if(
      cycle, [&](const Hop& hop) { return hop.kind == Hop::Kind::edge && !p_.is_time(hop.from); });
  ISOSCOPE_REQUIRE(start != cycle.end());  // sessions and times alone have no cycle
  std::ranges::rotate(cycle, start);
  cycle = paths_.folded(cycle);
  Plan plan;
  need_path(plan, cycle);
  for (const Item& need : plan.needs) prove(need);
  write_path(cycle);
}

void Derivation::prove_known(std::uint32_t from, std::uint32_t to) {
  const std::optional<Hop> hop = paths_.hop(from, to);
  if (hop && hop->kind == Hop::Kind::edge) {
    prove({Item::Kind::edge, hop->edge});
  } else {
    writer_.order(from, to);
  }
}

void Derivation::prove_way(std::uint32_t from, std::uint32_t to) {
  const Path path = search(from, to, known_.size());
  Plan plan;
  need_path(plan, path);
  for (const Item& need : plan.needs) prove(need);
  write_path(path);
}

void Derivation::exclude(ReadId r, std::uint32_t elements) {
  const Read& read = p_.reads[r];
  ruled_out_.exclude(writer_, {p_.ids[read.reader], read.operation}, read.key, elements);
}

std::uint32_t Derivation::prove_read(ReadId read) {
  prove(source_of(read));
  return writer_.read(writer_.read_number(read));
}

}  // namespace isoscope::strong
