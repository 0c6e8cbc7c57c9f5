#include "check/versions/key_users.h"

#include <algorithm>
#include <unordered_map>

#include "isoscope/base/contract.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope::versions {

namespace {

/// What the key's writers say about a value.
struct Written {
  TransactionId writer;
  bool by_several = false;
  bool is_last = false;  // of what its writer wrote
};

class Values {
 public:
  Values(const History& history, const KeyAccesses& accesses,
         const std::vector<std::uint8_t>& takes_part, KeyId key)
      : takes_part_(takes_part) {
    if (const auto initial = history.initial_value(key)) initial_ = register_value(*initial);
    for_each_run(accesses.of(key), [&](std::span<const Access> run) {
      const Access* const last = final_write(run);
      for (const Access& access : run) {
        if (access.kind() == Access::Kind::write) add(access, access.value == last->value);
      }
    });
  }

  /// The version that certainly holds the value, if there is one.
  std::optional<VersionNumber> version(ValueId value) const {
    const auto at = written_.find(value.value);
    if (at == written_.end()) {
      return initial_ == value ? std::optional(initial_version) : std::nullopt;
    }
    const Written& written = at->second;
    const bool is_clear = !written.by_several && written.is_last && initial_ != value;
    if (!is_clear || takes_part_[written.writer.index()] == 0) return std::nullopt;
    return number_of(written.writer);
  }

 private:
  void add(const Access& write, bool is_last) {
    const auto [at, is_new] =
        written_.try_emplace(write.value.value, Written{write.transaction, false, is_last});
    if (is_new) return;
    if (at->second.writer != write.transaction) at->second.by_several = true;
  }

  const std::vector<std::uint8_t>& takes_part_;
  std::optional<ValueId> initial_;
  std::unordered_map<std::uint32_t, Written> written_;
};

}  // namespace

std::vector<KeyUser> users_of_key(const History& history, const KeyAccesses& accesses,
                                  const std::vector<std::uint8_t>& takes_part, KeyId key) {
  ISOSCOPE_REQUIRE(takes_part.size() == history.transaction_count());
  // What was not reported may have been anything.
  const bool reads_show = accesses.use(key) == KeyUse::reg && accesses.unreported_writes().empty();
  const Values values(history, accesses, takes_part, key);
  std::vector<KeyUser> users;
  for_each_run(accesses.of(key), [&](std::span<const Access> run) {
    KeyUser user{.transaction = run.front().transaction};
    if (takes_part[user.transaction.index()] == 0) return;
    user.is_open = history.outcome(user.transaction) == Outcome::indeterminate;
    for (const Access& access : run) {
      if (!access.is_read()) {
        user.left = number_of(user.transaction);
        break;
      }
      const auto version =
          reads_show && !user.is_open ? values.version(access.value) : std::nullopt;
      if (version && std::ranges::count(user.seen, *version) == 0) user.seen.push_back(*version);
    }
    if (!user.seen.empty() || user.left) users.push_back(std::move(user));
  });
  return users;
}

}  // namespace isoscope::versions
