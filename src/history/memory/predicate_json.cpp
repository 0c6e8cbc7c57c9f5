#include "isoscope/history/predicate_json.h"

#include <array>

#include "isoscope/base/json_writer.h"

namespace isoscope {

namespace {

/// How each kind is written, and what follows its operand: this number of constants, or a list.
struct Form {
  Predicate::Kind kind;
  std::string_view word;
  int constants;
};

constexpr int constant_list = -1;

using Kind = Predicate::Kind;

constexpr std::array forms = {
    Form{Kind::equal, "=", 1},         Form{Kind::not_equal, "<>", 1},
    Form{Kind::less, "<", 1},          Form{Kind::less_equal, "<=", 1},
    Form{Kind::greater, ">", 1},       Form{Kind::greater_equal, ">=", 1},
    Form{Kind::between, "between", 2}, Form{Kind::in, "in", constant_list},
    Form{Kind::is_null, "is-null", 0}, Form{Kind::prefix, "prefix", 1},
    Form{Kind::modulo, "mod", 2},      Form{Kind::conjunction, "and", 0},
    Form{Kind::disjunction, "or", 0},  Form{Kind::negation, "not", 0},
};

constexpr std::string_view expected_predicate =
    "a predicate: true or an array that starts with =, <>, <, <=, >, >=, between, in, is-null, "
    "prefix, mod, "
    "and, or, not";

bool has_children(Kind kind) {
  return kind == Kind::conjunction || kind == Kind::disjunction || kind == Kind::negation;
}

bool read_constant(JsonReader& json, Predicate& predicate) {
  switch (json.peek()) {
    case JsonReader::Kind::number:
      if (auto value = json.integer()) predicate.constants.emplace_back(*value);
      break;
    case JsonReader::Kind::string:
      if (auto text = json.string()) predicate.constants.emplace_back(std::string(*text));
      break;
    case JsonReader::Kind::null:
      json.null();
      predicate.constants.emplace_back();
      break;
    default:
      json.fail_expected("null, an integer or a string");
  }
  return !json.failed();
}

std::string shown(const Constant& constant) {
  if (const auto* text = std::get_if<std::string>(&constant)) return quoted_for_message(*text);
  std::string text;
  append_constant(text, constant, "null");
  return text;
}

/// Says what is wrong with constants of the wrong type, or nothing.
std::string complaint(const Predicate& predicate) {
  const auto is_integer = [](const Constant& c) { return std::holds_alternative<std::int64_t>(c); };
  if (predicate.kind == Kind::prefix &&
      !std::holds_alternative<std::string>(predicate.constants[0])) {
    return "expected a string after prefix, found " + shown(predicate.constants[0]);
  }
  if (predicate.kind == Kind::modulo) {
    if (!is_integer(predicate.constants[0]) || !is_integer(predicate.constants[1]) ||
        std::get<std::int64_t>(predicate.constants[0]) <= 0) {
      return "expected a positive integer and an integer after mod, found " +
             shown(predicate.constants[0]) + " and " + shown(predicate.constants[1]);
    }
  }
  return {};
}

/// The array must have one more element.
bool expect_element(JsonReader& json, std::string_view expected) {
  if (json.next_element()) return true;
  return json.fail_at(json.input().offset() - 1, "expected " + std::string(expected) + ", found ]");
}

bool read_operand(JsonReader& json, Predicate& predicate) {
  if (!expect_element(json, "a column name, \"@value\" or \"@key\"")) return false;
  const auto operand = json.string("a column name, \"@value\" or \"@key\"");
  if (!operand) return false;
  if (operand->starts_with('@') && *operand != Predicate::key_operand &&
      *operand != Predicate::value_operand) {
    return json.fail_found("\"@value\", \"@key\" or a column name without @", *operand);
  }
  predicate.operand = *operand;
  return true;
}

bool read_arguments(JsonReader& json, const Form& form, Predicate& predicate) {
  if (has_children(form.kind)) {
    while (json.next_element()) {
      auto child = read_predicate_json(json);
      if (!child) return false;
      predicate.children.push_back(std::move(*child));
    }
    if (form.kind == Kind::negation && predicate.children.size() != 1 && !json.failed()) {
      return json.fail("expected one predicate after not, found " +
                       std::to_string(predicate.children.size()));
    }
    return !json.failed();
  }
  if (!read_operand(json, predicate)) return false;
  if (form.constants == constant_list) {
    if (!expect_element(json, "an array of constants")) return false;
    if (!json.begin_array("an array of constants")) return false;
    while (json.next_element()) {
      if (!read_constant(json, predicate)) return false;
    }
    if (json.failed()) return false;
  }
  for (int i = 0; i < form.constants; ++i) {
    if (!expect_element(json, "one more constant")) return false;
    if (!read_constant(json, predicate)) return false;
  }
  if (json.next_element()) return json.fail_expected("']' after the predicate's last argument");
  if (json.failed()) return false;
  if (std::string wrong = complaint(predicate); !wrong.empty()) return json.fail(std::move(wrong));
  return true;
}

}  // namespace

void append_constant(std::string& to, const Constant& constant, std::string_view nil) {
  if (const auto* integer = std::get_if<std::int64_t>(&constant)) {
    append_integer(to, *integer);
  } else if (const auto* text = std::get_if<std::string>(&constant)) {
    append_json_string(to, *text);
  } else {
    to += nil;
  }
}

void append_predicate_json(std::string& to, const Predicate& predicate) {
  if (predicate.kind == Kind::always) {
    to += "true";
    return;
  }
  for (const Form& form : forms) {
    if (form.kind != predicate.kind) continue;
    to.push_back('[');
    append_json_string(to, form.word);
    for (const Predicate& child : predicate.children) {
      to.push_back(',');
      append_predicate_json(to, child);
    }
    if (!has_children(form.kind)) {
      to.push_back(',');
      append_json_string(to, predicate.operand);
    }
    if (form.constants == constant_list) to += ",[";
    for (std::size_t i = 0; i < predicate.constants.size(); ++i) {
      if (form.constants != constant_list || i != 0) to.push_back(',');
      append_constant(to, predicate.constants[i], "null");
    }
    to += form.constants == constant_list ? "]]" : "]";
  }
}

std::optional<Predicate> read_predicate_json(JsonReader& json) {
  Predicate predicate;
  if (json.peek() == JsonReader::Kind::boolean) {
    const auto value = json.boolean();
    if (value && !*value) json.fail("expected true or a condition, found false: write [\"or\"]");
    return json.failed() ? std::nullopt : std::optional(predicate);
  }
  if (!json.begin_array(expected_predicate)) return std::nullopt;
  if (!json.next_element()) {
    json.fail("expected " + std::string(expected_predicate) + ", found an empty array");
    return std::nullopt;
  }
  const auto word = json.string(expected_predicate);
  if (!word) return std::nullopt;
  for (const Form& form : forms) {
    if (form.word != *word) continue;
    predicate.kind = form.kind;
    if (!read_arguments(json, form, predicate)) return std::nullopt;
    return predicate;
  }
  json.fail_found(expected_predicate, *word);
  return std::nullopt;
}

}  // namespace isoscope
