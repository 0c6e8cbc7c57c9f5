#include "history/format/jepsen/logged_operation.h"

#include <algorithm>
#include <array>

#include "isoscope/base/words.h"

namespace isoscope::format {

Result<std::optional<ValueId>> LogWords::scalar(Term term, ValuePool& values) const {
  switch (term.kind()) {
    case TermKind::nil:
      return std::optional(ValuePool::nil);
    case TermKind::integer:
      return std::optional(values.integer(term.integer()));
    case TermKind::keyword:
      return std::optional(values.string(":" + std::string(term.text())));
    case TermKind::string:
      if (!term.text().starts_with(':')) return std::optional(values.string(term.text()));
      return expected("a string that does not start with ':' as keywords do", term);
    default:
      return std::optional<ValueId>();
  }
}

namespace {

enum class Member : std::uint8_t { type, process, f, value, time, index, session, name, count };

// The last two are ours, for what Jepsen has no place for; docs/formats/jepsen.md.
constexpr std::array<std::string_view, static_cast<std::size_t>(Member::count)> member_names = {
    "type", "process", "f", "value", "time", "index", "isoscope/session", "isoscope/name"};

constexpr std::array<std::string_view, 4> type_names = {"invoke", "ok", "fail", "info"};

using Members = std::array<std::optional<Term>, member_names.size()>;

/// The members of those names; a member that is nil is left out.
Result<Members> members_of(Term map, const LogWords& words) {
  Members members;
  for (auto at = map.begin(); at != map.end(); ++at) {
    const Term name = *at;
    const Term value = *++at;
    if (!words.is_name(name)) continue;
    const auto known = std::ranges::find(member_names, name.text());
    if (known == member_names.end()) continue;
    std::optional<Term>& member = members[static_cast<std::size_t>(known - member_names.begin())];
    if (member)
      return words.error(name.offset(), "expected one " + words.spell(*known) + ", found another");
    member = value;
  }
  for (std::optional<Term>& member : members) {
    if (member && member->is(TermKind::nil)) member.reset();
  }
  return members;
}

Status read_type(Term term, const LogWords& words, LoggedOperation& operation) {
  const auto found = std::ranges::find(type_names, words.is_name(term) ? term.text() : "");
  if (found == type_names.end()) {
    const auto spelt = [&](std::string_view name) { return words.spell(name); };
    return words.expected("a " + words.spell("type") + " of " + joined(type_names, spelt), term);
  }
  operation.type = static_cast<LogType>(found - type_names.begin());
  return Done{};
}

Status read_process(Term term, const LogWords& words, LoggedOperation& operation) {
  switch (term.kind()) {
    case TermKind::integer:
      operation.process = term.integer();
      return Done{};
    case TermKind::keyword:
    case TermKind::string:
    case TermKind::symbol:
      operation.is_client = false;
      return Done{};
    default:
      break;
  }
  return words.expected(
      "a " + words.spell("process") + ": an integer, or a name such as " + words.spell("nemesis"),
      term);
}

}  // namespace

std::string_view name_of(LogType type) { return type_names[static_cast<std::size_t>(type)]; }

Result<LoggedOperation> read_logged_operation(Term form, const LogWords& words) {
  while (form.is(TermKind::tagged)) form = *form.begin();  // #jepsen.history.Op{...}
  if (!form.is(TermKind::map))
    return words.expected("an operation such as {" + words.spell("type") + " ...}", form);
  ISOSCOPE_TRY(members, members_of(form, words));
  const auto member = [&](Member which) { return members[static_cast<std::size_t>(which)]; };
  LoggedOperation operation(form.offset());
  if (const auto process = member(Member::process)) {
    ISOSCOPE_TRY_STATUS(read_process(*process, words, operation));
    if (!operation.is_client) return operation;
  }
  const auto type = member(Member::type);
  if (!type)
    return words.error(form.offset(), "expected an operation with a " + words.spell("type"));
  ISOSCOPE_TRY_STATUS(read_type(*type, words, operation));
  operation.f = member(Member::f);
  operation.value = member(Member::value);
  operation.name = member(Member::name);
  operation.session = member(Member::session);
  if (const auto time = member(Member::time)) {
    if (!time->is(TermKind::integer))
      return words.expected("a " + words.spell("time") + " in whole nanoseconds", *time);
    if (time->integer() != -1) operation.time = time->integer();
    operation.time_offset = time->offset();
  }
  if (const auto index = member(Member::index)) {
    if (!index->is(TermKind::integer))
      return words.expected("an integer as " + words.spell("index"), *index);
    if (index->integer() >= 0) operation.index = index->integer();
  }
  return operation;
}

}  // namespace isoscope::format
