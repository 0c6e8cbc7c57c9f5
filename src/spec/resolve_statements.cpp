#include <algorithm>

#include "isoscope/base/suggestion.h"
#include "spec/resolve.h"
#include "spec/type_words.h"

namespace isoscope::spec {

namespace {

std::string line_of(const std::string& source, Position where) {
  return source + ":" + std::to_string(where.line);
}

}  // namespace

Result<Definition> Resolver::definition(const LevelText& text) {
  add_base_names();
  result_.name = text.name;
  ISOSCOPE_TRY_STATUS(load(text, false));
  // Last, because a canonical statement names all witnesses, wherever they are declared.
  for (std::size_t i = 0; i < canonicals_.size(); ++i) ISOSCOPE_TRY_STATUS(add_canonical(i));
  return std::move(result_);
}

Result<Definition> Resolver::formula(const LevelText& text) {
  add_base_names();
  result_.name = text.name;
  texts_.push_back(text);
  const LevelText& kept = texts_.back();
  ISOSCOPE_TRY(parsed, parse_formula(kept));
  syntaxes_.push_back(std::move(parsed));
  const Syntax& syntax = syntaxes_.back();
  loading_.push_back(kept.name);
  for (const Statement& statement : syntax.statements) {
    ISOSCOPE_TRY_STATUS(add(statement, kept.name, false));
    if (!result_.witnesses.empty() || !result_.axioms.empty() || !canonicals_.empty()) {
      return Error{
          "expected a text with definitions only, for a formula on the history alone has "
          "no witnesses; found a level",
          kept.name, statement.name.where};
    }
  }
  Place place;
  place.source = &kept.name;
  ISOSCOPE_TRY(term, resolve_as({Type::Kind::formula}, *syntax.formula, place));
  ISOSCOPE_TRY_STATUS(count_root(term, *syntax.formula, place));
  result_.axioms.push_back({"formula", std::move(term.node)});
  return std::move(result_);
}

Status Resolver::load(const LevelText& text, bool included) {
  texts_.push_back(text);
  const LevelText& kept = texts_.back();
  ISOSCOPE_TRY(parsed, parse_level(kept));
  syntaxes_.push_back(std::move(parsed));
  const Syntax& syntax = syntaxes_.back();
  loading_.push_back(kept.name);
  for (const Statement& statement : syntax.statements) {
    if (statement.kind == Statement::Kind::def || statement.kind == Statement::Kind::witness)
      later_.emplace(statement.name.text, line_of(kept.name, statement.where));
  }
  for (const Statement& statement : syntax.statements)
    ISOSCOPE_TRY_STATUS(add(statement, kept.name, included));
  loading_.pop_back();
  return Done{};
}

Status Resolver::add(const Statement& statement, const std::string& source, bool included) {
  switch (statement.kind) {
    case Statement::Kind::title:
    case Statement::Kind::cite:
    case Statement::Kind::defines:
      return add_text(statement, source, included);
    case Statement::Kind::include:
      return add_include(statement, source);
    case Statement::Kind::witness:
      return add_witness(statement, source);
    case Statement::Kind::def:
      return add_macro(statement, source);
    case Statement::Kind::axiom:
      return add_axiom(statement, source);
    case Statement::Kind::canonical:
      canonicals_.push_back({&statement, &source, {}});
      return Done{};
  }
  return Done{};
}

Status Resolver::add_text(const Statement& statement, const std::string& source, bool included) {
  const bool is_title = statement.kind == Statement::Kind::title;
  if (included) return Done{};
  if (statement.kind == Statement::Kind::defines) {
    if (result_.defines)
      return Error{"expected one `defines`, found a second", source, statement.where};
    result_.defines = statement.name.text;
    return Done{};
  }
  bool& given = is_title ? has_title_ : has_citation_;
  if (given) {
    return Error{
        is_title ? "expected one `title`, found a second" : "expected one `cite`, found a second",
        source, statement.where};
  }
  given = true;
  (is_title ? result_.title : result_.citation) = statement.name.text;
  return Done{};
}

Status Resolver::add_include(const Statement& statement, const std::string& source) {
  const std::string& wanted = statement.name.text;
  const std::optional<LevelText> found = find_ ? find_(wanted, source) : std::nullopt;
  if (!found)
    return Error{"there is no level text \"" + wanted + "\"", source, statement.name.where};
  if (std::find(loading_.begin(), loading_.end(), found->name) != loading_.end()) {
    std::string circle;
    for (auto i = std::find(loading_.begin(), loading_.end(), found->name); i != loading_.end();
         ++i)
      circle += *i + " includes ";
    return Error{"a text cannot include itself: " + circle + found->name, source,
                 statement.name.where};
  }
  if (loading_.size() >= max_includes) {
    return Error{"includes are nested more than " + std::to_string(max_includes) + " deep", source,
                 statement.name.where};
  }
  const bool loaded = std::any_of(texts_.begin(), texts_.end(),
                                  [&](const LevelText& text) { return text.name == found->name; });
  return loaded ? Status(Done{}) : load(*found, true);
}

Status Resolver::declare(const Statement& statement, const std::string& source, Global entry) {
  const std::string& name = statement.name.text;
  if (const auto old = globals_.find(name); old != globals_.end()) {
    const Global& first = old->second;
    return Error{first.kind == Global::Kind::base
                     ? "`" + name + "` is part of every history and cannot be declared"
                     : "`" + name + "` is declared twice; first at " +
                           line_of(*first.source, first.statement->where),
                 source, statement.name.where};
  }
  entry.statement = &statement;
  entry.source = &source;
  globals_.emplace(name, std::move(entry));
  later_.erase(name);
  return Done{};
}

Status Resolver::count_root(const Term& term, const Expr& expr, const Place& place) {
  size_ += term.size;
  if (size_ <= max_size) return Done{};
  return error(expr.where, place,
               "too large: with definitions expanded, the text has more than " +
                   std::to_string(max_size) + " operators up to here");
}

Type Resolver::type_of(Witness::Kind kind) const {
  switch (kind) {
    case Witness::Kind::total_order:
    case Witness::Kind::relation:
      return {Type::Kind::relation};
    case Witness::Kind::version_order:
      return {Type::Kind::keyed};
    case Witness::Kind::transaction_set:
      return set_of(Sort::transaction);
    case Witness::Kind::key_set:
      return set_of(Sort::key);
  }
  return {};
}

Status Resolver::add_witness(const Statement& statement, const std::string& source) {
  Witness witness;
  witness.name = statement.name.text;
  witness.kind = statement.witness;
  const Type type = type_of(statement.witness);
  Place place;
  place.source = &source;
  if (statement.body) {
    ISOSCOPE_TRY(bound, resolve_as(type, *statement.body, place));
    ISOSCOPE_TRY_STATUS(count_root(bound, *statement.body, place));
    witness.at_least = std::move(bound.node);
  }
  if (statement.at_most) {
    ISOSCOPE_TRY(bound, resolve_as(type, *statement.at_most, place));
    ISOSCOPE_TRY_STATUS(count_root(bound, *statement.at_most, place));
    witness.at_most = std::move(bound.node);
  }
  Global entry;
  entry.kind = Global::Kind::witness;
  entry.type = type;
  entry.witness = static_cast<std::uint32_t>(result_.witnesses.size());
  ISOSCOPE_TRY_STATUS(declare(statement, source, std::move(entry)));
  result_.witnesses.push_back(std::move(witness));
  return Done{};
}

// The body is checked here, used or not, with variables and dummies for its parameters.
Status Resolver::add_macro(const Statement& statement, const std::string& source) {
  const std::vector<Parameter>& parameters = statement.parameters;
  std::vector<Frame> frames(parameters.size());
  std::vector<Closure> dummies(parameters.size());
  Place place;
  place.source = &source;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Name& name = parameters[i].name;
    ISOSCOPE_TRY_STATUS(check_depth(name, place));
    if (find_local(name.text, place) != nullptr)
      return error(name.where, place, "the parameter `" + name.text + "` is declared twice here");
    if (const auto old = globals_.find(name.text);
        old != globals_.end() && old->second.kind == Global::Kind::base) {
      return error(name.where, place,
                   "`" + name.text + "` is part of every history and cannot be a parameter");
    }
    frames[i] = {name.text, place.frame, parameters[i].type, place.depth, nullptr};
    if (!parameters[i].element) {
      dummies[i].type = parameters[i].type;
      frames[i].argument = &dummies[i];
    }
    place.frame = &frames[i];
    ++place.depth;
  }
  ISOSCOPE_TRY(term, resolve(*statement.body, place));
  Global entry;
  entry.kind = Global::Kind::macro;
  entry.type = term.node->type;
  if (parameters.empty()) entry.expanded.emplace(std::make_pair(std::nullopt, 0U), std::move(term));
  return declare(statement, source, std::move(entry));
}

