#include "planted_violation.h"

#include <cstdio>
#include <vector>

#include "child.h"
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

bool plant(std::string_view transactions, const std::string& from, const std::string& to,
           Format format) {
  const Result<Source> source = Source::open(from);
  if (!source) return false;
  const Result<History> read = read_history(*source, {.format = Format::dbcop_bincode});
  if (!read) return false;
  const History& history = *read;
  const std::vector<std::string_view> planted = split(transactions, ';');
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
    const auto in_session = history.session(session);
    for (std::size_t i = 0; i < in_session.size(); ++i) {
      if (i == in_session.size() / 2 && session.index() < planted.size()) {
        builder.begin_transaction(copy);
        add_planted(builder, planted[session.index()], free_key);
      }
      builder.begin_transaction(copy);
      builder.set_outcome(history.outcome(in_session[i]));
      for (const Operation& operation : history.operations(in_session[i])) {
        builder.add(operation.kind(),
                    builder.key(values.integer_of(history.key_name(operation.key()))),
                    builder.values().integer(values.integer_of(operation.value())));
      }
    }
  }
  Result<FileSink> sink = FileSink::create(to);
  return sink && write_history(std::move(builder).finish(), format, *sink) && sink->close();
}

bool plant_history(std::string_view transactions, const std::string& from, const std::string& to,
                   Format format) {
  const auto planted = in_child([&] { return plant(transactions, from, to, format); });
  if (planted && *planted) return true;
  std::fprintf(stderr, "%s: nothing can be planted\n", from.c_str());
  return false;
}

}  // namespace isoscope
