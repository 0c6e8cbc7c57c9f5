#include "isoscope/base/suggestion.h"
#include "protocol/language/resolve.h"

// Version lists are four parts of the state, and what changes them is written out here. For
// `versions log`: a version is named by its writer; log.installed(k, x): x has a version of k;
// log.before(k, x, y): that of x is the earlier one; log.reader(k, w, t): t has read that of w;
// log.last(k): the writer of the last one.

namespace isoscope::protocol {

namespace {

/// Places of the four after the first.
enum Part : std::uint32_t { installed, before, reader, last };

}  // namespace

Status Resolver::declare_versions(const Statement& statement) {
  const std::string& name = statement.name.text;
  Global list;
  list.kind = Global::Kind::versions;
  list.number = static_cast<std::uint32_t>(result_.components.size());
  list.line = statement.where.line;
  ISOSCOPE_TRY_STATUS(add_name(statement.name, list));
  const auto add_part = [&](std::string_view part, std::size_t transactions) -> Status {
    Component component;
    component.name = name + "." + std::string(part);
    component.parameters.assign(transactions + 1, Sort::transaction);
    component.parameters[0] = Sort::key;
    Formula nothing;
    nothing.where = statement.where;
    ISOSCOPE_TRY(at_start, make(std::move(nothing)));
    component.initially = std::move(at_start);
    Global global;
    global.number = static_cast<std::uint32_t>(result_.components.size());
    global.line = statement.where.line;
    globals_.emplace(component.name, global);
    result_.components.push_back(std::move(component));
    declared_.push_back(statement.name.where);
    return Done{};
  };
  ISOSCOPE_TRY_STATUS(add_part("installed", 1));
  ISOSCOPE_TRY_STATUS(add_part("before", 2));
  ISOSCOPE_TRY_STATUS(add_part("reader", 2));
  ISOSCOPE_TRY_STATUS(add_part("last", 0));

  Formula is_initial;
  is_initial.kind = Formula::Kind::equal;
  is_initial.where = statement.where;
  is_initial.terms.resize(2);
  is_initial.terms[0].index = 1;
  is_initial.terms[1].kind = Term::Kind::initial;
  ISOSCOPE_TRY(first_version, make(std::move(is_initial)));
  result_.components[list.number + installed].initially = std::move(first_version);
  Component& newest = result_.components[list.number + last];
  newest.kind = Component::Kind::reference;
  newest.is_total = true;
  newest.initially = nullptr;
  newest.initially_initial = true;
  return Done{};
}

Status Resolver::add_to_versions(const UpdateText& text, const Scope& scope, const Update& common,
                                 Event& event) {
  const auto found = globals_.find(text.target.text);
  if (found == globals_.end() || found->second.kind != Global::Kind::versions) {
    std::vector<std::string> known;
    for (const auto& [name, global] : globals_) {
      if (global.kind == Global::Kind::versions) known.push_back(name);
    }
    return error(text.target.where, "`" + text.target.text + "` is not a version list" +
                                        did_you_mean(text.target.text, known));
  }
  if (text.index.size() != 1) {
    return error(text.target.where, "expected 1 argument of `" + text.target.text +
                                        "` (a key), found " + std::to_string(text.index.size()));
  }
  ISOSCOPE_TRY(key, place(*text.index[0], Sort::key, scope));
  return text.kind == UpdateText::Kind::append
             ? add_append(text, scope, common, found->second.number, key, event)
             : add_read(text, scope, common, found->second.number, key, event);
}

Result<FormulaPtr> Resolver::with_condition(const UpdateText& text, const Scope& scope,
                                            FormulaPtr first) {
  if (!text.cases[0].condition) return first;
  ISOSCOPE_TRY(given, formula(*text.cases[0].condition, scope));
  if (!first) return given;
  Formula result;
  result.kind = Formula::Kind::conjunction;
  result.where = first->where;
  result.children = {std::move(first), std::move(given)};
  return make(std::move(result));
}

Result<Update::Case> Resolver::becomes_true(FormulaPtr condition, Position where) {
  Formula truth;
  truth.index = 1;
  truth.where = where;
  Update::Case result;
  result.condition = std::move(condition);
  ISOSCOPE_TRY(yes, make(std::move(truth)));
  result.formula = std::move(yes);
  return result;
}

Status Resolver::add_append(const UpdateText& text, const Scope& scope, const Update& common,
                            std::uint32_t list, const Term& key, Event& event) {
  ISOSCOPE_TRY(version, place(*text.cases[0].value, Sort::transaction, scope));
  ISOSCOPE_TRY_STATUS(check_places(text, {key}, event));
  ISOSCOPE_TRY(condition, with_condition(text, scope, nullptr));

  Update update = common;
  update.component = list + installed;
  update.index = {key, version};
  ISOSCOPE_TRY(install, becomes_true(condition, text.where));
  update.cases = {std::move(install)};
  event.updates.push_back(update);

  // One more variable stands around the condition here, so it is numbered anew.
  Scope deeper = scope;
  Term earlier;
  earlier.index = deeper.depth++;
  Formula is_there;
  is_there.kind = Formula::Kind::relation;
  is_there.index = list + installed;
  is_there.terms = {key, earlier};
  is_there.where = text.where;
  ISOSCOPE_TRY(there, make(std::move(is_there)));
  ISOSCOPE_TRY(when, with_condition(text, deeper, std::move(there)));
  update.component = list + before;
  update.bound.push_back(Sort::transaction);
  update.index = {key, earlier, version};
  ISOSCOPE_TRY(order, becomes_true(std::move(when), text.where));
  update.cases = {std::move(order)};
  event.updates.push_back(update);

  update = common;
  update.component = list + last;
  update.index = {key};
  Update::Case newest;
  newest.condition = std::move(condition);
  newest.reference.kind = Update::Reference::Kind::term;
  newest.reference.term = version;
  update.cases = {std::move(newest)};
  event.updates.push_back(std::move(update));
  return Done{};
}

Status Resolver::add_read(const UpdateText& text, const Scope& scope, const Update& common,
                          std::uint32_t list, const Term& key, Event& event) {
  const Expr& written = *text.cases[0].value;
  ISOSCOPE_TRY(who, place(*text.reader, Sort::transaction, scope));
  ISOSCOPE_TRY(version, side(written, scope));
  if (version.kind != Side::Kind::reference) {
    ISOSCOPE_TRY(checked, term(written, Sort::transaction, scope));
    version.term = std::move(checked);
  }
  Update update = common;
  update.component = list + reader;
  FormulaPtr condition;
  if (version.kind == Side::Kind::term && version.term.kind == Term::Kind::variable) {
    update.index = {key, version.term, who};
    ISOSCOPE_TRY(given, with_condition(text, scope, nullptr));
    condition = std::move(given);
  } else {
    // Whatever it refers to: for w: reader(k, w, t) := true if W = w.
    Scope deeper = scope;
    Side writer;
    writer.kind = Side::Kind::term;
    writer.term.index = deeper.depth++;
    ISOSCOPE_TRY(is_it, equal(written, version, writer, deeper));
    ISOSCOPE_TRY(when, with_condition(text, deeper, std::move(is_it)));
    condition = std::move(when);
    update.bound.push_back(Sort::transaction);
    update.index = {key, writer.term, who};
  }
  ISOSCOPE_TRY_STATUS(check_places(text, update.index, event));
  ISOSCOPE_TRY(now, becomes_true(std::move(condition), text.where));
  update.cases = {std::move(now)};
  event.updates.push_back(std::move(update));
  return Done{};
}

}  // namespace isoscope::protocol
