#include <algorithm>

#include "check/strong/problem/chain_cover.h"
#include "check/versions/user_pairs.h"
#include "isoscope/base/contract.h"

namespace isoscope::versions {

SessionPlaces::SessionPlaces(const History& history, const std::vector<std::uint8_t>& takes_part,
                             bool indeterminate_cuts)
    : places_(history.transaction_count()) {
  const strong::ChainCover cover = strong::session_chains(
      history, takes_part, {.session_order = true, .indeterminate_cuts = indeterminate_cuts});
  // Between two neighbours of a chain there is a place for those beside the session.
  std::uint32_t chain = 0;
  for (std::uint32_t i = 0; i < cover.members.size(); ++i) {
    if (chain < cover.starts.size() && cover.starts[chain] == i) ++chain;
    places_[cover.members[i].id.index()] = {chain, 2 * i};
  }
  ISOSCOPE_ENSURE(chain == cover.starts.size());
  for (const strong::ChainCover::Leaf& leaf : cover.leaves) {
    const Place after = places_[leaf.after.index()];
    places_[leaf.id.index()] = {after.chain, after.place + 1};
  }
}

void pairs_of_sessions(std::span<const KeyUser> users, const SessionPlaces& places,
                       const TellPair& tell) {
  std::vector<const KeyUser*> sorted;
  for (const KeyUser& user : users) sorted.push_back(&user);
  const auto place = [&](const KeyUser* user) { return places.of(user->transaction); };
  std::ranges::sort(sorted, {}, place);
  const KeyUser* previous = nullptr;
  for (const KeyUser* const user : sorted) {
    if (previous != nullptr && place(previous).chain != place(user).chain) previous = nullptr;
    if (previous != nullptr) tell(*previous, *user);
    if (!user->is_open) previous = user;
  }
}

}  // namespace isoscope::versions
