#include "isoscope/protocol/abstract_model.h"

#include <algorithm>
#include <bit>

#include "isoscope/base/contract.h"

namespace isoscope::protocol {

namespace {

template <class Visit>
void for_each(Bits set, const Visit& visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

}  // namespace

AbstractStore::AbstractStore(std::size_t keys, std::size_t transactions)
    : transactions_(transactions),
      installed_(keys, 1),
      later_(keys * transactions, 0),
      readers_(keys * transactions, 0) {
  ISOSCOPE_REQUIRE(transactions <= most_transactions && keys <= 64);
}

void AbstractStore::clear() {
  std::ranges::fill(installed_, 0);
  std::ranges::fill(later_, 0);
  std::ranges::fill(readers_, 0);
}

Bits AbstractStore::writers() const {
  Bits result = 0;
  for (const Bits some : installed_) result |= some;
  return result;
}

Bits AbstractStore::all_readers() const {
  Bits result = 0;
  for (const Bits some : readers_) result |= some;
  return result;
}

void AbstractStore::append(std::size_t key, std::size_t writer) {
  for_each(installed(key), [&](std::size_t x) { later(key, x) |= bit(writer); });
  installed(key) |= bit(writer);
}

bool is_well_formed(const AbstractStore& store, std::span<const Bits> earlier_in_session) {
  for (std::size_t k = 0; k < store.keys(); ++k) {
    const Bits installed = store.installed(k);
    // The initial version is there, and first.
    if ((installed & 1) == 0 || store.later(k, 0) != (installed & ~Bits{1})) return false;
    Bits have_read = 0;
    for (std::size_t w = 0; w < store.transactions(); ++w) {
      const Bits later = store.later(k, w), readers = store.readers(k, w);
      if ((installed & bit(w)) == 0) {
        if (later != 0 || readers != 0) return false;
        continue;
      }
      // A strict total order: in w's rank, each of the others is either before or after.
      if ((later & ~installed) != 0 || (later & bit(w)) != 0) return false;
      bool ordered = true;
      for_each(installed & ~bit(w), [&](std::size_t x) {
        const bool after = (later & bit(x)) != 0, before = (store.later(k, x) & bit(w)) != 0;
        if (after == before || (after && (store.later(k, x) & ~later) != 0)) ordered = false;
      });
      if (!ordered || (later & earlier_in_session[w]) != 0) return false;
      // Nobody reads two versions, its own, or one of its session's future.
      if ((readers & (have_read | bit(w) | earlier_in_session[w] | 1)) != 0) return false;
      have_read |= readers;
    }
  }
  return true;
}

CommitCheck::CommitCheck(std::size_t keys, std::size_t transactions)
    : transactions_(transactions),
      expected_(keys, transactions),
      predecessors_((static_cast<std::size_t>(Dependency::later_versions_of_written) + 1) *
                    transactions),
      overlooked_by_(transactions) {}

Findings CommitCheck::check(const Commit& commit, std::uint32_t asked) {
  Findings result = {};
  collected_ = false;
  const Finding common = common_finding(commit);
  if (common.obstacle != Obstacle::nothing) {
    result.fill(common);
    return result;
  }
  const Finding full = finding_at(commit, entry_of(AbstractLevel::ser));
  const bool all_newest = full.obstacle == Obstacle::nothing;
  for (const AbstractLevelEntry& level : abstract_levels()) {
    const auto number = static_cast<std::size_t>(level.level);
    if ((asked >> number & 1) == 0) continue;
    Finding& finding = result[number];
    // Where the full view is possible, every smaller one is; only given views can still object.
    if (!all_newest || (level.client_views && commit.view_after)) {
      finding = finding_at(commit, level);
    }
    if (level.real_time && !commit.in_time && finding.obstacle == Obstacle::nothing) {
      finding.obstacle = Obstacle::out_of_time;
    }
  }
  return result;
}

Finding CommitCheck::common_finding(const Commit& commit) {
  const auto t = static_cast<std::uint8_t>(commit.transaction);
  const AbstractStore& before = commit.before;
  if (!is_well_formed(before, commit.earlier_in_session)) return {Obstacle::not_well_formed, 0, t};

  const Bits present = before.writers() | before.all_readers();
  for (std::size_t x = 0; x < transactions_; ++x) {
    if ((present & bit(x)) != 0 && (x == t || (commit.earlier_in_session[x] & bit(t)) != 0)) {
      return {Obstacle::not_fresh, 0, static_cast<std::uint8_t>(x)};
    }
  }
  if (commit.fingerprint.read_twice != 0) {
    const int key = std::countr_zero(commit.fingerprint.read_twice);
    return {Obstacle::two_versions, static_cast<std::uint8_t>(key), t};
  }
  expected_ = before;
  for (std::size_t k = 0; k < before.keys(); ++k) {
    const std::uint8_t read = commit.fingerprint.read_from[k];
    if (read != Fingerprint::not_read) {
      if ((before.installed(k) & bit(read)) == 0) {
        return {Obstacle::missing_version, static_cast<std::uint8_t>(k), read};
      }
      expected_.readers(k, read) |= bit(t);
    }
    if ((commit.fingerprint.written & bit(k)) != 0) expected_.append(k, t);
  }
  return {};
}

void CommitCheck::collect_dependencies(const Commit& commit) {
  if (collected_) return;
  collected_ = true;
  std::ranges::fill(predecessors_, 0);
  const auto of = [&](Dependency part, std::size_t t) -> Bits& {
    return predecessors_[static_cast<std::size_t>(part) * transactions_ + t];
  };
  const AbstractStore& store = commit.before;
  const Bits present = store.writers() | store.all_readers();
  // RW backwards: for each writer, the transactions that read an earlier version.
  std::ranges::fill(overlooked_by_, 0);
  for (std::size_t k = 0; k < store.keys(); ++k) {
    const bool written = (commit.fingerprint.written & bit(k)) != 0;
    for_each(store.installed(k), [&](std::size_t w) {
      const Bits readers = store.readers(k, w), later = store.later(k, w);
      for_each(readers, [&](std::size_t r) { of(Dependency::read, r) |= bit(w); });
      for_each(later, [&](std::size_t v) {
        of(Dependency::overwrite, v) |= bit(w);
        overlooked_by_[v] |= readers & ~bit(v);
      });
      of(Dependency::later_versions, w) |= later;
      if (written) of(Dependency::later_versions_of_written, w) |= later;
    });
  }
  for (std::size_t t = 0; t < transactions_; ++t) {
    of(Dependency::session, t) = commit.earlier_in_session[t] & present;
  }
  for (std::size_t v = 0; v < transactions_; ++v) {
    for_each(overlooked_by_[v], [&](std::size_t r) {
      of(Dependency::session_then_anti, v) |= of(Dependency::session, r);
      of(Dependency::read_then_anti, v) |= of(Dependency::read, r);
      of(Dependency::overwrite_then_anti, v) |= of(Dependency::overwrite, r);
    });
  }
}

Bits CommitCheck::view_at(const Commit& commit, const AbstractLevelEntry& level) {
  const AbstractStore& store = commit.before;
  const Bits writers = store.writers();

  // What must be in the view in any case.
  const Bits own_earlier = commit.earlier_in_session[commit.transaction];
  Bits view = 1;
  for (const std::uint8_t read : commit.fingerprint.read_from) {
    if (read != Fingerprint::not_read) view |= bit(read);
  }
  if (level.client_views && commit.view_before) {
    view |= *commit.view_before & writers;
  } else if (level.client_views) {
    view |= own_earlier & writers;
    for (std::size_t k = 0; k < store.keys(); ++k) {
      for_each(store.installed(k), [&](std::size_t w) {
        if ((store.readers(k, w) & own_earlier) != 0) view |= bit(w);
      });
    }
  }

  // The view also has all that R leads back to.
  if ((level.relation & 1u << static_cast<unsigned>(Dependency::later_versions)) != 0) {
    return view | writers;
  }
  if (level.relation == 0) return view;
  collect_dependencies(commit);
  Bits reached = view, open = view;
  while (open != 0) {
    const auto next = static_cast<std::size_t>(std::countr_zero(open));
    open &= open - 1;
    for (std::uint32_t parts = level.relation; parts != 0; parts &= parts - 1) {
      const auto part = static_cast<std::size_t>(std::countr_zero(parts));
      const Bits found = predecessors_[part * transactions_ + next] & ~reached;
      reached |= found;
      open |= found;
    }
  }
  return reached & writers;
}

Finding CommitCheck::finding_at(const Commit& commit, const AbstractLevelEntry& level) {
  const std::size_t t = commit.transaction;
  const AbstractStore& store = commit.before;
  const Bits view = view_at(commit, level);
  for (std::size_t k = 0; k < store.keys(); ++k) {
    const std::uint8_t read = commit.fingerprint.read_from[k];
    if (read == Fingerprint::not_read) continue;
    const Bits newer = store.later(k, read) & view;
    if (newer != 0) {
      return {Obstacle::not_last_write, static_cast<std::uint8_t>(k),
              static_cast<std::uint8_t>(std::countr_zero(newer))};
    }
  }
  if (!(expected_ == commit.after)) {
    return {Obstacle::other_update, 0, static_cast<std::uint8_t>(t)};
  }
  if (level.client_views && commit.view_after) {
    const Bits own = commit.earlier_in_session[t] | bit(t);
    const Bits wanted = view | (own & commit.after.writers());
    if (const Bits missing = wanted & ~*commit.view_after; missing != 0) {
      return {Obstacle::view_shift, 0, static_cast<std::uint8_t>(std::countr_zero(missing))};
    }
  }
  return {};
}

std::string_view broken_axiom(const WitnessedRun& run, AbstractLevel level) {
  const bool serial = level == AbstractLevel::ser || level == AbstractLevel::sser;
  const std::vector<Bits>& sees = serial ? run.before : run.sees;
  const auto is_before = [&](std::size_t a, std::size_t b) {
    return (run.before[b] & bit(a)) != 0;
  };
  const auto writes = [&](std::size_t t, std::size_t k) {
    return t == 0 || (run.fingerprints[t].written & bit(k)) != 0;
  };
  const bool sessions = entry_of(level).sessions;
  const bool transitive = level == AbstractLevel::tcc || level == AbstractLevel::psi;
  const bool prefixes = level == AbstractLevel::pc || level == AbstractLevel::si;
  const bool no_conflict =
      level == AbstractLevel::ua || level == AbstractLevel::psi || level == AbstractLevel::si;
  std::string_view broken;
  for_each(run.committed, [&](std::size_t t) {
    const Bits seen = sees[t] & run.committed;
    const Bits earlier = run.before[t] & run.committed;
    if ((earlier & bit(t)) != 0) broken = "ORDER";
    for_each(run.committed & ~bit(t), [&](std::size_t u) {
      if (is_before(t, u) == is_before(u, t)) broken = "ORDER";
    });
    for_each(earlier, [&](std::size_t u) {
      if ((run.before[u] & run.committed & ~earlier) != 0) broken = "ORDER";
    });
    if ((seen & ~earlier) != 0) broken = "VIS";
    if (t == 0) return;
    if (sessions && (run.earlier_in_session[t] & run.committed & ~seen) != 0) broken = "SESSION";
    for_each(seen, [&](std::size_t u) {
      if (transitive && (sees[u] & run.committed & ~seen) != 0) broken = "TRANSVIS";
      if (prefixes && (run.before[u] & run.committed & ~seen) != 0) broken = "PREFIX";
    });
    const Fingerprint& own = run.fingerprints[t];
    if (own.read_twice != 0) broken = "EXT";  // not both are the last that it sees
    for (std::size_t k = 0; k < own.read_from.size(); ++k) {
      if (const std::uint8_t read = own.read_from[k]; read != Fingerprint::not_read) {
        // It sees what it read, and nothing that was written later.
        if ((seen & bit(read)) == 0 || !writes(read, k)) broken = "EXT";
        for_each(seen, [&](std::size_t u) {
          if (u != read && writes(u, k) && is_before(read, u)) broken = "EXT";
        });
      }
      if (no_conflict && (own.written & bit(k)) != 0) {
        for_each(earlier & ~seen, [&](std::size_t u) {
          if (writes(u, k)) broken = "NOCONFLICT";
        });
      }
    }
  });
  return broken;
}

}  // namespace isoscope::protocol
