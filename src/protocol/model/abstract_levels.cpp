#include <algorithm>

#include "isoscope/base/contract.h"
#include "isoscope/protocol/abstract_model.h"

namespace isoscope::protocol {

namespace {

constexpr std::uint32_t bits(std::initializer_list<Dependency> parts) {
  std::uint32_t result = 0;
  for (const Dependency part : parts) result |= 1u << static_cast<unsigned>(part);
  return result;
}

using enum Dependency;

constexpr std::uint32_t update_atomic = bits({later_versions_of_written});
constexpr std::uint32_t causal = bits({session, read});
constexpr std::uint32_t prefix =
    bits({session, session_then_anti, read, read_then_anti, overwrite});

// R and vShift of each level. A row's relation contains those of the rows it is stronger than.
constexpr AbstractLevelEntry table[] = {
    {AbstractLevel::ra, "RA", "Read atomicity (no session visibility)", "cerone/RA", false, 0,
     false, false},
    {AbstractLevel::ua, "UA", "Update atomicity (no session visibility)", "cerone/UA", false,
     update_atomic, false, false},
    {AbstractLevel::tcc, "TCC", "Transactional causal consistency", "cerone/CC", true, causal, true,
     false},
    {AbstractLevel::psi, "PSI", "Parallel snapshot isolation", "cerone/PSI", true,
     update_atomic | causal | bits({overwrite}), true, false},
    {AbstractLevel::pc, "PC", "Prefix consistency", "cerone/PC", true, prefix, true, false},
    {AbstractLevel::si, "SI", "Snapshot isolation", "cerone/SI", true,
     update_atomic | prefix | bits({overwrite_then_anti}), true, false},
    {AbstractLevel::ser, "SER", "Serializability", "cerone/SER", true, bits({later_versions}),
     false, false},
    {AbstractLevel::sser, "SSER", "Strict serializability", "strict/strict-serializable", true,
     bits({later_versions}), false, true},
};
static_assert(std::size(table) == abstract_level_count);

}  // namespace

std::span<const AbstractLevelEntry> abstract_levels() { return table; }

const AbstractLevelEntry& entry_of(AbstractLevel level) {
  return table[static_cast<std::size_t>(level)];
}

std::optional<AbstractLevel> find_abstract_level(std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  for (const AbstractLevelEntry& entry : table) {
    if (std::ranges::equal(entry.name, name, {}, lower, lower)) return entry.level;
  }
  return std::nullopt;
}

bool implies(AbstractLevel a, AbstractLevel b) {
  const AbstractLevelEntry &strong = entry_of(a), &weak = entry_of(b);
  if (weak.real_time && !strong.real_time) return false;
  // A full view is as closed as a view can be, and has all that the client saw and wrote.
  if ((strong.relation & bits({later_versions})) != 0) return true;
  return (weak.relation & ~strong.relation) == 0 && (!weak.client_views || strong.client_views);
}

std::string_view text_of(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::nothing:
      return "nothing";
    case Obstacle::not_well_formed:
      return "the mapped store is not well-formed";
    case Obstacle::not_fresh:
      return "the transaction, or a later one of its client, is in the store already";
    case Obstacle::not_last_write:
      return "in every view that the level allows, a newer version than the one read is visible";
    case Obstacle::two_versions:
      return "two versions of a key were read";
    case Obstacle::missing_version:
      return "a version was read that is not in the mapped store";
    case Obstacle::other_update:
      return "the mapped store does not change as this transaction's reads and writes change it";
    case Obstacle::store_changed:
      return "the mapped store changes at a step that is no commit";
    case Obstacle::observation_changed:
      return "what clients see of a transaction changes at a step that is not its commit";
    case Obstacle::view_shrank:
      return "a client's mapped view loses a version";
    case Obstacle::view_shift:
      return "the client's mapped view after the commit lacks what it read from or wrote";
    case Obstacle::out_of_time:
      return "it takes effect before it begins or after its client was answered";
    case Obstacle::not_witnessed:
      return "the model's order does not show the level";
  }
  ISOSCOPE_ENSURE(false);
}

}  // namespace isoscope::protocol
