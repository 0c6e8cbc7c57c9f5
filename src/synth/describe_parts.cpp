#include "synth/describe_parts.h"

#include <algorithm>

#include "isoscope/base/text_lines.h"
#include "isoscope/synth/describe.h"

namespace isoscope::synth {
namespace {

using spec::Matrix;
using spec::Structure;
using spec::Witness;

std::string order_text(const Structure& history, const std::vector<std::size_t>& order) {
  std::vector<std::string> names;
  for (const std::size_t t : order) names.push_back(history.transaction_names[t]);
  return joined(names, " < ");
}

}  // namespace

std::string_view name_of(Extent extent) {
  constexpr std::string_view names[] = {"some", "nothing", "everything", "unknown"};
  return names[static_cast<std::size_t>(extent)];
}

std::string extent_text(const spec::Definition& level, Extent extent, const Scope& scope) {
  if (extent == Extent::nothing) {
    return level.name + " allows no history " + scope_text(scope) +
           ": that it implies others says nothing.";
  }
  if (extent != Extent::everything) return "";
  return level.name + " allows every history " + scope_text(scope) + ".";
}

std::string wrapped_lines(std::string_view text, std::string_view indent) {
  constexpr std::size_t width = 100;
  constexpr std::string_view hanging = "  ";
  std::string lines;
  for (const std::string& line : wrapped(text, width - indent.size(), hanging.size())) {
    lines += std::string(indent) + std::string(lines.empty() ? "" : hanging) + line + "\n";
  }
  return lines;
}

std::string Table::text(std::string_view indent) const {
  std::size_t width = 0;
  for (const auto& [left, right] : rows_) width = std::max(width, left.size());
  std::string lines;
  for (const auto& [left, right] : rows_) {
    lines += std::string(indent) + left;
    if (!right.empty()) lines += std::string(width + 2 - left.size(), ' ') + right;
    lines += "\n";
  }
  return lines;
}

std::vector<std::size_t> in_order(const Matrix& order, const std::vector<std::size_t>& members) {
  std::vector<std::size_t> sorted = members;
  std::ranges::stable_sort(sorted, [&](std::size_t a, std::size_t b) { return order.has(a, b); });
  return sorted;
}

std::vector<std::size_t> all_transactions(const Structure& history) {
  std::vector<std::size_t> all;
  for (std::size_t t = 1; t < history.transactions; ++t) all.push_back(t);
  return all;
}

std::vector<std::size_t> writers_of(const Structure& history, std::size_t key) {
  std::vector<std::size_t> writers = all_transactions(history);
  std::erase_if(writers, [&](std::size_t t) { return !history.writes.has(t, key); });
  return writers;
}

std::vector<std::pair<std::size_t, std::size_t>> pairs_of(const Structure& history,
                                                          const Matrix& relation) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t t = 1; t < history.transactions; ++t) {
    for (std::size_t s = 1; s < history.transactions; ++s) {
      if (relation.has(t, s)) pairs.emplace_back(t, s);
    }
  }
  return pairs;
}

std::string witness_text(const Witness& witness, const Structure& history,
                         const spec::WitnessValue& value) {
  std::vector<std::string> parts;
  switch (witness.kind) {
    case Witness::Kind::total_order:
      return order_text(history, in_order(value.matrix, all_transactions(history)));
    case Witness::Kind::relation:
      for (const auto& [from, to] : pairs_of(history, value.matrix)) {
        parts.push_back(history.transaction_names[from] + " -> " + history.transaction_names[to]);
      }
      return parts.empty() ? "empty" : joined(parts, ", ");
    case Witness::Kind::version_order:
      for (std::size_t x = 0; x < history.keys; ++x) {
        const std::vector<std::size_t> writers = writers_of(history, x);
        if (writers.empty()) continue;
        parts.push_back(history.key_names[x] + ": " +
                        order_text(history, in_order(value.by_key[x], writers)));
      }
      return parts.empty() ? "nobody writes" : joined(parts, "; ");
    case Witness::Kind::transaction_set:
      for (const std::size_t t : all_transactions(history)) {
        if (value.matrix.has(0, t)) parts.push_back(history.transaction_names[t]);
      }
      return "{" + joined(parts, ", ") + "}";
    case Witness::Kind::key_set:
      for (std::size_t x = 0; x < history.keys; ++x) {
        if (value.matrix.has(0, x)) parts.push_back(history.key_names[x]);
      }
      return "{" + joined(parts, ", ") + "}";
  }
  return "";
}

}  // namespace isoscope::synth
