#include "protocol/claims/obligations.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"
#include "protocol/model/make_formula.h"

namespace isoscope::protocol {
namespace {

constexpr When before = When::before;
constexpr When after = When::after;
using V = std::uint32_t;

/// The claims about one event. Variables of claims follow the event's parameters: the first key is
/// number k(), transactions follow.
class EventClaims {
 public:
  EventClaims(const Model& model, const Event& event, std::uint32_t number, AbstractLevel level)
      : model_(model),
        map_(*model.refinement),
        event_(event),
        number_(number),
        level_(entry_of(level)),
        first_(static_cast<V>(event.parameters.size())) {}

  std::vector<Claim> all() {
    if (event_.commits) {
      freshness();
      reads();
      can_commit();
      view_shift();
      updates();
      if (level_.real_time) lies_in_between();
    } else {
      unchanged();
    }
    observation();
    return std::move(claims_);
  }

 private:
  V first() const { return first_; }
  V t() const { return *event_.commits; }

  void add(std::string name, std::string of, std::vector<Sort> variables, Proposition body) {
    claims_.push_back({std::move(name), std::move(of), std::move(variables), std::move(body)});
  }
  static Proposition same(V a, V b) { return is_equal(Sort::transaction, a, b); }

  Proposition installed(V k, V x, When when) const {
    return formula_is(map_.installed.formula, {k, x}, when);
  }
  Proposition precedes(V k, V x, V y, When when) const {
    return formula_is(map_.before.formula, {k, x, y}, when);
  }
  Proposition reader(V k, V w, V x, When when) const {
    return formula_is(map_.reader.formula, {k, w, x}, when);
  }
  Proposition has_read(V x, V k, V w) const {
    return formula_is(model_.observation.reads.formula, {x, k, w}, after);
  }
  Proposition has_written(V x, V k) const {
    return formula_is(model_.observation.writes.formula, {x, k}, after);
  }
  /// Client of the committing transaction: some parameter, or looked up through a claim's variable.
  Proposition client_sees(V c, V x, When when) const {
    if (!map_.sees.formula) return same(x, initial_variable);
    return formula_is(map_.sees.formula, {c, x}, when);
  }
  Proposition for_commit(const std::vector<std::pair<std::uint32_t, FormulaPtr>>& list, V x,
                         Proposition otherwise) const {
    for (const auto& [event, formula] : list) {
      if (event != number_ || !formula) continue;
      std::vector<V> arguments;
      for (V i = 0; i < first_; ++i) arguments.push_back(i);
      arguments.push_back(x);
      return formula_is(formula, std::move(arguments), before);
    }
    return otherwise;
  }
  Proposition in_view(V x) const { return for_commit(map_.view, x, anything()); }
  Proposition is_auxiliary(V x) const { return for_commit(map_.auxiliary, x, nothing()); }

  // nextTxids: the transaction is new, and later than all of its session.
  void freshness() {
    const V k = first(), x = k + 1, w = k + 2;
    const std::vector<Sort> kxw = {Sort::key, Sort::transaction, Sort::transaction};
    add("is not the initial transaction", "freshness", {}, !same(t(), initial_variable));
    add("has no version yet", "freshness", {Sort::key}, !installed(k, t(), before));
    add("is no reader yet", "freshness", {Sort::key, Sort::transaction},
        !reader(k, x, t(), before));
    add("is later than its session's writers", "freshness", {Sort::key, Sort::transaction},
        (installed(k, x, before) && has_same_owner(x, t())) >> is_before_in_session(x, t()));
    add("is later than its session's readers", "freshness", kxw,
        (reader(k, w, x, before) && has_same_owner(x, t())) >> is_before_in_session(x, t()));
  }

  // Every read returns the last version in the view.
  void reads() {
    const V k = first(), w = k + 1, x = k + 2;
    add("reads one version of a key", "last write wins",
        {Sort::key, Sort::transaction, Sort::transaction},
        (has_read(t(), k, w) && has_read(t(), k, x)) >> same(w, x));
    add("reads an installed version in its view", "last write wins", {Sort::key, Sort::transaction},
        has_read(t(), k, w) >> (installed(k, w, before) && in_view(w)));
    add("reads the last version in its view", "last write wins",
        {Sort::key, Sort::transaction, Sort::transaction},
        (has_read(t(), k, w) && installed(k, x, before) && in_view(x)) >>
            (same(x, w) || precedes(k, x, w, before)));
    add("its view has the initial versions", "view", {}, in_view(initial_variable));
  }

