#include "check/strong/search/beginnings.h"
#include "isoscope/base/contract.h"

// The refutation of a beginning in the certificate's terms. Every statement of the solver is one of
// the certificate, and every clause is a step, but for that of a read: that a candidate after the
// beginning makes the reader come after it, too, takes some steps.

namespace isoscope::strong {

ProofLiteral Beginnings::meaning(SatLiteral literal, ProofWriter& writer) const {
  const Statement& statement = round_->statements[literal.variable()];
  const ProofLiteral positive =
      statement.is_order
          ? ProofLiteral::order(writer.event(statement.first), writer.event(statement.second))
          : ProofLiteral::selection(writer.read_number(statement.read),
                                    writer.number(p_.versions[statement.version].writer));
  return literal.is_negative() ? !positive : positive;
}

std::vector<ProofLiteral> Beginnings::meaning(std::span<const SatLiteral> literals,
                                              ProofWriter& writer) const {
  std::vector<ProofLiteral> result;
  for (const SatLiteral literal : literals) result.push_back(meaning(literal, writer));
  return result;
}

void Beginnings::refute(Derivation& derivation, ProofWriter& writer) const {
  ISOSCOPE_REQUIRE(round_ != nullptr);
  std::unordered_map<std::uint32_t, std::uint32_t> steps;  // by the solver's id
  writer.set_purpose(ProofWriter::Purpose::to_name);
  for (const ProofEvent& event : round_->proof.trimmed()) {
    std::uint32_t step = 0;
    switch (event.kind) {
      case ProofEvent::Kind::given:
        step = write_given(event, derivation, writer);
        break;
      case ProofEvent::Kind::cycle:
        step = write_cycle(event, derivation, writer);
        break;
      case ProofEvent::Kind::learned: {
        std::vector<std::uint32_t> hints;
        for (const std::uint32_t id : event.antecedents) hints.push_back(steps.at(id));
        step = writer.lemma(meaning(event.literals, writer), std::move(hints));
        break;
      }
    }
    steps[event.id] = step;
  }
}

std::uint32_t Beginnings::write_given(const ProofEvent& event, Derivation& derivation,
                                      ProofWriter& writer) const {
  ISOSCOPE_REQUIRE(round_->givens.contains(event.id));
  const Given& given = round_->givens.at(event.id);
  switch (given.kind) {
    case Given::Kind::read:
      return write_read(event, given.read, derivation, writer);
    case Given::Kind::from:
      return writer.from(given.read, given.writer);
    case Given::Kind::between:
      if (given.writer == 0) writer.order(p_.commit(0), p_.commit(given.other));
      return writer.between(given.read, given.writer, given.other);
    case Given::Kind::conflict:
      break;
  }
  return writer.conflict(given.writer, given.other);
}

std::uint32_t Beginnings::write_read(const ProofEvent& event, ReadId read, Derivation& derivation,
                                     ProofWriter& writer) const {
  writer.set_purpose(ProofWriter::Purpose::to_know);
  const std::uint32_t step = derivation.prove_read(read);
  writer.set_purpose(ProofWriter::Purpose::to_name);
  std::vector<std::uint32_t> hints;
  for (const VersionId version : p_.candidates_of(p_.reads[read])) {
    const Txn candidate = p_.versions[version].writer;
    if (candidate == 0 || candidate == p_.reads[read].reader || is_inside(candidate)) continue;
    hints.push_back(write_late(read, candidate, writer));
    hints.push_back(writer.from(read, candidate));
  }
  if (hints.empty()) return step;
  hints.push_back(step);
  return writer.lemma(meaning(event.literals, writer), std::move(hints));
}

/// Shows that a candidate which comes before the reader comes after the beginning of its session,
/// and that the reader then does, too. If that is the reader's session, this cannot be.
std::uint32_t Beginnings::write_late(ReadId read, Txn candidate, ProofWriter& writer) const {
  ISOSCOPE_REQUIRE(candidate != 0 && !is_inside(candidate));
  const Txn reader = p_.reads[read].reader;
  const bool is_own = run_of_[candidate] == run_of_[reader];
  const Txn last = is_own ? reader : runs_[run_of_[candidate]].last();
  std::vector<std::uint32_t> way = {p_.commit(last), p_.begin(candidate)};
  if (is_own && !p_.rules.begin_is_commit) way.insert(way.begin(), p_.begin(reader));
  if (!p_.rules.begin_is_commit) way.push_back(p_.commit(candidate));
  for (std::size_t i = 0; i + 1 < way.size(); ++i) writer.order(way[i], way[i + 1]);
  way.push_back(p_.begin(reader));
  return writer.path(way);
}

std::uint32_t Beginnings::write_cycle(const ProofEvent& event, Derivation& derivation,
                                      ProofWriter& writer) const {
  std::vector<std::uint32_t> nodes;
  for (const CycleEdge& edge : event.edges) {
    nodes.push_back(events_[edge.from]);
    if (edge.literal) continue;
    writer.set_purpose(ProofWriter::Purpose::to_know);
    derivation.prove_known(events_[edge.from], events_[edge.to]);
    writer.set_purpose(ProofWriter::Purpose::to_name);
  }
  nodes.push_back(nodes.front());
  return writer.path(nodes);
}

}  // namespace isoscope::strong
