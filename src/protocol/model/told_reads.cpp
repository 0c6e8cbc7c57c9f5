#include "protocol/model/told_reads.h"

#include <algorithm>
#include <optional>

#include "isoscope/protocol/unseen_records.h"
#include "protocol/model/make_formula.h"
#include "protocol/model/translate.h"

namespace isoscope::protocol {

namespace {

using Kind = Formula::Kind;

// The variables of `reads k from w` in `observe t`, by which records are stated, too.
constexpr std::uint32_t reader = 0, key = 1, version = 2;

Term version_term() { return variable_of(Sort::transaction, version); }

bool is_variable(const Term& term, std::uint32_t index) {
  return term.kind == Term::Kind::variable && term.index == index;
}

/// Are they the reader and the key, in some order?
bool are_reader_and_key(std::span<const Term> terms) {
  return terms.size() == 2 && ((is_variable(terms[0], reader) && is_variable(terms[1], key)) ||
                               (is_variable(terms[0], key) && is_variable(terms[1], reader)));
}

/// What stands in a record, as a formula on reader, key and version.
struct Record {
  std::uint32_t component = 0;
  FormulaPtr holds;
};

/// The record that an atom of `observe` looks at, whatever version it compares with.
std::optional<Record> record_of(const Model& model, const Formula& atom) {
  const auto made = [&](std::uint32_t component, FormulaPtr holds) -> std::optional<Record> {
    if (model.components[component].is_constant) return std::nullopt;
    return Record{component, std::move(holds)};
  };
  switch (atom.kind) {
    case Kind::refers_to: {
      std::vector<Term> terms = atom.terms;
      if (!are_reader_and_key(std::span(terms).first(terms.size() - 1))) return std::nullopt;
      terms.back() = version_term();
      return made(atom.index, atom_of(Kind::refers_to, atom.index, std::move(terms)));
    }
    case Kind::relation: {
      std::vector<Term> terms = atom.terms;
      const auto other = std::ranges::find_if(terms, [](const Term& term) {
        return term.sort == Sort::transaction && !is_variable(term, reader);
      });
      if (terms.size() != 3 || other == terms.end()) return std::nullopt;
      std::vector<Term> rest = terms;
      rest.erase(rest.begin() + (other - terms.begin()));
      if (!are_reader_and_key(rest)) return std::nullopt;
      *other = version_term();
      return made(atom.index, atom_of(Kind::relation, atom.index, std::move(terms)));
    }
    default:
      return std::nullopt;
  }
}

/// Records that are looked at where a true atom makes the formula true, or helps to.
void find_records(const Model& model, const Formula& formula, bool is_positive,
                  std::vector<Record>& found) {
  if (is_positive) {
    const auto record = record_of(model, formula);
    const auto is_known = [&](const Record& one) { return one.component == record->component; };
    if (record && std::ranges::none_of(found, is_known)) found.push_back(*record);
  }
  for (std::size_t i = 0; i < formula.children.size(); ++i) {
    const bool turns =
        formula.kind == Kind::negation || (formula.kind == Kind::implication && i == 0);
    find_records(model, *formula.children[i], is_positive != turns, found);
    if (formula.kind == Kind::equivalence)
      find_records(model, *formula.children[i], !is_positive, found);
  }
}

/// Does the text say that all of it is told: the record, or the record or something else?
bool is_told_by_text(const Formula& reads, const Record& record) {
  if (reads.kind == Kind::disjunction)
    return std::ranges::any_of(
        reads.children, [&](const FormulaPtr& part) { return is_told_by_text(*part, record); });
  return reads.kind == record.holds->kind && reads.index == record.component &&
         reads.terms == record.holds->terms;
}

/// Could it say for a key and a transaction which other one is meant? Such a relation has a key
/// and two transactions. The parts of a log, such as log.before, have a meaning already.
bool could_be_record(const Component& component) {
  if (component.is_constant || component.is_history) return false;
  if (component.name.find('.') != std::string::npos) return false;
  const bool is_reference = component.kind == Component::Kind::reference;
  const auto keys = std::ranges::count(component.parameters, Sort::key);
  const auto transactions = std::ranges::count(component.parameters, Sort::transaction);
  const auto all = static_cast<std::ptrdiff_t>(component.parameters.size());
  return keys == 1 && transactions == (is_reference ? 1 : 2) && all == keys + transactions;
}

/// References of the state from a key and a transaction.
std::vector<Record> unmentioned_records(const Model& model) {
  std::vector<Record> found;
  for (std::uint32_t i = 0; i < model.components.size(); ++i) {
    const Component& component = model.components[i];
    if (component.kind != Component::Kind::reference || component.is_constant ||
        component.is_history || component.parameters.size() != 2)
      continue;
    std::vector<Term> terms;
    for (const Sort sort : component.parameters)
      terms.push_back(variable_of(sort, sort == Sort::key ? key : reader));
    if (!are_reader_and_key(terms)) continue;
    terms.push_back(version_term());
    found.push_back({i, atom_of(Kind::refers_to, i, std::move(terms))});
  }
  return found;
}

FormulaPtr for_all(Sort sort, std::uint32_t variable, FormulaPtr body) {
  Formula result{.kind = Kind::for_all, .index = variable, .sort = sort};
  result.children = {std::move(body)};
  return formula_of(std::move(result));
}

/// forall t, k, w. committed(t) and it is recorded that t read k from w => it is told. Clients need
/// not see reads of the initial transaction, or what a transaction read from itself.
Invariant invariant_of(const Model& model, const Record& record, bool some_version) {
  const ModelMap no_map;
  Translation translation(no_map);
  const Term t = variable_of(Sort::transaction, reader), k = variable_of(Sort::key, key);
  const Term w = version_term(), other = variable_of(Sort::transaction, 3);
  const Term initial{.kind = Term::Kind::initial};
  const std::vector<Term> is_committed = {t}, is_read = {t, k, w}, is_some_read = {t, k, other};
  Formula told{.kind = Kind::implication};
  const Observation& seen = model.observation;
  told.children = {
      conjunction_of({translation.put(*seen.committed.formula, is_committed, 3), record.holds}),
      disjunction_of({equality_of(t, initial), equality_of(w, t),
                      some_version
                          ? exists_of(Sort::transaction, 3,
                                      translation.put(*seen.reads.formula, is_some_read, 4))
                          : translation.put(*seen.reads.formula, is_read, 3)})};
  return {"`observe` tells of the reads in " + model.components[record.component].name,
          for_all(Sort::transaction, reader,
                  for_all(Sort::key, key,
                          for_all(Sort::transaction, version, formula_of(std::move(told)))))};
}

}  // namespace

std::vector<Invariant> told_reads(const Model& model) {
  const FormulaPtr& reads = model.observation.reads.formula;
  if (!reads || !model.observation.committed.formula || reads->kind == Kind::truth) return {};
  std::vector<Record> records;
  find_records(model, *reads, true, records);
  const bool are_mentioned = !records.empty();
  if (!are_mentioned) records = unmentioned_records(model);
  std::vector<Invariant> result;
  for (const Record& record : records) {
    if (!is_told_by_text(*reads, record))
      result.push_back(invariant_of(model, record, are_mentioned));
  }
  return result;
}

std::vector<std::string> unseen_records(const Model& model) {
  const FormulaPtr& reads = model.observation.reads.formula;
  std::vector<Record> seen;
  if (reads) find_records(model, *reads, true, seen);
  std::vector<std::string> result;
  if (seen.empty()) return result;  // then told_reads() looks at all of them
  for (std::uint32_t i = 0; i < model.components.size(); ++i) {
    const Component& component = model.components[i];
    if (!could_be_record(component) || std::ranges::count(seen, i, &Record::component) != 0)
      continue;
    result.push_back("`observe` does not look at " + component.name +
                     "; if that says which version of a key a transaction read, the answer is not "
                     "about these reads");
  }
  return result;
}

}  // namespace isoscope::protocol
