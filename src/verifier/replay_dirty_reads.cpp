#include <algorithm>

#include "isoscope/base/contract.h"
#include "verifier/dirty_writes.h"
#include "verifier/execution.h"
#include "verifier/replay.h"
#include "verifier/rows.h"

// Read uncommitted: an order of commits in which lists grow as reads show it, while reads may
// return whatever was written.

namespace isoscope::verifier {

namespace {

class DirtyReplay {
 public:
  DirtyReplay(const History& history, const Certificate& certificate)
      : history_(history),
        certificate_(certificate),
        places_(history, certificate),
        writes_(history),
        dirty_(history) {}

  Status run() {
    if (!certificate_.sources.empty()) return Error{"at this level reads have no sources"};
    ISOSCOPE_TRY_STATUS(places_.choose());
    ISOSCOPE_TRY_STATUS(places_.place());
    versions_.resize(history_.key_count());
    for (const Event event : certificate_.order) {
      const TransactionId t(event.transaction - 1);
      for (const Writes::Write& write : writes_.of(t)) {
        if (writes_.use(write.key) == KeyUse::both) return Error{both_uses};
        versions_[write.key.index()].push_back(t);
      }
    }
    Reads reads(history_, writes_);
    for (const TransactionId t : history_.transactions()) {
      if (!places_.is_taken(t)) continue;
      ISOSCOPE_TRY_STATUS(reads.for_each(t, [&](const Read& read) { return judge(read); }));
    }
    return Done{};
  }

 private:
  Status judge(const Read& read) const {
    ISOSCOPE_TRY(what, dirty_.says(read));
    bool fits = what.is_certain;
    if (read.list) fits = !what.is_impossible && list_fits(read, what);
    if (!read.list && writes_.use(read.key) == KeyUse::list) fits = row_fits(read);
    return fits ? Status(Done{}) : Error{"by this order nobody wrote what was read"};
  }

  bool is_taken(std::uint32_t t) const { return places_.is_taken(TransactionId(t - 1)); }

  /// Without what did not commit, the list must be the start of all appends in their order.
  bool list_fits(const Read& read, const DirtyRead& what) const {
    ISOSCOPE_REQUIRE(!what.is_impossible);
    const std::vector<TransactionId>& versions = versions_[read.key.index()];
    std::size_t version = 0;
    std::uint32_t place = 0;
    std::uint32_t initial = 0;
    for (const auto& [writer, at] : what.elements) {
      if (writer == 0) {
        if (at != initial++ || version + place > 0) return false;
        continue;
      }
      if (!is_taken(writer)) continue;
      if (initial < initial_size(read.key)) return false;
      if (version < versions.size() &&
          place == writes_.find(versions[version], read.key)->appends) {
        ++version;
        place = 0;
      }
      if (version == versions.size() || versions[version] == read.reader) return false;
      if (number_of(versions[version]) != writer || place++ != at) return false;
    }
    return initial == initial_size(read.key);
  }

  std::uint32_t initial_size(KeyId key) const {
    const auto initial = history_.initial_value(key);
    const ValuePool& values = history_.values();
    if (!initial || values.kind(*initial) != ValueKind::list) return 0;
    return static_cast<std::uint32_t>(values.list_size(*initial));
  }

  /// To a predicate a list is empty or not.
  bool row_fits(const Read& read) const {
    ISOSCOPE_REQUIRE(read.predicate != nullptr);
    const auto fits = [&](ValueId row) {
      return selects(history_, *read.predicate, read.key, row) == read.selected;
    };
    if (fits(row_of(history_, read.key, KeyUse::list, history_.initial_value(read.key)))) {
      return true;
    }
    const bool appends = writes_.find(read.reader, read.key) != nullptr;
    if (!fits(ValuePool::empty_list)) return false;
    for (const TransactionId t : history_.transactions()) {
      if (t == read.reader || !appends_to(t, read.key)) continue;
      const bool later = places_.is_taken(t) && places_.commit(t) > places_.commit(read.reader);
      if (!appends || !later) return true;
    }
    return false;
  }

  bool appends_to(TransactionId t, KeyId key) const {
    return std::ranges::any_of(history_.operations(t), [&](const Operation& operation) {
      return operation.kind() == OperationKind::append && operation.key() == key;
    });
  }

  static constexpr const char* both_uses = "the key is both appended to and written: not supported";

  const History& history_;
  const Certificate& certificate_;
  EventPlaces places_;
  const Writes writes_;
  const DirtyWrites dirty_;
  std::vector<std::vector<TransactionId>> versions_;  // by key, in the order of commits
};

}  // namespace

Status check_dirty_reads(const History& history, const Certificate& certificate) {
  ISOSCOPE_REQUIRE(rules_of(certificate.level).shape == Shape::dirty);
  return DirtyReplay(history, certificate).run();
}

}  // namespace isoscope::verifier
