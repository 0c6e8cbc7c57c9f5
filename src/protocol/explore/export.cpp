#include "isoscope/protocol/export.h"

#include <algorithm>
#include <optional>

#include "isoscope/history/history_builder.h"
#include "protocol/explore/system.h"

namespace isoscope::protocol {

namespace {

struct Times {
  std::optional<std::int64_t> first, begin, commit, answer;
};

std::vector<Times> times_of(const Model& model, const Trace& trace, std::size_t transactions) {
  std::vector<Times> result(transactions);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Trace::Step& step = trace.steps[i];
    const Event& event = model.events[step.event];
    const auto now = static_cast<std::int64_t>(i + 1);
    for (std::size_t p = 0; p < event.parameters.size(); ++p) {
      if (event.parameters[p].sort != Sort::transaction) continue;
      Times& times = result[step.parameters[p]];
      if (!times.first) times.first = now;
      if (event.begins == p && !times.begin) times.begin = now;
      if (event.commits == p) times.commit = now;
      if (event.answers == p && !times.answer) times.answer = now;
    }
  }
  return result;
}

/// With more transactions than this, looking ahead would take longer than it is worth.
constexpr std::size_t most_looked_ahead = 16;

/// Which transactions can perhaps still commit: those of which a commit event cannot be excluded.
std::vector<bool> may_commit(const Model& model, const Trace& trace, const State& last,
                             std::size_t transactions) {
  if (transactions > most_looked_ahead) return std::vector<bool>(transactions, true);
  std::vector<bool> result(transactions, false);
  const System future(model, trace.sizes, trace.orders, last);
  for (const Action& action : future.actions()) {
    if (action.commits) result[*action.commits] = true;
  }
  return result;
}

}  // namespace

History history_of(const Model& model, const Trace& trace) {
  const Instance instance(model, trace.sizes, trace.orders);
  State last = trace.start;
  for (const Trace::Step& step : trace.steps) last = state_after(instance, step, last);
  const std::size_t transactions = instance.count(Sort::transaction);
  const auto times = times_of(model, trace, transactions);
  const bool has_begins = std::ranges::any_of(
      model.events, [](const Event& event) { return event.begins.has_value(); });
  const bool has_answers = std::ranges::any_of(
      model.events, [](const Event& event) { return event.answers.has_value(); });
  const auto holds = [&](const Named& named, std::initializer_list<std::size_t> arguments) {
    if (!named.formula) return false;
    std::vector<std::uint8_t> values;
    for (const std::size_t one : arguments) values.push_back(static_cast<std::uint8_t>(one));
    return instance.evaluate(*named.formula, last, values);
  };

  const std::vector<bool> pending = may_commit(model, trace, last, transactions);
  HistoryBuilder builder;
  builder.set_origin("protocol " + model.name);
  const Observation& seen = model.observation;
  for (std::size_t t = 1; t < transactions; ++t) {
    struct Access {
      std::size_t key, writer;
    };
    std::vector<Access> reads, writes;
    for (std::size_t k = 0; k < instance.count(Sort::key); ++k) {
      for (std::size_t w = 0; w < transactions; ++w) {
        if (w != t && holds(seen.reads, {t, k, w})) reads.push_back({k, w});
      }
      if (holds(seen.writes, {t, k})) writes.push_back({k, t});
    }
    const bool committed = holds(seen.committed, {t});
    const auto begin = has_begins ? times[t].begin : times[t].first;
    if (!committed && !begin && reads.empty() && writes.empty()) continue;

    const std::size_t client = instance.owner(static_cast<std::uint8_t>(t));
    builder.begin_transaction(builder.session(builder.values().string(client_name(client))),
                              builder.values().integer(static_cast<std::int64_t>(t)));
    for (const Access& read : reads) {
      builder.read(builder.key(key_name(read.key)),
                   read.writer == 0
                       ? ValuePool::nil
                       : builder.values().integer(static_cast<std::int64_t>(read.writer)));
    }
    for (const Access& write : writes) {
      builder.write(builder.key(key_name(write.key)),
                    builder.values().integer(static_cast<std::int64_t>(t)));
    }
    builder.set_outcome(committed                        ? Outcome::committed
                        : times[t].answer || !pending[t] ? Outcome::aborted
                                                         : Outcome::indeterminate);
    const auto end = has_answers ? times[t].answer : times[t].commit;
    builder.set_times(begin, end && begin && *end < *begin ? std::nullopt : end);
  }
  return std::move(builder).finish();
}

}  // namespace isoscope::protocol
