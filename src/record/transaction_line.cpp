#include "record/transaction_line.h"

#include "isoscope/base/contract.h"
#include "isoscope/base/json_writer.h"
#include "isoscope/history/predicate_json.h"

namespace isoscope::record {

namespace {

bool is_predicate(const Request& request) {
  return request.kind == OperationKind::predicate_read ||
         request.kind == OperationKind::predicate_write;
}

/// White space may stand anywhere between JSON values.
std::string padded(std::string field) {
  const std::size_t width = TransactionLine::indeterminate().size();
  ISOSCOPE_ENSURE(field.size() <= width);
  field.append(width - field.size(), ' ');
  return field;
}

}  // namespace

TransactionLine::TransactionLine(const HistoryBuilder& names, std::span<const TableShape> tables)
    : names_(names), tables_(1) {
  for (const TableShape& shape : tables) {
    if (shape.table.index() >= tables_.size()) tables_.resize(shape.table.index() + 1);
    tables_[shape.table.index()] = shape.name;
  }
}

std::string TransactionLine::committed(std::int64_t end) {
  std::string field = "\"end\":";
  append_integer(field, end);
  return padded(std::move(field));
}

std::string TransactionLine::aborted() { return padded("\"outcome\":\"aborted\""); }

std::string TransactionLine::aborted_at(std::int64_t end) {
  std::string field = "\"outcome\":\"aborted\",\"end\":";
  append_integer(field, end);
  return field;
}

void TransactionLine::begin(std::string_view session, std::int64_t time) {
  text_ = "{\"session\":";
  text_ += session;
  text_ += ",\"begin\":";
  append_integer(text_, time);
  text_ += ',';
  field_ = text_.size();
  text_ += indeterminate();
  text_ += ",\"ops\":[";
  operations_ = 0;
}

void TransactionLine::start(const Request& request) {
  if (operations_++ != 0) text_ += ',';
  text_ += NativeText::start_of(request.kind);
  if (is_predicate(request)) {
    append_predicate_json(text_, names_.predicate(request.predicate));
  } else {
    native_.key(table_of(request.key), names_.key_name(request.key));
  }
}

void TransactionLine::end() { text_ += ']'; }

void TransactionLine::add(const Request& request, const Reply& reply) {
  start(request);
  switch (request.kind) {
    case OperationKind::predicate_read:
    case OperationKind::predicate_write:
      add_rows(reply.rows);
      if (!tables_[request.table.index()].empty()) {
        text_ += ',';
        append_json_string(text_, tables_[request.table.index()]);
      }
      break;
    case OperationKind::list_read:
      text_ += ',';
      native_.value_or_list(reply.value == ValuePool::nil ? ValuePool::empty_list : reply.value);
      break;
    case OperationKind::read:
      text_ += ',';
      native_.value_or_list(reply.value);
      break;
    case OperationKind::write:
    case OperationKind::insert:
    case OperationKind::append:
      text_ += ',';
      native_.value(request.value);
      break;
    case OperationKind::remove:
      break;
  }
  end();
}

void TransactionLine::add_rows(std::span<const RowVersion> rows) {
  text_ += ",[";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text_ += i == 0 ? "[" : ",[";
    native_.name(names_.key_name(rows[i].key));
    text_ += ',';
    native_.value(rows[i].value);
    text_ += ']';
  }
  text_ += ']';
}

void TransactionLine::add_unanswered(const Request& request) {
  start(request);
  if (is_predicate(request)) {
    text_ += ",null";
    if (!tables_[request.table.index()].empty()) {
      text_ += ',';
      append_json_string(text_, tables_[request.table.index()]);
    }
  } else if (request.kind != OperationKind::read && request.kind != OperationKind::list_read &&
             request.kind != OperationKind::remove) {
    text_ += ',';
    native_.value(request.value);
  }
  end();
}

std::string_view TransactionLine::finish(std::string_view outcome_field) {
  text_.replace(field_, indeterminate().size(), outcome_field);
  text_ += "]}\n";
  return text_;
}

}  // namespace isoscope::record
