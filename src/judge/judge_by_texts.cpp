#include "isoscope/judge/judge_by_texts.h"

#include <array>
#include <map>
#include <memory>
#include <set>

#include "isoscope/base/contract.h"
#include "isoscope/base/limits.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/spec/level_text.h"
#include "isoscope/spec/structure.h"
#include "isoscope/synth/synthesize.h"

namespace isoscope {

namespace {

/// The transaction that wrote each value: in exported histories a value is written once per key.
using Writers = std::map<std::pair<std::uint32_t, std::uint32_t>, TransactionId>;

Writers writers_of(const History& history) {
  Writers writers;
  for (const TransactionId t : history.transactions()) {
    for (const Operation& operation : history.operations(t)) {
      if (operation.is_item_write()) {
        writers[{operation.key().value, operation.value().value}] = t;
      }
    }
  }
  return writers;
}

/// The transactions that took effect as far as anyone can tell: the committed ones and those
/// without outcome that these read from. Nothing if one of them read what never took effect.
std::optional<std::set<std::size_t>> effective(const History& history) {
  const Writers writers = writers_of(history);
  std::set<std::size_t> result;
  std::vector<TransactionId> open;
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) != Outcome::committed) continue;
    result.insert(t.index());
    open.push_back(t);
  }
  while (!open.empty()) {
    const TransactionId t = open.back();
    open.pop_back();
    for (const Operation& operation : history.operations(t)) {
      if (!operation.is_item_read() || operation.value() == ValuePool::nil) continue;
      const auto writer = writers.find({operation.key().value, operation.value().value});
      if (writer == writers.end() || history.outcome(writer->second) == Outcome::aborted) {
        return std::nullopt;
      }
      if (result.insert(writer->second.index()).second) open.push_back(writer->second);
    }
  }
  return result;
}

/// The history of these transactions alone, all committed. Without sessions, each is in one of its
/// own.
History restricted(const History& history, const std::set<std::size_t>& kept, bool sessions) {
  HistoryBuilder builder;
  for (const TransactionId t : history.transactions()) {
    if (!kept.contains(t.index())) continue;
    const auto number =
        static_cast<std::int64_t>(sessions ? history.session_of(t).index() : t.index());
    builder.begin_transaction(builder.session(builder.values().integer(number)));
    for (const Operation& operation : history.operations(t)) {
      const auto key = static_cast<std::int64_t>(operation.key().index());
      const ValueId value = operation.value() == ValuePool::nil
                                ? ValuePool::nil
                                : builder.values().integer(operation.value().value);
      builder.add(operation.kind(), builder.key(key), value);
    }
    builder.set_times(history.begin_time(t), history.end_time(t));
  }
  return std::move(builder).finish();
}

}  // namespace

protocol::Judge judge_by_texts() {
  using protocol::AbstractLevel;
  using protocol::Opinion;
  using Definitions = std::array<std::optional<spec::Definition>, protocol::abstract_level_count>;
  const auto definitions = std::make_shared<Definitions>();
  return [definitions](const History& history, AbstractLevel level) {
    const protocol::AbstractLevelEntry& entry = protocol::entry_of(level);
    std::optional<spec::Definition>& definition = (*definitions)[static_cast<std::size_t>(level)];
    if (!definition) {
      const auto text = spec::find_shipped(entry.text, "");
      ISOSCOPE_ENSURE(text.has_value());
      auto read = spec::read_definition(*text, spec::find_shipped);
      ISOSCOPE_ENSURE(static_cast<bool>(read));
      definition = *std::move(read);
    }
    const auto kept = effective(history);
    if (!kept) return Opinion::forbids;
    const auto structure = spec::structure_of(restricted(history, *kept, entry.sessions));
    if (!structure) return Opinion::unknown;
    const auto allowed = synth::is_allowed(*definition, *structure, Limits());
    if (!allowed) return Opinion::unknown;
    return allowed->execution ? Opinion::allows : Opinion::forbids;
  };
}

}  // namespace isoscope