Status Resolver::add_axiom(const Statement& statement, const std::string& source) {
  const std::string& name = statement.name.text;
  const auto [old, is_new] = axiom_names_.emplace(name, line_of(source, statement.where));
  if (!is_new) {
    return Error{"the axiom `" + name + "` is stated twice; first at " + old->second, source,
                 statement.name.where};
  }
  Place place;
  place.source = &source;
  ISOSCOPE_TRY(term, resolve_as({Type::Kind::formula}, *statement.body, place));
  ISOSCOPE_TRY_STATUS(count_root(term, *statement.body, place));
  result_.axioms.push_back({name, std::move(term.node)});
  return Done{};
}

Status Resolver::add_canonical(std::size_t number) {
  const Statement& statement = *canonicals_[number].statement;
  Place place;
  place.source = canonicals_[number].source;
  place.canonical = number;
  std::map<std::uint32_t, Closure>& values = canonicals_[number].values;
  for (const Statement::Value& value : statement.values) {
    const std::string& name = value.witness.text;
    const auto found = globals_.find(name);
    if (found == globals_.end() || found->second.kind != Global::Kind::witness) {
      std::vector<std::string> known;
      for (const Witness& witness : result_.witnesses) known.push_back(witness.name);
      return error(value.witness.where, place,
                   "there is no witness `" + name + "`" + did_you_mean(name, known));
    }
    const std::uint32_t index = found->second.witness;
    if (values.contains(index)) {
      return error(value.witness.where, place,
                   "the witness `" + name + "` gets a second value here");
    }
    ISOSCOPE_TRY(term, resolve_as(found->second.type, *value.value, place));
    ISOSCOPE_TRY_STATUS(count_root(term, *value.value, place));
    values.emplace(index, Closure{value.value.get(), place, found->second.type, std::move(term)});
  }
  Canonical canonical;
  for (std::uint32_t i = 0; i < result_.witnesses.size(); ++i) {
    const auto value = values.find(i);
    if (value == values.end()) {
      return error(statement.where, place,
                   "this canonical statement gives no value to the witness `" +
                       result_.witnesses[i].name + "`");
    }
    canonical.values.push_back(value->second.term.node);
  }
  result_.canonical.push_back(std::move(canonical));
  return Done{};
}

}  // namespace isoscope::spec
