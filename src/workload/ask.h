#pragma once

#include "isoscope/workload/request.h"

/// Requests by name, so that scripts read like what they do: `co_yield ask::read(key);`.
namespace isoscope::ask {

inline Request item(OperationKind kind, KeyId key, ValueId value = ValuePool::nil) {
  Request request;
  request.kind = kind;
  request.key = key;
  request.value = value;
  return request;
}

inline Request read(KeyId key) { return item(OperationKind::read, key); }
inline Request write(KeyId key, ValueId value) { return item(OperationKind::write, key, value); }
inline Request insert(KeyId key, ValueId value) { return item(OperationKind::insert, key, value); }
inline Request remove(KeyId key) { return item(OperationKind::remove, key); }
inline Request list_read(KeyId key) { return item(OperationKind::list_read, key); }
inline Request append(KeyId key, ValueId element) {
  return item(OperationKind::append, key, element);
}

inline Request select(TableId table, PredicateId predicate) {
  Request request;
  request.kind = OperationKind::predicate_read;
  request.table = table;
  request.predicate = predicate;
  return request;
}

/// The columns that `row` names change in every row selected.
inline Request update(TableId table, PredicateId predicate, ValueId row) {
  Request request = select(table, predicate);
  request.kind = OperationKind::predicate_write;
  request.value = row;
  return request;
}

}  // namespace isoscope::ask
