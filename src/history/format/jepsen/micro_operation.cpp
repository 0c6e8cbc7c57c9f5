#include "history/format/jepsen/micro_operation.h"

#include <algorithm>
#include <array>

#include "isoscope/base/json_writer.h"
#include "isoscope/base/words.h"

namespace isoscope::format {

namespace {

/// How each micro-operation is written: its name, and how many terms it has, name included.
struct Form {
  std::string_view name;
  OperationKind kind;
  std::size_t least;
  std::size_t most;
};

constexpr std::array forms = {
    Form{"append", OperationKind::append, 3, 3}, Form{"r", OperationKind::read, 2, 3},
    Form{"w", OperationKind::write, 3, 3},       Form{"insert", OperationKind::insert, 3, 3},
    Form{"delete", OperationKind::remove, 2, 2}, Form{"rp", OperationKind::predicate_read, 2, 3},
};

const Form& form_of(OperationKind kind) {
  if (kind == OperationKind::list_read) kind = OperationKind::read;
  return *std::ranges::find(forms, kind, &Form::kind);
}

constexpr std::size_t longest_vector_key = std::size_t{1} << 20;

Term nth(Term sequence, std::size_t n) {
  auto at = sequence.begin();
  while (n-- > 0) ++at;
  return *at;
}

/// Reads of a key, with and without a list, are the same request.
bool same_request(const MicroOperation& a, const MicroOperation& b) {
  if (form_of(a.kind).kind != form_of(b.kind).kind) return false;
  if (a.kind == OperationKind::predicate_read) return a.predicate == b.predicate;
  const bool read = form_of(a.kind).kind == OperationKind::read;
  return a.key == b.key && (read || a.value == b.value);
}

bool looks_like_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool MicroOperationReader::fits(Term value) const {
  if (!value.is_sequence() || value.size() == 0) return false;
  for (const Term term : value) {
    if (!term.is_sequence() || term.size() == 0 || !is_name(*term.begin())) return false;
  }
  return true;
}

Status MicroOperationReader::read(Term value, Phase phase, MicroOperations& into) {
  into.operations.clear();
  into.rows.clear();
  if (!value.is_sequence()) {
    return expected(notation_ == Notation::edn ? "a vector of micro-operations"
                                               : "an array of micro-operations",
                    value);
  }
  for (const Term term : value) ISOSCOPE_TRY_STATUS(read_one(term, phase, into));
  return Done{};
}

Status MicroOperationReader::read_one(Term term, Phase phase, MicroOperations& into) {
  if (!term.is_sequence() || term.size() == 0) {
    return expected("a micro-operation such as [" + spell("r") + " 7 1]", term);
  }
  const Term name = *term.begin();
  const auto form = std::ranges::find(forms, is_name(name) ? name.text() : "", &Form::name);
  if (form == forms.end()) {
    const auto spelt = [&](const Form& known) { return spell(known.name); };
    return expected("one of the micro-operations " + joined(forms, spelt), name);
  }
  if (term.size() < form->least || term.size() > form->most) {
    return error(term.offset(), "expected a micro-operation " + spell(form->name) + " of " +
                                    std::to_string(form->most) + " elements, found " +
                                    std::to_string(term.size()));
  }
  MicroOperation operation;
  operation.kind = form->kind;
  operation.offset = term.offset();
  if (form->kind == OperationKind::predicate_read) {
    ISOSCOPE_TRY_STATUS(read_predicate(term, phase, operation, into.rows));
  } else {
    ISOSCOPE_TRY_STATUS(read_item(term, form->kind, phase, operation));
  }
  into.operations.push_back(operation);
  return Done{};
}

Status MicroOperationReader::read_item(Term term, OperationKind kind, Phase phase,
                                       MicroOperation& operation) {
  ISOSCOPE_TRY(key, this->key(nth(term, 1)));
  operation.key = key;
  operation.value = ValuePool::nil;
  if (kind == OperationKind::remove) return use(key, KeyUse::plain, term.offset());
  if (kind != OperationKind::read) {
    ISOSCOPE_TRY(value, scalar(nth(term, 2), "a value to write"));
    operation.value = value;
    return use(key, kind == OperationKind::append ? KeyUse::list : KeyUse::plain, term.offset());
  }
  operation.reported = false;
  operation.value = ValuePool::unreported;
  if (phase == Phase::requested) return Done{};
  if (term.size() == 2) {
    if (phase == Phase::open) return Done{};
    return error(term.offset(), "expected the result of the read, found none");
  }
  const Term result = nth(term, 2);
  if (result.is(TermKind::nil) && phase == Phase::open) return Done{};
  operation.reported = true;
  if (result.is_sequence()) {
    operation.kind = OperationKind::list_read;
    ISOSCOPE_TRY(list, this->list(result));
    operation.value = list;
    return use(key, KeyUse::list, term.offset());
  }
  ISOSCOPE_TRY(value, scalar(result, "a list, or"));
  operation.value = value;
  if (value == ValuePool::nil) return Done{};
  return use(key, KeyUse::plain, term.offset());
}

Status MicroOperationReader::read_predicate(Term term, Phase phase, MicroOperation& operation,
                                            std::vector<RowVersion>& rows) {
  ISOSCOPE_TRY(predicate, this->predicate(nth(term, 1)));
  operation.predicate = predicate;
  operation.reported = false;
  if (phase == Phase::requested) return Done{};
  const bool has_result = term.size() == 3 && !nth(term, 2).is(TermKind::nil);
  if (!has_result) {
    if (phase == Phase::open) return Done{};
    return error(term.offset(), "expected the rows that the predicate read returned, found none");
  }
  operation.reported = true;
  operation.first_row = static_cast<std::uint32_t>(rows.size());
  ISOSCOPE_TRY_STATUS(read_rows(nth(term, 2), false, rows));
  operation.row_count = static_cast<std::uint32_t>(rows.size()) - operation.first_row;
  return Done{};
}

Status MicroOperationReader::read_rows(Term map, bool nil_allowed, std::vector<RowVersion>& into) {
  if (!map.is(TermKind::map)) {
    return expected(
        notation_ == Notation::edn ? "a map from keys to values" : "an object from keys to values",
        map);
  }
  const std::size_t first = into.size();
  for (auto at = map.begin(); at != map.end(); ++at) {
    const Term name = *at;
    const Term value = *++at;
    if (notation_ == Notation::json && looks_like_integer(name.text())) {
      return error(name.offset(), "expected a key that is no number, found " +
                                      describe(name, notation_) +
                                      ": as a member's name it could be the integer or the string");
    }
    ISOSCOPE_TRY(key, this->key(name));
    ISOSCOPE_TRY(content, scalar(value, "a row's value"));
    if (content == ValuePool::nil && !nil_allowed)
      return expected("the value of a row that exists", value);
    ISOSCOPE_TRY_STATUS(use(key, KeyUse::plain, name.offset()));
    into.push_back({key, content});
  }
  std::vector<KeyId> keys;
  for (std::size_t row = first; row < into.size(); ++row) keys.push_back(into[row].key);
  std::ranges::sort(keys);
  if (const auto twice = std::ranges::adjacent_find(keys); twice != keys.end()) {
    return error(map.offset(),
                 "expected distinct keys, found " + text_of(builder_.key_name(*twice)) + " twice");
  }
  return Done{};
}

Result<KeyId> MicroOperationReader::key(Term term) {
  ValuePool& values = builder_.values();
  switch (term.kind()) {
    case TermKind::integer:
      return builder_.key(values.integer(term.integer()));
    case TermKind::string:
    case TermKind::symbol: {
      (term.is(TermKind::string) ? string_keys_seen_ : symbol_keys_seen_) = true;
      if (string_keys_seen_ && symbol_keys_seen_) {
        return error(term.offset(), "expected either strings or symbols as keys, found both");
      }
      // Keywords and vectors are kept as their text, which such a string could be taken for.
      if (term.text().find_first_of(":[({#") == 0) {
        return error(term.offset(),
                     "expected a key that does not start with ':', '[', '(', '{' or '#', found " +
                         describe(term, notation_));
      }
      return builder_.key(values.string(term.text()));
    }
    case TermKind::keyword:
      return builder_.key(values.string(":" + std::string(term.text())));
    case TermKind::list:
    case TermKind::vector: {
      std::string text;
      if (append_canonical_edn(text, term, longest_vector_key))
        return builder_.key(values.string(text));
      return error(
          term.offset(),
          "expected a key of at most 1 MiB made of nil, integers, strings, keywords and vectors");
    }
    default:
      break;
  }
  return expected(notation_ == Notation::edn
                      ? "a key: an integer of 64 bits, a string, a keyword, a symbol or a vector"
                      : "a key: an integer of 64 bits, a string or an array",
                  term);
}

Result<ValueId> MicroOperationReader::scalar(Term term, std::string_view role) {
  ISOSCOPE_TRY(value, LogWords::scalar(term, builder_.values()));
  if (value) return *value;
  if (term.is(TermKind::number)) return expected("an integer of 64 bits", term);
  return expected(
      std::string(role) + (notation_ == Notation::edn ? ": nil, an integer, a string or a keyword"
                                                      : ": null, an integer or a string"),
      term);
}

Result<ValueId> MicroOperationReader::list(Term term) {
  ValueId list = ValuePool::empty_list;
  for (const Term element : term) {
    ISOSCOPE_TRY(value, scalar(element, "an element of a list"));
    list = builder_.values().list_with(list, value);
  }
  return list;
}

Result<PredicateId> MicroOperationReader::predicate(Term term) {
  Predicate predicate;
  if (is_name(term) && term.text() == "true") return builder_.predicate(predicate);
  if (term.is_sequence() && term.size() > 0 && is_name(*term.begin())) {
    const std::string_view name = (*term.begin()).text();
    predicate.operand = Predicate::value_operand;
    if (name == "=" && term.size() == 2) {
      predicate.kind = Predicate::Kind::equal;
      ISOSCOPE_TRY(value, scalar(nth(term, 1), "a value"));
      const ValuePool& values = builder_.values();
      switch (values.kind(value)) {
        case ValueKind::integer:
          predicate.constants.emplace_back(values.integer_of(value));
          break;
        case ValueKind::string:
          predicate.constants.emplace_back(std::string(values.string_of(value)));
          break;
        default:
          predicate.constants.emplace_back();
          break;
      }
      return builder_.predicate(predicate);
    }
    if (name == "mod" && term.size() == 3) {
      predicate.kind = Predicate::Kind::modulo;
      const Term modulus = nth(term, 1);
      const Term rest = nth(term, 2);
      if (!modulus.is(TermKind::integer) || modulus.integer() <= 0) {
        return expected("a positive integer of 64 bits", modulus);
      }
      if (!rest.is(TermKind::integer)) return expected("an integer of 64 bits", rest);
      predicate.constants = {modulus.integer(), rest.integer()};
      return builder_.predicate(predicate);
    }
  }
  return expected(
      "a predicate: " + spell("true") + ", [" + spell("=") + " v] or [" + spell("mod") + " m r]",
      term);
}

Status MicroOperationReader::use(KeyId key, KeyUse use, std::uint64_t offset) {
  if (key.index() >= uses_.size()) {
    uses_.resize(std::max<std::size_t>(key.index() + 1, uses_.size() * 2), KeyUse::unknown);
  }
  KeyUse& known = uses_[key.index()];
  if (known == KeyUse::unknown) known = use;
  if (use == KeyUse::list) lists_seen_ = true;
  if (known == use) return Done{};
  const bool list = known == KeyUse::list;
  return error(offset, "expected key " + text_of(builder_.key_name(key)) + " to hold " +
                           (list ? "lists" : "plain values") + " as before, found " +
                           (list ? "a plain value" : "a list or an append"));
}

void MicroOperationReader::settle() {
  if (!lists_seen_) return;
  builder_.nil_reads_are_list_reads([&](KeyId key) {
    return key.index() >= uses_.size() || uses_[key.index()] != KeyUse::plain;
  });
}

Status MicroOperationReader::match(const MicroOperations& request, const MicroOperations& reply,
                                   std::uint64_t reply_offset,
                                   const std::function<std::string()>& where_requested) const {
  const auto differ = [&](std::uint64_t offset, const std::string& asked,
                          const std::string& answered) {
    return error(offset,
                 "expected " + asked + " as in the " + where_requested() + ", found " + answered);
  };
  if (request.operations.size() != reply.operations.size()) {
    return differ(reply_offset, std::to_string(request.operations.size()) + " micro-operations",
                  std::to_string(reply.operations.size()));
  }
  for (std::size_t i = 0; i < request.operations.size(); ++i) {
    const MicroOperation& asked = request.operations[i];
    const MicroOperation& answered = reply.operations[i];
    if (same_request(asked, answered)) continue;
    if (asked.kind == answered.kind && asked.kind == OperationKind::predicate_read) {
      return differ(answered.offset, "the predicate", "another one");
    }
    return differ(answered.offset, text_of(asked), text_of(answered));
  }
  return Done{};
}

std::string MicroOperationReader::text_of(ValueId value) const {
  const ValuePool& values = builder_.values();
  switch (values.kind(value)) {
    case ValueKind::integer:
      return std::to_string(values.integer_of(value));
    case ValueKind::string:
      return quoted_for_message(values.string_of(value));
    default:
      return notation_ == Notation::edn ? "nil" : "null";
  }
}

std::string MicroOperationReader::text_of(const MicroOperation& operation) const {
  std::string text = "[" + spell(form_of(operation.kind).name);
  if (operation.kind == OperationKind::predicate_read) return text + " ...]";
  text += " " + text_of(builder_.key_name(operation.key));
  if (operation.kind != OperationKind::read && operation.kind != OperationKind::list_read &&
      operation.kind != OperationKind::remove) {
    text += " " + text_of(operation.value);
  }
  return text + "]";
}

}  // namespace isoscope::format
