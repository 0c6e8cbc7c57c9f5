#include "isoscope/base/suggestion.h"
#include "spec/resolve.h"
#include "spec/type_words.h"

// What a name stands for: a bound variable, an argument, a relation of the history, a witness, a
// macro.

namespace isoscope::spec {

void Resolver::add_base_names() {
  const Type set = set_of(Sort::transaction);
  const Type relation{Type::Kind::relation};
  const Type to_keys{Type::Kind::relation, Sort::transaction, Sort::key};
  const Type keyed{Type::Kind::keyed};
  const auto add = [this](const char* name, Base base, const Type& type) {
    Global entry;
    entry.kind = Global::Kind::base;
    entry.type = type;
    entry.base = base;
    globals_.emplace(name, std::move(entry));
  };
  add("so", Base::so, relation);
  add("rt", Base::rt, relation);
  add("writes", Base::writes, to_keys);
  add("reads", Base::reads, to_keys);
  add("update", Base::update, set);
  add("initial", Base::initial, set);
  add("wr", Base::wr, keyed);
  add("seen-before", Base::seen_before, keyed);
}

const Resolver::Frame* Resolver::find_local(std::string_view name, const Place& place) const {
  const Frame* frame = place.frame;
  while (frame != nullptr && frame->name != name) frame = frame->outer;
  return frame;
}

Error Resolver::unknown(const std::string& name, const Expr& expr, const Place& place) const {
  if (const auto found = later_.find(name); found != later_.end()) {
    return error(expr.where, place,
                 "`" + name + "` is declared at " + found->second +
                     " and can only be used after that; definitions are not recursive");
  }
  std::vector<std::string> known = {"transaction", "key", "none"};
  if (place.canonical) known.push_back("order");
  for (const Frame* frame = place.frame; frame != nullptr; frame = frame->outer)
    known.emplace_back(frame->name);
  for (const auto& [other, entry] : globals_) known.push_back(other);
  return error(expr.where, place, "unknown name `" + name + "`" + did_you_mean(name, known));
}

Result<Term> Resolver::named(const Expr& expr, const Place& place) {
  if (const Frame* frame = find_local(expr.name, place)) return local(*frame, expr, place);
  const auto found = globals_.find(expr.name);
  if (found == globals_.end()) return unknown(expr.name, expr, place);
  return global(expr.name, found->second, expr, place);
}

Result<Term> Resolver::local(const Frame& frame, const Expr& expr, const Place& place) {
  if (frame.argument != nullptr) return at_depth_of(place, *frame.argument, expr);
  Node node;
  node.kind = Node::Kind::variable;
  node.type = frame.type;
  node.index = frame.index;
  return make(std::move(node), {}, expr, place);
}

Result<Term> Resolver::at_depth_of(const Place& place, const Closure& closure, const Expr& expr) {
  if (closure.expr == nullptr) return dummy(closure.type, expr, place);
  if (closure.term.node && (!closure.term.binds || closure.place.depth == place.depth))
    return closure.term;
  Place deeper = closure.place;
  deeper.depth = place.depth;
  return resolve_as(closure.type, *closure.expr, deeper);
}

Result<Term> Resolver::dummy(const Type& type, const Expr& expr, const Place& place) {
  const bool is_set = type.kind == Type::Kind::set;
  return make(is_set ? Node::Kind::universe : Node::Kind::base, type, {}, expr, place);
}

Result<Term> Resolver::given_order(const Expr& expr, const Place& place) {
  if (!place.canonical) {
    return error(expr.where, place,
                 "`order` is the order that a canonical statement is given, and unknown elsewhere");
  }
  Node node;
  node.kind = Node::Kind::base;
  node.base = Base::given_order;
  node.type = {Type::Kind::relation};
  return make(std::move(node), {}, expr, place);
}

Result<Term> Resolver::global(const std::string& name, Global& entry, const Expr& expr,
                              const Place& place) {
  if (entry.kind == Global::Kind::base) {
    Node node;
    node.kind = Node::Kind::base;
    node.base = entry.base;
    node.type = entry.type;
    return make(std::move(node), {}, expr, place);
  }
  if (entry.kind == Global::Kind::witness) return witness(name, entry, expr, place);
  if (const std::size_t count = entry.statement->parameters.size(); count != 0) {
    return error(expr.where, place,
                 "expected `(` and " + std::to_string(count) +
                     (count == 1 ? " argument" : " arguments") + " after `" + name + "`");
  }
  const auto key = std::make_pair(place.canonical, place.depth);
  if (const auto found = entry.expanded.find(key); found != entry.expanded.end())
    return found->second;
  if (const auto outermost = entry.expanded.find({place.canonical, 0});
      outermost != entry.expanded.end() && !outermost->second.binds) {
    return outermost->second;
  }
  Place body;
  body.depth = place.depth;
  body.source = entry.source;
  body.canonical = place.canonical;
  ISOSCOPE_TRY(term, resolve(*entry.statement->body, body));
  entry.expanded.emplace(key, term);
  return term;
}

Result<Term> Resolver::witness(const std::string& name, const Global& entry, const Expr& expr,
                               const Place& place) {
  if (place.canonical) {
    const auto& values = canonicals_[*place.canonical].values;
    const auto value = values.find(entry.witness);
    if (value == values.end()) {
      return error(expr.where, place,
                   "the witness `" + name +
                       "` has no value yet: in a canonical statement it stands for the value that "
                       "the same statement gave it before");
    }
    return at_depth_of(place, value->second, expr);
  }
  Node node;
  node.kind = Node::Kind::witness;
  node.type = entry.type;
  node.index = entry.witness;
  return make(std::move(node), {}, expr, place);
}

Result<Term> Resolver::apply(const Expr& expr, const Place& place) {
  if (expr.name == "order") {
    ISOSCOPE_TRY(order, given_order(expr, place));
    return tuple(std::move(order), expr, place);
  }
  if (const Frame* frame = find_local(expr.name, place)) {
    if (frame->argument == nullptr) {
      return error(expr.where, place,
                   "`" + expr.name +
                       "` is a variable and takes no arguments; variables are compared with `=`");
    }
    ISOSCOPE_TRY(argument, local(*frame, expr, place));
    return tuple(std::move(argument), expr, place);
  }
  const auto found = globals_.find(expr.name);
  if (found == globals_.end()) return unknown(expr.name, expr, place);
  Global& entry = found->second;
  if (entry.kind == Global::Kind::macro && !entry.statement->parameters.empty())
    return call(entry, expr, place);
  ISOSCOPE_TRY(relation, global(expr.name, entry, expr, place));
  return tuple(std::move(relation), expr, place);
}

Result<Term> Resolver::call(Global& macro, const Expr& expr, const Place& place) {
  const std::vector<Parameter>& parameters = macro.statement->parameters;
  if (parameters.size() != expr.children.size()) {
    return error(expr.where, place,
                 "`" + expr.name + "` takes " + std::to_string(parameters.size()) +
                     (parameters.size() == 1 ? " argument" : " arguments") + ", found " +
                     std::to_string(expr.children.size()));
  }
  std::vector<Frame> frames(parameters.size());
  std::vector<Closure> closures(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Expr& argument = *expr.children[i];
    frames[i].name = parameters[i].name.text;
    frames[i].outer = i == 0 ? nullptr : &frames[i - 1];
    frames[i].type = parameters[i].type;
    if (parameters[i].element) {
      ISOSCOPE_TRY(variable, element(parameters[i].type.left, argument, place));
      frames[i].index = variable.node->index;
    } else {
      ISOSCOPE_TRY(term, resolve_as(parameters[i].type, argument, place));
      closures[i] = {&argument, place, parameters[i].type, std::move(term)};
      frames[i].argument = &closures[i];
    }
  }
  Place body;
  body.frame = &frames.back();
  body.depth = place.depth;
  body.source = macro.source;
  body.canonical = place.canonical;
  return resolve(*macro.statement->body, body);
}

Result<Term> Resolver::element(Sort sort, const Expr& expr, const Place& place) {
  const std::string expected =
      sort == Sort::key ? "a variable of sort key" : "a variable of sort transaction";
  ISOSCOPE_TRY(term, resolve(expr, place));
  if (term.node->kind != Node::Kind::variable) return mismatch(expected, term, expr, place);
  if (term.node->type.left != sort) {
    return error(expr.where, place,
                 "expected " + expected + ", found one of sort " +
                     (sort == Sort::key ? "transaction" : "key"));
  }
  return term;
}

Result<Term> Resolver::tuple(Term relation, const Expr& expr, const Place& place) {
  const std::size_t count = expr.children.size();
  if (relation.node->type.kind == Type::Kind::keyed && count == 2) {
    ISOSCOPE_TRY(joined, over_all_keys(std::move(relation), expr, place));
    relation = std::move(joined);
  }
  const Type type = relation.node->type;
  std::vector<Sort> sorts;
  switch (type.kind) {
    case Type::Kind::formula:
      return error(expr.where, place,
                   "`" + expr.name + "` is a formula without parameters and takes no arguments");
    case Type::Kind::set:
      sorts = {type.left};
      break;
    case Type::Kind::relation:
      sorts = {type.left, type.right};
      break;
    case Type::Kind::keyed:
      sorts = {Sort::transaction, Sort::key, Sort::transaction};
      break;
  }
  if (sorts.size() != count) {
    return error(expr.where, place,
                 "`" + expr.name + "` is " + in_words(type) + " and takes " +
                     (type.kind == Type::Kind::keyed ? "2 or 3" : std::to_string(sorts.size())) +
                     (sorts.size() == 1 ? " argument" : " arguments") + ", found " +
                     std::to_string(count));
  }
  std::vector<Term> children = {std::move(relation)};
  for (std::size_t i = 0; i < count; ++i) {
    ISOSCOPE_TRY(variable, element(sorts[i], *expr.children[i], place));
    children.push_back(std::move(variable));
  }
  return make(Node::Kind::holds, {Type::Kind::formula}, std::move(children), expr, place);
}

}  // namespace isoscope::spec
