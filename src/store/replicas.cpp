#include "store/replicas.h"

namespace isoscope {

View Replicas::view_at(std::size_t replica, Sequence now) const {
  View view{.upto = now};
  for (const Underway& other : underway_[replica]) view.hidden.push_back(other.commit);
  return view;
}

void Replicas::commit(std::size_t replica, Sequence commit, const View& seen) {
  for (std::size_t other = 0; other < count; ++other) {
    if (other != replica) underway_[other].push_back({commit, seen});
  }
}

bool Replicas::can_arrive(const std::vector<Underway>& underway, const Underway& next) const {
  for (const Underway& other : underway) {
    if (other.commit != next.commit && next.seen.sees(other.commit)) return false;
  }
  return true;
}

void Replicas::deliver(Random& random, std::size_t max_hidden) {
  for (std::vector<Underway>& underway : underway_) {
    // The oldest one can always arrive: it saw only older ones, which all have arrived.
    while (underway.size() > max_hidden) underway.erase(underway.begin());
    for (std::size_t i = 0; i < underway.size();) {
      if (random.chance(25) && can_arrive(underway, underway[i])) {
        underway.erase(underway.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
  }
}

}  // namespace isoscope
