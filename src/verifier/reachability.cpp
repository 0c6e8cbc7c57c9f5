#include "verifier/reachability.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::verifier {

Reachability::Node Reachability::add(std::span<const Node> before) {
  const auto is_known = [&](Node node) { return node + 1 < starts_.size(); };
  ISOSCOPE_REQUIRE(std::ranges::all_of(before, is_known));
  before_.insert(before_.end(), before.begin(), before.end());
  starts_.push_back(before_.size());
  return static_cast<Node>(starts_.size() - 2);
}

std::size_t Reachability::add_set(std::span<const Node> nodes) {
  const auto is_known = [&](Node node) { return node + 1 < starts_.size(); };
  ISOSCOPE_REQUIRE(std::ranges::all_of(nodes, is_known));
  sets_.insert(sets_.end(), nodes.begin(), nodes.end());
  set_starts_.push_back(sets_.size());
  return set_starts_.size() - 2;
}

std::optional<std::size_t> Reachability::find_forbidden() {
  std::ranges::sort(questions_, {}, &Question::from);
  rows_.resize(starts_.size() - 1);
  for (std::size_t i = 0; i < questions_.size();) {
    const Node first = questions_[i].from - questions_[i].from % block_size;
    std::size_t end = i;
    while (end < questions_.size() && questions_[end].from < first + block_size) ++end;
    if (const auto found = look(std::span(questions_).subspan(i, end - i), first)) return found;
    i = end;
  }
  return std::nullopt;
}

std::optional<std::size_t> Reachability::look(std::span<const Question> of_block, Node first) {
  ISOSCOPE_REQUIRE(first % block_size == 0);
  for (Node node = first; node < rows_.size(); ++node) {
    Row row = {};
    if (node - first < block_size) row[(node - first) / 64] |= std::uint64_t{1} << node % 64;
    for (std::size_t i = starts_[node]; i < starts_[node + 1]; ++i) {
      if (before_[i] < first) continue;
      for (std::size_t word = 0; word < row.size(); ++word) row[word] |= rows_[before_[i]][word];
    }
    rows_[node] = row;
  }
  for (const Question& question : of_block) {
    ISOSCOPE_REQUIRE(question.from >= first && question.from - first < block_size);
    ISOSCOPE_REQUIRE(question.set + 1 < set_starts_.size());
    const Node from = question.from - first;
    for (std::size_t i = set_starts_[question.set]; i < set_starts_[question.set + 1]; ++i) {
      if (sets_[i] >= first && (rows_[sets_[i]][from / 64] >> from % 64 & 1) != 0) {
        return question.set;
      }
    }
  }
  return std::nullopt;
}

}  // namespace isoscope::verifier
