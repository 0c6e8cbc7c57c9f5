#include "isoscope/judge/opinions.h"

#include "isoscope/check/check.h"
#include "isoscope/judge/judge_by_texts.h"

namespace isoscope {

namespace {

using protocol::AbstractLevel;
using protocol::LevelOutcome;
using protocol::Opinion;

/// The level of the catalogue that means the same for histories and that check() decides.
std::optional<Level> checked_level(AbstractLevel level) {
  switch (level) {
    case AbstractLevel::si:
      return Level{LevelId::snapshot_isolation};
    case AbstractLevel::ser:
      return Level{LevelId::serializable};
    case AbstractLevel::sser:
      return Level{LevelId::strict_serializable};
    default:
      return std::nullopt;
  }
}

bool contradict(Opinion text, Answer checker) {
  return (text == Opinion::forbids && checker == Answer::holds) ||
         (text == Opinion::allows && checker == Answer::violated);
}

Error contradiction(const std::string& what) {
  return {.what = "internal error: " + what, .kind = ErrorKind::internal};
}

/// Names of levels by what is said about them, strongest first.
struct Opinions {
  std::string forbidden, allowed, unknown, also_checked;

  std::string text() const {
    std::string result;
    const auto add = [&](std::string_view what, const std::string& levels) {
      if (!levels.empty()) result += std::string(what) + levels + "\n";
    };
    add("confirmed on this history by the texts of ", forbidden);
    add("and by the checker for ", also_checked);
    add("what clients saw is allowed by the texts of ", allowed);
    add("not decided by the texts of ", unknown);
    return result;
  }
};

}  // namespace

Result<std::vector<std::string>> opinions_on(const protocol::Exploration& exploration) {
  const protocol::Judge judge = judge_by_texts();
  std::vector<Opinions> opinions(exploration.counterexamples.size());
  const auto append = [](std::string& to, std::string_view name) {
    to += (to.empty() ? "" : ", ") + std::string(name);
  };
  for (std::size_t i = protocol::abstract_level_count; i-- > 0;) {
    const LevelOutcome& outcome = exploration.levels[i];
    if (!outcome.counterexample) continue;
    const protocol::AbstractLevelEntry& entry = protocol::abstract_levels()[i];
    const History& history = exploration.counterexamples[*outcome.counterexample].history;
    Opinions& on_this = opinions[*outcome.counterexample];
    const Opinion text = judge(history, entry.level);
    if (outcome.kind == LevelOutcome::Kind::violated && text != Opinion::forbids) {
      return contradiction(std::string(entry.name) +
                           " is violated, but its text does not forbid the history");
    }
    append(text == Opinion::forbids  ? on_this.forbidden
           : text == Opinion::allows ? on_this.allowed
                                     : on_this.unknown,
           entry.name);
    const auto level = checked_level(entry.level);
    if (!level) continue;
    const Verdict verdict = check(history, *level);
    if (contradict(text, verdict.answer)) {
      return contradiction("the text of " + std::string(entry.name) +
                           " and the checker disagree on a history");
    }
    if (verdict.answer == Answer::violated) append(on_this.also_checked, name_of(level->id));
  }
  std::vector<std::string> texts;
  for (const Opinions& each : opinions) texts.push_back(each.text());
  return texts;
}

}  // namespace isoscope
