#include "protocol/language/parser.h"

namespace isoscope::protocol {

Status Parser::refines(Statement& result) {
  constexpr std::string_view what = "the name of a model, or of a file in double quotes";
  result.is_file = peek().kind == Token::Kind::string;
  ISOSCOPE_TRY(of, result.is_file ? string(what) : free_name(what));
  result.name = std::move(of);
  ISOSCOPE_TRY_STATUS(expect("{", "after the model that is refined"));
  while (!peek().is("}")) {
    if (take_if("map", Token::Role::clause)) {
      ISOSCOPE_TRY_STATUS(component_map(result));
    } else if (take_if("event", Token::Role::clause)) {
      ISOSCOPE_TRY_STATUS(event_map(result));
    } else {
      return unexpected(result.maps.empty() && result.events.empty()
                            ? "`map`, `event` or `}`"
                            : "an operator, `map`, `event` or `}`");
    }
  }
  return expect("}", Token::Role::closing, "at the end of `refines`");
}

Status Parser::component_map(Statement& result) {
  MapText map;
  ISOSCOPE_TRY_STATUS(
      heading(map, dotted_name("a part of the state of the model that is refined")));
  ISOSCOPE_TRY_STATUS(expect("=", "and what it is"));
  if (peek().kind == Token::Kind::word && peek(1).is("when")) {
    ISOSCOPE_TRY(chosen, name("the name of a variable"));
    map.chosen = std::move(chosen);
    take();
    UpdateText::Case only;
    ISOSCOPE_TRY(condition, formula());
    only.condition = std::move(condition);
    map.cases.push_back(std::move(only));
  } else {
    ISOSCOPE_TRY_STATUS(cases(map.cases));
  }
  result.maps.push_back(std::move(map));
  return Done{};
}

Status Parser::event_map(Statement& result) {
  EventMapText map;
  ISOSCOPE_TRY_STATUS(heading(map, free_name("the name of an event")));
  ISOSCOPE_TRY_STATUS(expect("is", "and an event of the model that is refined, or `skip`"));
  if (peek().is("skip") && !peek(1).is("(")) {
    take();
  } else {
    Expr is;
    is.kind = Expr::Kind::apply;
    is.where = peek().where;
    ISOSCOPE_TRY(other, free_name("an event of the model that is refined, or `skip`"));
    is.name = std::move(other.text);
    ISOSCOPE_TRY_STATUS(expect("(", Token::Role::attached, "and the event's arguments"));
    ISOSCOPE_TRY_STATUS(arguments(is.children));
    ISOSCOPE_TRY(made, tree(std::move(is)));
    map.is = std::move(made);
  }
  result.events.push_back(std::move(map));
  return Done{};
}

}  // namespace isoscope::protocol
