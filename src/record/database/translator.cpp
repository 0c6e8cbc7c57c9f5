#include "record/database/translator.h"

namespace isoscope::record {

ValueId Translator::value(ValueId value) {
  if (at(values_, value.index()) == unknown) {
    // Into a variable first: at() may have moved what it returned before.
    const ValueId translated = translate(value);
    at(values_, value.index()) = translated.value;
  }
  return ValueId(values_[value.index()]);
}

ValueId Translator::translate(ValueId value) {
  const ValuePool& from = from_.values();
  ValuePool& to = to_.values();
  switch (from.kind(value)) {
    case ValueKind::nil:
      return ValuePool::nil;
    case ValueKind::unreported:
      return ValuePool::unreported;
    case ValueKind::integer:
      return to.integer(from.integer_of(value));
    case ValueKind::string:
      return to.string(from.string_of(value));
    case ValueKind::row: {
      std::vector<Column> columns;
      for (const Column& column : from.row_of(value))
        columns.push_back({this->value(column.name), this->value(column.value)});
      return to.row(columns);
    }
    case ValueKind::list: {
      ValueId list = ValuePool::empty_list;
      for (const ValueId element : from.list_elements(value))
        list = to.list_with(list, this->value(element));
      return list;
    }
  }
  return ValuePool::nil;
}

KeyId Translator::key(KeyId key) {
  if (at(keys_, key.index()) == unknown) {
    const ValueId name = value(from_.key_name(key));
    at(keys_, key.index()) = to_.key(name, table(from_.key_table(key))).value;
  }
  return KeyId(keys_[key.index()]);
}

PredicateId Translator::predicate(PredicateId predicate) {
  if (at(predicates_, predicate.index()) == unknown)
    at(predicates_, predicate.index()) = to_.predicate(from_.predicate(predicate)).value;
  return PredicateId(predicates_[predicate.index()]);
}

}  // namespace isoscope::record
