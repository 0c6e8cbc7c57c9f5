#include "planted_violation.h"

#include <vector>

#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"

namespace isoscope {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(separator)) != text.npos; text.remove_prefix(end + 1)) {
    parts.push_back(text.substr(0, end));
  }
  parts.push_back(text);
  return parts;
}

void add_planted(HistoryBuilder& builder, std::string_view operations, std::int64_t free_key) {
  for (const std::string_view operation : split(operations, ' ')) {
    const KeyId key = builder.key(free_key + (operation[1] - 'x'));
    const ValueId value = builder.values().integer(operation[2] - '0');
    builder.add(operation[0] == 'r' ? OperationKind::read : OperationKind::write, key, value);
  }
}

}  // namespace

bool plant(const PlantedViolation& violation, const std::string& from, const std::string& to) {
  const Result<Source> source = Source::open(from);
  if (!source) return false;
  const Result<History> read = read_history(*source, {.format = Format::dbcop_bincode});
  if (!read) return false;
  const History& history = *read;
  const std::vector<std::string_view> planted = split(violation.transactions, ';');
  if (history.session_count() < planted.size()) return false;

  HistoryBuilder builder;
  const ValuePool& values = history.values();
  std::int64_t free_key = 0;
  for (const KeyId key : history.keys()) {
    free_key = std::max(free_key, values.integer_of(history.key_name(key)) + 1);
  }
  builder.set_initial_default(builder.values().integer(0));
  for (const SessionId session : history.sessions()) {
    const SessionId copy = builder.add_session();
    const auto transactions = history.session(session);
    for (std::size_t i = 0; i < transactions.size(); ++i) {
      if (i == transactions.size() / 2 && session.index() < planted.size()) {
        builder.begin_transaction(copy);
        add_planted(builder, planted[session.index()], free_key);
      }
      builder.begin_transaction(copy);
      builder.set_outcome(history.outcome(transactions[i]));
      for (const Operation& operation : history.operations(transactions[i])) {
        builder.add(operation.kind(),
                    builder.key(values.integer_of(history.key_name(operation.key()))),
                    builder.values().integer(values.integer_of(operation.value())));
      }
    }
  }
  Result<FileSink> sink = FileSink::create(to);
  return sink && write_history(std::move(builder).finish(), Format::dbcop_bincode, *sink) &&
         sink->close();
}

}  // namespace isoscope
