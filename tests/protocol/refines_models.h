#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isoscope/protocol/model_text.h"

namespace isoscope::protocol {

/// A store and a way to keep it: everything that a map can be about, an enumeration, both kinds of
/// references, a version list, a history variable that is left out.
inline const std::string store = R"(claims RA
enum Mode { free, held, gone }
state mode(transaction) : Mode = free
state saw(transaction) : transaction? = none
state top(key) : transaction = initial
history noted(transaction) : bool = false
versions log
event take(c: client, t: transaction) at c begins t
  when owner(t) = c and t != initial and mode(t) = free
  then mode(t) := held, noted(t) := true
event put(k: key, t: transaction) at k
  when mode(t) = held and not log.installed(k, t)
  then append log(k) t, top(k) := t
event look(c: client, t: transaction, w: transaction) at c
  when owner(t) = c and mode(t) = held and saw(t) = none
  then saw(t) := w
event finish(c: client, t: transaction) at c commits t
  when owner(t) = c and mode(t) = held
  then mode(t) := gone, saw(t) := none
observe t: transaction {
  committed when mode(t) = gone
  writes k when log.installed(k, t)
}
)";

inline const std::string keeper = R"(enum Step { new, open, shut, ended }
state step(transaction) : Step = new
state has(transaction) : transaction? = none
versions file
event start(c: client, t: transaction) at c begins t
  when owner(t) = c and t != initial and step(t) = new
  then step(t) := open
event write(k: key, t: transaction) at k
  when step(t) = open and not file.installed(k, t)
  then append file(k) t
event glance(c: client, k: key, t: transaction) at c
  when owner(t) = c and step(t) = open and has(t) = none and file.last(k) != t
  then has(t) := file.last(k)
event close(c: client, t: transaction) at c commits t
  when owner(t) = c and step(t) = open
  then step(t) := shut
event clean(c: client, t: transaction) at c
  when owner(t) = c and step(t) = shut
  then step(t) := ended, has(t) := none
observe t: transaction {
  committed when step(t) in { shut, ended }
  writes k when file.installed(k, t)
}
refines "store.protocol" {
  map mode(t) = free if step(t) = new else held if step(t) = open else gone
  map saw(t) = has(t) if step(t) = open else none
  map top(k) = w when file.last(k) = w
  map log.installed(k, x) = file.installed(k, x)
  map log.before(k, x, y) = file.before(k, x, y)
  map log.reader(k, w, x) = false
  map log.last(k) = file.last(k)
  event start(c, t) is take(c, t)
  event write(k, t) is put(k, t)
  event glance(c, k, t) is look(c, t, file.last(k))
  event close(c, t) is finish(c, t)
  event clean(c, t) is skip
}
)";

/// Reads a model that may refine `store`.
inline Result<Model> read_refining(const std::string& text) {
  return read_model("my.protocol", text,
                    [](const std::string&, const std::string& named) -> Result<NamedText> {
                      if (named == "store.protocol") return NamedText{named, store};
                      return Error{"cannot read " + named};
                    });
}

inline std::string text_of_shipped(std::string_view name) {
  for (const ShippedModel& model : shipped_models())
    if (model.name == name) return std::string(model.text);
  ADD_FAILURE() << "no model " << name;
  return "";
}

/// The text with the first `from` replaced.
inline std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// Something wrong with a refinement: where that shows.
struct BrokenRefinement {
  std::string what;
  std::string text;
  std::string event;
  std::string claim;
  std::string belongs_to;
  bool only_in_full_run = false;
  bool widen = false;  ///< that it is open says something only with candidates made from goals
};

inline std::vector<BrokenRefinement> broken_refinements() {
  const std::string steps = text_of_shipped("atomic-steps");
  return {
      {"wrong map: done when it begins",
       changed(steps, "map done(t) = t = initial or phase(t) = done",
               "map done(t) = t = initial or phase(t) != idle"),
       "begin", "leaves done as it is", "no step of atomic"},
      {"wrong map: reads count at once",
       changed(steps, "map rv(t, k, w) = phase(t) = done and", "map rv(t, k, w) ="), "get",
       "leaves rv as it is", "no step of atomic", true},
      {"missing guard: two at a time",
       changed(steps, "    and (no u: transaction. phase(u) = running)\n", ""), "commit",
       "no u: transaction. done(u) and turn(t, u)", "guard of run"},
      {"missing guard: not all is read",
       changed(steps, "    and (forall k: key. reads(k, t) => rv(t, k) != none)\n", ""), "commit",
       "changes rv as run does", "update of run", true, true},
      {"wrong event: it runs when it begins",
       changed(steps, "event commit(c, t) is run(c, t)", "event begin(c, t) is run(c, t)"),
       "commit", "leaves done as it is", "no step of atomic"},
      {"another value",
       changed(keeper, "else held if step(t) = open", "else held if step(t) in { open, shut }"),
       "close", "changes mode as finish does", "update of finish", true},
      {"another argument", changed(keeper, "is look(c, t, file.last(k))", "is look(c, t, t)"),
       "glance", "changes saw as look does", "update of look", true},
  };
}

}  // namespace isoscope::protocol
