#include "workload/key_chooser.h"

#include <algorithm>
#include <unordered_set>

namespace isoscope {

KeyChooser::KeyChooser(const WorkloadPlan& plan, std::size_t n)
    : n_(n), hot_use_percent_(plan.hot_use_percent) {
  ISOSCOPE_REQUIRE(n > 0);
  if (plan.distribution == KeyDistribution::zipf) zipf_.emplace(n, plan.key_theta);
  if (plan.distribution == KeyDistribution::hotspot) {
    hot_ = std::max<std::size_t>(1, n * plan.hot_key_percent / 100);
  }
}

std::size_t KeyChooser::choose(Random& random) const {
  if (zipf_) return zipf_->draw(random);
  if (hot_ == 0 || hot_ == n_) return random.below(n_);
  if (random.chance(hot_use_percent_)) return random.below(hot_);
  return hot_ + random.below(n_ - hot_);
}

std::vector<std::size_t> KeyChooser::choose_distinct(Random& random, std::size_t count) const {
  count = std::min(count, n_);
  std::vector<std::size_t> chosen;
  chosen.reserve(count);
  // A few numbers are found fastest by looking through them.
  const bool many = count > 32;
  std::unordered_set<std::size_t> taken;
  const auto is_taken = [&](std::size_t key) {
    return many ? taken.contains(key) : std::ranges::find(chosen, key) != chosen.end();
  };
  while (chosen.size() < count) {
    std::size_t next = choose(random);
    while (is_taken(next)) next = (next + 1) % n_;
    chosen.push_back(next);
    if (many) taken.insert(next);
  }
  return chosen;
}

}  // namespace isoscope
