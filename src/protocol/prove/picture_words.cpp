#include "protocol/prove/picture_words.h"

#include <algorithm>

#include "isoscope/protocol/formula_text.h"

namespace isoscope::protocol {

using Kind = Formula::Kind;

Names::Names(const Event* event, const Ground& ground) {
  for (const Sort sort : {Sort::client, Sort::key, Sort::transaction})
    of(sort).resize(ground.count(sort));
  of(Sort::transaction)[0] = "initial";
  for (std::size_t i = 0; event && i < event->parameters.size(); ++i) {
    const Variable& parameter = event->parameters[i];
    of(parameter.sort)[ground.parameters()[i]] = parameter.name;
    taken_.insert(parameter.name);
  }
}

const std::string& Names::at(Sort sort, Ground::Element element) {
  std::string& name = of(sort)[element];
  if (name.empty()) name = fresh(sort);
  return name;
}

std::string Names::fresh(Sort sort) {
  static constexpr std::string_view letters[] = {"cde", "kij", "tuvwxyz"};
  for (int round = 0;; ++round) {
    for (const char letter : letters[static_cast<std::size_t>(sort)]) {
      std::string name(1, letter);
      if (round > 0) name += std::to_string(round);
      if (taken_.insert(name).second) return name;
    }
  }
}

void Mentions::add(const Formula& formula, const Words& names) {
  switch (formula.kind) {
    case Kind::relation:
    case Kind::is_value:
    case Kind::refers_to:
    case Kind::refers_to_none:
      add(formula.index, formula.terms, names);
      break;
    case Kind::order:
      orders_.insert(formula.index);
      break;
    case Kind::session_order:
      sessions_ = true;
      break;
    default:
      break;
  }
  for (const Term& term : formula.terms) add(term, names);
  for (const FormulaPtr& child : formula.children) add(*child, names);
}

void Mentions::add(const Event& event, const Words& names) {
  const std::vector<Mention> before = mentions_;
  for (const Update& update : event.updates) {
    if (std::ranges::none_of(before,
                             [&](const Mention& m) { return m.component == update.component; }))
      continue;
    for (const Update::Case& one : update.cases) {
      if (one.condition) add(*one.condition, names);
      if (one.formula) add(*one.formula, names);
      add(one.reference.term, names);
      if (one.reference.kind == Update::Reference::Kind::copy)
        add(one.reference.component, one.reference.at, names);
    }
  }
  add(*event.guard, names);
}

bool Mentions::has(const Formula& fact, const Words& names) const {
  if (fact.kind == Kind::session_order) return sessions_;
  const Words words = words_of(fact.terms, names);
  return std::ranges::any_of(mentions_, [&](const Mention& mention) {
    if (mention.component != fact.index) return false;
    for (std::size_t i = 0; i < std::min(words.size(), mention.words.size()); ++i)
      if (!mention.words[i].empty() && mention.words[i] != words[i]) return false;
    return true;
  });
}

Mentions::Words Mentions::words_of(std::span<const Term> terms, const Words& names) const {
  Words words;
  for (const Term& term : terms) {
    const Term& inside = term.kind == Term::Kind::owner ? term.arguments[0] : term;
    const bool is_known = inside.kind == Term::Kind::initial ||
                          (inside.kind == Term::Kind::variable && inside.index < names.size());
    words.push_back(is_known ? text_of(term, model_, names) : "");
  }
  return words;
}

void Mentions::add(std::uint32_t component, std::span<const Term> terms, const Words& names) {
  mentions_.push_back({component, words_of(terms, names)});
}

void Mentions::add(const Term& term, const Words& names) {
  if (term.kind == Term::Kind::reference) add(term.index, term.arguments, names);
  for (const Term& argument : term.arguments) add(argument, names);
}

}  // namespace isoscope::protocol