  std::string guard_name() const { return "canCommit(" + std::string(level_.name) + ")"; }

  // R: x is a step before y. With each transaction, the view and its auxiliary part also have all
  // that are steps before it.
  void closed(const std::string& name, std::vector<Sort> more, const Proposition& x_before_y, V x,
              V y) {
    std::vector<Sort> variables = {Sort::transaction, Sort::transaction};
    variables.insert(variables.end(), more.begin(), more.end());
    add("its view is closed under " + name, guard_name(), std::move(variables),
        ((in_view(y) || is_auxiliary(y)) && x_before_y) >> (in_view(x) || is_auxiliary(x)));
  }

  void can_commit() {
    using enum Dependency;
    const V x = first(), y = x + 1, k = x + 2, z = x + 3, l = x + 4, w = x + 5;
    const Sort T = Sort::transaction, K = Sort::key;
    const auto ww = [&](V key, V a, V b) { return precedes(key, a, b, before); };
    const auto wr = [&](V key, V a, V b) { return reader(key, a, b, before); };
    const auto rw = [&](V key, V from, V a, V b) {
      return reader(key, from, a, before) && precedes(key, from, b, before) && !same(a, b);
    };
    // Only transactions that the store knows count: others have no effect and are seen by nobody.
    const auto so = [&](V a, V b, V key, V writer) {
      return is_before_in_session(a, b) &&
             (installed(key, a, before) || reader(key, writer, a, before));
    };
    const auto has = [&](Dependency dependency) {
      return (level_.relation >> static_cast<unsigned>(dependency) & 1) != 0;
    };
    if (has(session)) closed("session order", {K, T}, so(x, y, k, z), x, y);
    if (has(session_then_anti))
      closed("session order, then an overwritten read", {K, T, K, T},
             so(x, z, k, w) && rw(l, w, z, y), x, y);
    if (has(read)) closed("reads", {K}, wr(k, x, y), x, y);
    if (has(read_then_anti))
      closed("a read, then an overwritten read", {K, T, K, T}, wr(k, x, z) && rw(l, w, z, y), x, y);
    if (has(overwrite)) closed("version order", {K}, ww(k, x, y), x, y);
    if (has(overwrite_then_anti))
      closed("version order, then an overwritten read", {K, T, K, T}, ww(k, x, z) && rw(l, w, z, y),
             x, y);
    if (has(later_versions)) closed("later versions", {K}, ww(k, y, x), x, y);
    if (has(later_versions_of_written))
      closed("later versions of what it writes", {K}, has_written(t(), k) && ww(k, y, x), x, y);
    add("its auxiliary part only reads", guard_name(), {T, K},
        is_auxiliary(x) >> !installed(first() + 1, x, before));
  }

  // What is required of the client's view: the transaction reads from at least that view. At
  // session levels the client from then on sees at least what it read from, and the versions of its
  // own session.
  void view_shift() {
    const V c = first(), x = c + 1, k = c + 2;
    const Proposition is_client = formula_is(owner_formula(), {c, t()}, before);
    add("its view has its client's view", "view", {Sort::client, Sort::transaction, Sort::key},
        (is_client && client_sees(c, x, before) && installed(k, x, before)) >> in_view(x));
    if (!level_.client_views) return;
    add("the client goes on seeing what it saw", "session (monotonic reads)",
        {Sort::client, Sort::transaction, Sort::key},
        (is_client && in_view(x) && installed(k, x, before)) >> client_sees(c, x, after));
    add("the client sees its session's writes", "session (read your writes)",
        {Sort::client, Sort::transaction, Sort::key},
        (is_client && installed(k, x, after) && (same(x, t()) || is_before_in_session(x, t()))) >>
            client_sees(c, x, after));
  }

  // K' = UpdateKV(K, t, view, fingerprint).
  void updates() {
    const V k = first(), x = k + 1, y = k + 2;
    add("installs what it writes", "update", {Sort::key, Sort::transaction},
        installed(k, x, after) ==
            (installed(k, x, before) || (same(x, t()) && has_written(t(), k))));
    add("its versions come last", "update", {Sort::key, Sort::transaction, Sort::transaction},
        precedes(k, x, y, after) ==
            (precedes(k, x, y, before) ||
             (same(y, t()) && has_written(t(), k) && installed(k, x, before))));
    add("becomes a reader of what it read", "update",
        {Sort::key, Sort::transaction, Sort::transaction},
        reader(k, x, y, after) ==
            (reader(k, x, y, before) || (same(y, t()) && has_read(t(), k, x))));
    others_views();
  }

