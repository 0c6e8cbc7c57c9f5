#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "isoscope/protocol/model_text.h"
#include "protocol/same_model.h"
#include "small_protocol.h"

namespace isoscope::protocol {
namespace {

Model read(const std::string& text) {
  Result<Model> model = read_model("t", text);
  EXPECT_TRUE(model) << model.error().text();
  return model ? *std::move(model) : Model{};
}

std::vector<std::string> names_of(const Event& event, std::size_t more = 0) {
  std::vector<std::string> result;
  for (const Variable& parameter : event.parameters) result.push_back(parameter.name);
  for (std::size_t i = 0; i < more; ++i) result.push_back("#" + std::to_string(i));
  return result;
}

/// The updates of the last event, each in one line.
std::string updates(const std::string& event) {
  const Model model = read(small_protocol + event);
  const Event& last = model.events.back();
  std::string result;
  for (const Update& update : last.updates) {
    const auto names = names_of(last, update.bound.size());
    const Component& component = model.components[update.component];
    result += component.name + "(";
    for (const Term& term : update.index)
      result += (&term == update.index.data() ? "" : ", ") + text_of(term, model, names);
    result += ")";
    for (const Update::Case& next : update.cases) {
      result += " := ";
      if (component.kind == Component::Kind::relation) {
        result += text_of(*next.formula, model, names);
      } else if (component.kind == Component::Kind::enumeration) {
        result += model.enumerations[component.enumeration].values[next.value];
      } else if (next.reference.kind == Update::Reference::Kind::none) {
        result += "none";
      } else if (next.reference.kind == Update::Reference::Kind::term) {
        result += text_of(next.reference.term, model, names);
      } else {
        result += "copy of " + model.components[next.reference.component].name;
        for (const Term& term : next.reference.at) result += " " + text_of(term, model, names);
      }
      if (next.condition) result += " if " + text_of(*next.condition, model, names);
    }
    result += "\n";
  }
  return result;
}

/// The guard of an event of key k and transactions t and u.
std::string guard(const std::string& formula) {
  const Model model =
      read(small_protocol + "event e(k: key, t, u: transaction) at k begins t commits u when " +
           formula);
  return model.events.empty() ? "" : text_of(*model.events.back().guard, model, {"k", "t", "u"});
}

TEST(ReadModel, ReadsEveryKindOfStatement) {
  const Model model = read(R"(title "A" cite "B" claims RA, SSER, SI
enum E { a, b }
state s(client) : E = b
state r(key, transaction) : transaction? = initial
state p(transaction t, key) : bool = t = initial
history h(client) : bool = true
event e(c: client, t: transaction) at c begins t commits t answers t
observe t: transaction { writes k when p(t, k) committed when true }
map installed(k, x) = p(x, k)
map before(k, x, y) = so(x, y)
map reader(k, w, x) = r(k, x) = w
map sees(c, x) = owner(x) = c
view e(x) = so(x, t)
auxiliary e(x) = false
invariant i: forall c: client. h(c)
)");
  EXPECT_EQ(model.name, "t");
  EXPECT_EQ(model.title, "A");
  EXPECT_EQ(model.citation, "B");
  EXPECT_EQ(model.claims, (std::vector<std::string>{"SSER", "SI", "RA"}));
  ASSERT_EQ(model.components.size(), 4u);
  EXPECT_EQ(model.components[0].initial_value, 1u);
  EXPECT_TRUE(model.components[1].initially_initial);
  EXPECT_FALSE(model.components[1].is_total);
  EXPECT_EQ(text_of(*model.components[2].initially, model, {"t", "k"}), "t = initial");
  EXPECT_TRUE(model.components[3].is_history);
  ASSERT_EQ(model.events.size(), 1u);
  const Event& event = model.events[0];
  EXPECT_EQ(event.at, 0u);
  EXPECT_EQ(event.begins, 1u);
  EXPECT_EQ(event.commits, 1u);
  EXPECT_EQ(event.answers, 1u);
  EXPECT_EQ(text_of(*event.guard, model, {"c", "t"}), "true");
  EXPECT_EQ(text_of(*model.observation.reads.formula, model, {"t", "k", "w"}), "false");
  EXPECT_EQ(text_of(*model.observation.writes.formula, model, {"t", "k"}), "p(t, k)");
  ASSERT_TRUE(model.refinement);
  EXPECT_EQ(text_of(*model.refinement->reader.formula, model, {"k", "w", "x"}), "r(k, x) = w");
  ASSERT_EQ(model.refinement->view.size(), 1u);
  EXPECT_EQ(text_of(*model.refinement->view[0].second, model, {"c", "t", "x"}), "so(x, t)");
  EXPECT_EQ(model.refinement->auxiliary.size(), 1u);
  ASSERT_EQ(model.invariants.size(), 1u);
  EXPECT_EQ(text_of(*model.invariants[0].formula, model, {}), "forall c: client. h(c)");
}

TEST(ReadModel, Witness) {
  const Model model =
      read(small_protocol + "witness order(t, u) = ts(t, u), sees(a, b) = so(a, b)");
  ASSERT_TRUE(model.witness);
  EXPECT_EQ(text_of(*model.witness->before.formula, model, {"x", "y"}), "ts(x, y)");
  EXPECT_EQ(text_of(*model.witness->sees.formula, model, {"x", "y"}), "so(x, y)");
}

TEST(ReadModel, VersionsAreFourComponents) {
  const Model model = read(
      "versions log event e(k: key, t: transaction) at k then append log(k) t "
      "observe t: transaction { committed when true }");
  ASSERT_EQ(model.components.size(), 4u);
  EXPECT_EQ(model.components[0].name, "log.installed");
  EXPECT_EQ(text_of(*model.components[0].initially, model, {"k", "x"}), "x = initial");
  EXPECT_EQ(model.components[1].name, "log.before");
  EXPECT_EQ(model.components[2].name, "log.reader");
  EXPECT_EQ(text_of(*model.components[2].initially, model, {"k", "x", "y"}), "false");
  EXPECT_EQ(model.components[3].name, "log.last");
  EXPECT_TRUE(model.components[3].is_total && model.components[3].initially_initial);
}

TEST(ReadModel, UpdatesOfVersions) {
  EXPECT_EQ(updates("event e(k: key, t: transaction) at k then append log(k) t"),
            "log.installed(k, t) := true\n"
            "log.before(k, #0, t) := true if log.installed(k, #0)\n"
            "log.last(k) := t\n");
  // The condition stands below one more variable in the second update.
  EXPECT_EQ(updates("event e(k: key, t: transaction) at k "
                    "then append log(k) t if exists w: transaction. rv(k, t) = w"),
            "log.installed(k, t) := true if exists u: transaction. rv(k, t) = u\n"
            "log.before(k, #0, t) := true if log.installed(k, #0) and "
            "(exists u: transaction. rv(k, t) = u)\n"
            "log.last(k) := t if exists u: transaction. rv(k, t) = u\n");
  EXPECT_EQ(updates("event e(k: key, t: transaction) at k "
                    "then read log(k) rv(k, t) by t if wants(k, t)"),
            "log.reader(k, #0, t) := true if rv(k, t) = #0 and wants(k, t)\n");
  EXPECT_EQ(updates("event e(k: key, t, w: transaction) at k then read log(k) w by t"),
            "log.reader(k, w, t) := true\n");
  EXPECT_EQ(updates("event e(k: key, t: transaction) at k then read log(k) log.last(k) by t"),
            "log.reader(k, #0, t) := true if log.last(k) = #0\n");
}

TEST(ReadModel, Updates) {
  EXPECT_EQ(updates("event e(k: key, t, w: transaction) at k "
                    "then rv(k, t) := w if wants(k, t) else none if wants(k, w) else initial, "
                    "rv(k, w) := rv(k, t), newest(k) := log.last(k) if t != w"),
            "rv(k, t) := w if wants(k, t) := none if wants(k, w) := initial\n"
            "rv(k, w) := copy of rv k t\n"
            "newest(k) := log.last(k) if t != w\n");
  EXPECT_EQ(updates("event e(k: key, t: transaction) at k "
                    "then for u: transaction: st(k, u) := idle if st(k, u) = busy and u != t"),
            "st(k, #0) := idle if st(k, #0) = busy and #0 != t\n");
  EXPECT_EQ(updates("event e(c: client, t: transaction) at c when owner(t) = c "
                    "then for u: transaction: seen(t, u) := finished(u) or seen(t, u)"),
            "seen(t, #0) := stage(#0) = done or seen(t, #0)\n");
}

TEST(ReadModel, Formulas) {
  EXPECT_EQ(guard("finished(t) => finished(u) or st(k, t) != busy and not wants(k, t)"),
            "stage(t) = done => stage(u) = done or st(k, t) != busy and not wants(k, t)");
  EXPECT_EQ(guard("(wants(k, t) <=> wants(k, u)) and st(k, t) in { idle, done }"),
            "(wants(k, t) <=> wants(k, u)) and st(k, t) in { idle, done }");
  EXPECT_EQ(guard("none = rv(k, t) and rv(k, u) != none and initial = rv(k, u)"),
            "rv(k, t) = none and rv(k, u) != none and rv(k, u) = initial");
  EXPECT_EQ(guard("rv(k, t) = rv(k, u)"), "exists v: transaction. rv(k, t) = v and rv(k, u) = v");
  EXPECT_EQ(guard("rv(k, t) != rv(k, u)"), "no v: transaction. rv(k, t) = v and rv(k, u) = v");
  EXPECT_EQ(guard("log.last(k) = newest(k) and owner(t) = owner(u) and t != initial"),
            "log.last(k) = newest(k) and owner(t) = owner(u) and t != initial");
  EXPECT_EQ(guard("lock(k) = st(k, t)"),
            "lock(k) = idle and st(k, t) = idle or lock(k) = busy and st(k, t) = busy or "
            "lock(k) = done and st(k, t) = done");
  EXPECT_EQ(guard("forall x: transaction, j: key. ts(x, t) and wants(j, x) => so(x, u)"),
            "forall v: transaction, i: key. ts(v, t) and wants(i, v) => so(v, u)");
}

TEST(ReadModel, VariablesAreNumberedByDepth) {
  const Model model = read(small_protocol +
                           "def busy-one(t: transaction) = exists k: key. st(k, t) = busy "
                           "event e(k: key, t: transaction) at k "
                           "when wants(k, t) and forall u: transaction. busy-one(u) => seen(u, t)");
  const Formula& all = *model.events.back().guard->children[1];
  EXPECT_EQ(all.index, 2u);
  const Formula& some = *all.children[0]->children[0];
  EXPECT_EQ(some.kind, Formula::Kind::exists);
  EXPECT_EQ(some.index, 3u);
  EXPECT_EQ(some.children[0]->terms[0].index, 3u);
  EXPECT_EQ(some.children[0]->terms[1].index, 2u);
}

// Guards are printed and read again as guards.
TEST(ReadModel, ShippedModelsAndTheirFormulasPrinted) {
  ASSERT_FALSE(shipped_models().empty());
  for (const ShippedModel& shipped : shipped_models()) {
    const Model model = read(std::string(shipped.text));
    ASSERT_FALSE(model.events.empty()) << shipped.name;
    std::string text(shipped.text);
    for (const Event& event : model.events) {
      const auto names = names_of(event);
      text += "\nevent again-" + event.name + "(";
      std::string used;
      for (const Variable& parameter : event.parameters) {
        const char* sort = parameter.sort == Sort::client ? "client"
                           : parameter.sort == Sort::key  ? "key"
                                                          : "transaction";
        text += (used.empty() ? "" : ", ") + parameter.name + ": " + sort;
        used += " and " + parameter.name + " = " + parameter.name;
      }
      text +=
          ") at " + names[*event.at] + " when (" + text_of(*event.guard, model, names) + ")" + used;
    }
    const Model again = read(text);
    const std::size_t count = model.events.size();
    ASSERT_EQ(again.events.size(), 2 * count) << shipped.name;
    for (std::size_t i = 0; i < count; ++i) {
      const Formula& printed = *again.events[count + i].guard;
      EXPECT_EQ(text_of(*printed.children[0], again, names_of(model.events[i])),
                text_of(*model.events[i].guard, model, names_of(model.events[i])));
      EXPECT_TRUE(same(*printed.children[0], *model.events[i].guard)) << model.events[i].name;
    }
  }
}

TEST(ReadModel, TheProtocolOfTheDocument) {
  std::ifstream file(std::string(ISOSCOPE_SOURCE_DIR) + "/docs/protocol-language.md");
  std::ostringstream document;
  document << file.rdbuf();
  const std::string text = document.str();
  const std::size_t start = text.find("```\n") + 4;
  const std::string protocol = text.substr(start, text.find("```", start) - start);
  EXPECT_EQ(read(protocol).events.size(), 4u);
  const Result<std::string> formatted = format_model("t", protocol);
  ASSERT_TRUE(formatted);
  EXPECT_EQ(*formatted, protocol);
}

}  // namespace
}  // namespace isoscope::protocol
