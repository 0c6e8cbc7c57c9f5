#include "check/reads/list_search.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope {

void ListSearch::clear() {
  elements_.clear();
  starts_.assign(1, 0);
}

std::size_t ListSearch::add_block(std::span<const ValueId> elements) {
  ISOSCOPE_REQUIRE(!elements.empty());
  elements_.insert(elements_.end(), elements.begin(), elements.end());
  starts_.push_back(elements_.size());
  return starts_.size() - 2;
}

void ListSearch::prepare() {
  std::vector<std::size_t> order(starts_.size() - 1);
  for (std::size_t number = 0; number < order.size(); ++number) order[number] = number;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(block(a), block(b));
  });
  shapes_.clear();
  shape_of_.resize(order.size());
  for (const std::size_t number : order) {
    if (shapes_.empty() || !std::ranges::equal(block(shapes_.back().block), block(number))) {
      shapes_.push_back({number, 0});
    }
    ++shapes_.back().left;
    shape_of_[number] = shapes_.size() - 1;
  }
}

ListSearch::Explained ListSearch::explain(std::span<const ValueId> list, std::size_t excluded,
                                          std::uint64_t& work) {
  ISOSCOPE_REQUIRE(shape_of_.size() + 1 == starts_.size());
  ISOSCOPE_REQUIRE(excluded == no_block || excluded < shape_of_.size());
  ISOSCOPE_ENSURE(excluded == no_block || shapes_[shape_of_[excluded]].left > 0);
  if (excluded != no_block) --shapes_[shape_of_[excluded]].left;
  choices_.clear();
  const Explained answer = search(list, work);
  for (const Choice& choice : choices_) ++shapes_[choice.shape].left;
  if (excluded != no_block) ++shapes_[shape_of_[excluded]].left;
  return answer;
}

ListSearch::Explained ListSearch::search(std::span<const ValueId> list, std::uint64_t& work) {
  std::uint64_t budget = 4096 + 64 * std::uint64_t{list.size()};
  const auto first_shape = [&](std::size_t position) {
    const auto found = std::ranges::lower_bound(
        shapes_, list[position], {}, [&](const Shape& shape) { return block(shape.block)[0]; });
    return static_cast<std::size_t>(found - shapes_.begin());
  };
  std::size_t position = 0;
  std::size_t shape = list.empty() ? 0 : first_shape(0);
  while (position < list.size()) {
    const std::span<const ValueId> rest = list.subspan(position);
    if (shape < shapes_.size() && block(shapes_[shape].block)[0] == rest[0]) {
      const std::span<const ValueId> elements = block(shapes_[shape].block);
      const std::uint64_t cost = 1 + elements.size();
      work += cost;
      if (budget < cost) return Explained::gave_up;
      budget -= cost;
      if (shapes_[shape].left == 0 || elements.size() > rest.size() ||
          !std::ranges::equal(elements, rest.first(elements.size()))) {
        ++shape;
        continue;
      }
      --shapes_[shape].left;
      choices_.push_back({position, shape});
      position += elements.size();
      if (position < list.size()) shape = first_shape(position);
      continue;
    }
    // Nothing (more) fits here: take back the last block and try the next shape in its place.
    if (choices_.empty()) return Explained::no;
    position = choices_.back().position;
    shape = choices_.back().shape;
    choices_.pop_back();
    ++shapes_[shape].left;
    ++shape;
  }
  ISOSCOPE_ENSURE(position == list.size());  // the blocks end where the list ends
  return Explained::yes;
}

}  // namespace isoscope
