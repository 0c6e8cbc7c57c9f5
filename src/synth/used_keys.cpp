#include "synth/used_keys.h"

namespace isoscope::synth {

using spec::Witness;

std::vector<std::size_t> used_keys(const spec::Structure& history) {
  std::vector<std::size_t> keys;
  for (std::size_t x = 0; x < history.keys; ++x) {
    bool is_used = false;
    for (std::size_t t = 1; t < history.transactions; ++t)
      is_used = is_used || history.writes.has(t, x) || history.reads(t, x);
    if (is_used) keys.push_back(x);
  }
  return keys;
}

spec::Structure with_keys(const spec::Structure& history, const std::vector<std::size_t>& keys) {
  spec::Structure result = spec::empty_structure(history.transactions - 1, keys.size());
  result.so = history.so;
  result.rt = history.rt;
  for (std::size_t x = 0; x < keys.size(); ++x) {
    for (std::size_t t = 1; t < history.transactions; ++t)
      if (history.writes.has(t, keys[x])) result.writes.add(t, x);
    result.wr[x] = history.wr[keys[x]];
    result.seen_before[x] = history.seen_before[keys[x]];
  }
  return result;
}

spec::Execution with_keys(const spec::Execution& execution, const spec::Definition& level,
                          const std::vector<std::size_t>& keys) {
  spec::Execution result = execution;
  for (std::size_t i = 0; i < execution.size(); ++i) {
    if (level.witnesses[i].kind == Witness::Kind::version_order) {
      result[i].by_key.clear();
      for (const std::size_t x : keys) result[i].by_key.push_back(execution[i].by_key[x]);
    } else if (level.witnesses[i].kind == Witness::Kind::key_set) {
      result[i].matrix.rows.assign(1, 0);
      for (std::size_t x = 0; x < keys.size(); ++x)
        if (execution[i].matrix.has(0, keys[x])) result[i].matrix.add(0, x);
    }
  }
  return result;
}

spec::Execution on_all_keys(const spec::Execution& execution, const spec::Definition& level,
                            const std::vector<std::size_t>& keys, const spec::Structure& whole) {
  spec::Execution result = execution;
  for (std::size_t i = 0; i < execution.size(); ++i) {
    if (level.witnesses[i].kind == Witness::Kind::version_order) {
      const spec::Matrix none{std::vector<std::uint64_t>(whole.transactions, 0)};
      result[i].by_key.assign(whole.keys, none);
      for (std::size_t x = 0; x < keys.size(); ++x)
        result[i].by_key[keys[x]] = execution[i].by_key[x];
    } else if (level.witnesses[i].kind == Witness::Kind::key_set) {
      result[i].matrix.rows.assign(1, 0);
      for (std::size_t x = 0; x < keys.size(); ++x)
        if (execution[i].matrix.has(0, x)) result[i].matrix.add(0, keys[x]);
    }
  }
  return result;
}

}  // namespace isoscope::synth