  void unchanged() {
    const V k = first(), x = k + 1, y = k + 2;
    add("leaves the versions as they are", "no commit", {Sort::key, Sort::transaction},
        installed(k, x, after) == installed(k, x, before));
    add("leaves their order as it is", "no commit",
        {Sort::key, Sort::transaction, Sort::transaction},
        precedes(k, x, y, after) == precedes(k, x, y, before));
    add("leaves the readers as they are", "no commit",
        {Sort::key, Sort::transaction, Sort::transaction},
        reader(k, x, y, after) == reader(k, x, y, before));
    others_views();
  }

  void others_views() {
    if (!map_.sees.formula) return;
    const V c = first(), x = c + 1;
    add("no client's view shrinks", "view", {Sort::client, Sort::transaction},
        client_sees(c, x, before) >> client_sees(c, x, after));
  }

  // What clients see is what the store has: committed at commits only, with the same reads and
  // writes ever after.
  void observation() {
    const V x = first(), k = x + 1, w = x + 2;
    const FormulaPtr& is_committed = model_.observation.committed.formula;
    const Proposition was = formula_is(is_committed, {x}, before);
    const Proposition is = formula_is(is_committed, {x}, after);
    add("clients see commits where they are", "observation", {Sort::transaction},
        is == (event_.commits ? (was || same(x, t())) : was));
    add("committed reads stay", "observation", {Sort::transaction, Sort::key, Sort::transaction},
        was >>
            (formula_is(model_.observation.reads.formula, {x, k, w}, before) == has_read(x, k, w)));
    add("committed writes stay", "observation", {Sort::transaction, Sort::key},
        was >>
            (formula_is(model_.observation.writes.formula, {x, k}, before) == has_written(x, k)));
  }

  // Strictness: after the transaction began, before its client has the answer.
  void lies_in_between() {
    const auto ghost = [&](const char* name) -> Proposition {
      for (std::uint32_t c = 0; c < model_.components.size(); ++c)
        if (model_.components[c].name == name)
          return formula_is(formula_of({.kind = Formula::Kind::relation,
                                        .index = c,
                                        .terms = {{.kind = Term::Kind::variable, .index = 0}}}),
                            {t()}, before);
      return nothing();
    };
    if (event_.begins != event_.commits)
      add("commits after it began", "strictness", {}, ghost("isoscope.begun"));
    add("commits before it is answered", "strictness", {}, !ghost("isoscope.answered"));
  }

  static FormulaPtr owner_formula() {
    Term owner{.kind = Term::Kind::owner, .sort = Sort::client};
    owner.arguments = {{.kind = Term::Kind::variable, .sort = Sort::transaction, .index = 1}};
    return formula_of({.kind = Formula::Kind::equal,
                       .terms = {{.kind = Term::Kind::variable, .sort = Sort::client, .index = 0},
                                 std::move(owner)}});
  }

  const Model& model_;
  const Refinement& map_;
  const Event& event_;
  std::uint32_t number_;
  const AbstractLevelEntry& level_;
  V first_;
  std::vector<Claim> claims_;
};

}  // namespace

Obligations refinement_obligations(const Model& model, AbstractLevel level) {
  ISOSCOPE_REQUIRE(model.refinement);
  Obligations result;
  const Refinement& map = *model.refinement;
  const auto at_start = [&](std::string name, std::vector<Sort> variables, Proposition body) {
    result.start.push_back({std::move(name), "start", std::move(variables), std::move(body)});
  };
  const Sort T = Sort::transaction, K = Sort::key;
  at_start("only the initial versions are installed", {K, T},
           formula_is(map.installed.formula, {0, 1}, before) == is_equal(T, 1, initial_variable));
  at_start("no version is before another", {K, T, T},
           !formula_is(map.before.formula, {0, 1, 2}, before));
  at_start("nobody has read", {K, T, T}, !formula_is(map.reader.formula, {0, 1, 2}, before));
  if (map.sees.formula)
    at_start("clients see the initial versions, and nothing else", {Sort::client, T},
             formula_is(map.sees.formula, {0, 1}, before) == is_equal(T, 1, initial_variable));
  at_start("nobody has committed", {T},
           formula_is(model.observation.committed.formula, {0}, before) >>
               is_equal(T, 0, initial_variable));
  for (std::uint32_t e = 0; e < model.events.size(); ++e)
    result.events.push_back(EventClaims(model, model.events[e], e, level).all());
  return result;
}

}  // namespace isoscope::protocol
