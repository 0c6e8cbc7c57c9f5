#include "check/weak/known_sources.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "check/reads/key_values.h"
#include "check/versions/known_version_order.h"
#include "check/weak/list_order.h"
#include "isoscope/base/contract.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope::weak {

/// Fills a KnownSources.
class KnownSourcesBuilder {
 public:
  KnownSourcesBuilder(KnownSources& into, const KeyAccesses& accesses,
                      const std::vector<std::uint8_t>& takes_part)
      : into_(into),
        history_(into.history_),
        written_(history_, accesses, takes_part),
        own_(history_.key_count()),
        may_take_part_(takes_part),
        takes_part_(history_.transaction_count(), 0) {}

  void run(const strong::SessionRule& rule, Indeterminate which) {
    find_participants();
    const std::vector<std::uint8_t> certain = takes_part_;
    if (which == Indeterminate::possible) {
      for (std::size_t t = 0; t < takes_part_.size(); ++t) takes_part_[t] |= may_take_part_[t];
    }
    into_.number_transactions(strong::session_chains(history_, takes_part_, rule));
    into_.certain_.assign(into_.size(), 1);
    for (Txn t = 1; t < into_.size(); ++t) into_.certain_[t] = certain[into_.id(t).index()];
    for (Txn t = 1; t < into_.size(); ++t) {
      add_reads(t);
      add_writes(t);
      if (!into_.certain(t)) add_possible_lists(t);
    }
    ISOSCOPE_ENSURE(into_.read_starts_.size() == into_.size() + 1);
    ISOSCOPE_ENSURE(into_.write_starts_.size() == into_.size() + 1);
    into_.version_order_ = list_order(history_, written_, lists_, into_.numbers_);
  }

  /// Those that do not take part have no version.
  void add(const KnownVersionOrder& assumed) {
    for (const KnownVersionOrder::Pair& pair : assumed.pairs()) {
      const Txn earlier = into_.number(pair.earlier);
      const Txn later = into_.number(pair.later);
      if (earlier == open_source || later == open_source) continue;
      ISOSCOPE_ENSURE(earlier != later);  // or no order would be one
      into_.version_order_.push_back({earlier, later, pair.key});
      into_.assumed_.push_back(pair.why);
    }
  }

 private:
  /// What the present transaction did with a key so far.
  struct Own {
    std::uint32_t by = 0;
    std::uint32_t appends = 0;
    bool wrote = false;
  };

  /// Calls visit(key, operation, value) for each read of what others left. The value is that of a
  /// register, or a list without the own appends before.
  template <class Visit>
  void for_each_read(TransactionId t, const Visit& visit) {
    for_each_access(history_, t, [&](KeyId key, const Access& access) {
      Own& own = own_[key.index()];
      if (own.by != stamp_) own = {.by = stamp_};
      if (access.kind() == Access::Kind::append) {
        ++own.appends;
      } else if (!access.is_read()) {
        own.wrote = true;
      } else if (!own.wrote) {
        visit(key, access.operation(), without_own(key, access.value, own.appends));
      }
    });
    ++stamp_;
  }

  ValueId without_own(KeyId key, ValueId value, std::uint32_t appends) const {
    if (written_.use(key) != WrittenValues::Use::list) return value;
    ValueId list = list_value(history_, key, value).value_or(ValuePool::empty_list);
    for (; appends > 0; --appends) list = history_.values().list_prefix(list);
    return list;
  }

  /// Fills `found_` with the transactions that may have left what was read, as numbers of
  /// certificates.
  void find_candidates(std::uint32_t reader, KeyId key, ValueId value) {
    found_.clear();
    if (written_.use(key) == WrittenValues::Use::list) {
      if (value == written_.initial_list(key)) {
        found_.push_back(0);
      } else {
        const auto last = written_.find(key, history_.values().list_last(value));
        if (!last.empty()) found_.push_back(written_.version(last.front()).writer);
      }
      return;
    }
    const auto initial = history_.initial_value(key);
    if (initial && register_value(*initial) == value) found_.push_back(0);
    for (const std::uint32_t version : written_.find(key, value)) {
      const std::uint32_t writer = written_.version(version).writer;
      if (writer != reader) found_.push_back(writer);
    }
  }

  bool is_clear(KeyId key) const { return written_.use(key) != WrittenValues::Use::aside; }

  void find_participants() {
    std::vector<TransactionId> to_look_at;
    const auto take = [&](TransactionId t) {
      if (takes_part_[t.index()] != 0) return;
      takes_part_[t.index()] = 1;
      if (history_.outcome(t) == Outcome::indeterminate) to_look_at.push_back(t);
    };
    const auto take_sources = [&](TransactionId t) {
      for_each_read(t, [&](KeyId key, std::uint32_t, ValueId value) {
        if (!is_clear(key)) return;
        if (written_.use(key) == WrittenValues::Use::list) {
          take_appenders(key, value, take);
          return;
        }
        find_candidates(number_of(t), key, value);
        if (found_.size() == 1 && found_.front() != 0) take(TransactionId(found_.front() - 1));
      });
    };
    bool has_indeterminate = false;
    for (const TransactionId t : history_.transactions()) {
      if (history_.outcome(t) == Outcome::committed) take(t);
      if (history_.outcome(t) == Outcome::indeterminate) has_indeterminate = true;
    }
    if (!has_indeterminate) return;
    for (const TransactionId t : history_.transactions()) {
      if (history_.outcome(t) == Outcome::committed) take_sources(t);
    }
    while (!to_look_at.empty()) {
      const TransactionId t = to_look_at.back();
      to_look_at.pop_back();
      take_sources(t);
    }
  }

  /// All that appended to a list that was read have committed.
  template <class Take>
  void take_appenders(KeyId key, ValueId list, const Take& take) {
    seen_for_.resize(history_.values().size(), 0);
    while (list != written_.initial_list(key) && seen_for_[list.index()] != key.value + 1) {
      seen_for_[list.index()] = key.value + 1;
      const auto appended = written_.find(key, history_.values().list_last(list));
      if (appended.empty()) return;
      take(TransactionId(written_.version(appended.front()).writer - 1));
      list = history_.values().list_prefix(list);
    }
  }

  void add_reads(Txn t) {
    for_each_read(into_.id(t), [&](KeyId key, std::uint32_t operation, ValueId value) {
      Read read{key, open_source};
      if (is_clear(key)) {
        find_candidates(number_of(into_.id(t)), key, value);
        if (found_.size() == 1) {
          read.source = numbered(found_.front());
        } else {
          add_open_read(key, value);
        }
        if (written_.use(key) == WrittenValues::Use::list) {
          (into_.certain(t) ? lists_ : possible_lists_).push_back({key, value});
        }
      } else {
        into_.has_unclear_lists_ = true;
        into_.doubt_ = "elements of a list were appended more than once";
      }
      into_.reads_.push_back(read);
      into_.operations_.push_back(operation);
    });
    into_.read_starts_.push_back(static_cast<std::uint32_t>(into_.reads_.size()));
  }

  Txn numbered(std::uint32_t number) const { return number == 0 ? 0 : into_.numbers_[number - 1]; }

  /// Reads of one value share their candidates: where few values are written, each has many.
  void add_open_read(KeyId key, ValueId value) {
    const auto read = static_cast<std::uint32_t>(into_.reads_.size());
    const std::uint64_t name = std::uint64_t{key.value} << 32 | value.value;
    const auto [known, is_new] = shared_.try_emplace(name);
    if (is_new) {
      constexpr std::uint32_t nobody = 0xFFFFFFFF;
      find_candidates(nobody, key, value);
      const auto first = static_cast<std::uint32_t>(into_.candidates_.size());
      for (const std::uint32_t number : found_) {
        const Txn t = numbered(number);
        if (t == open_source) {
          into_.has_other_candidates_ = true;
        } else {
          into_.candidates_.push_back(t);
        }
      }
      known->second = {read, first, static_cast<std::uint32_t>(into_.candidates_.size()) - first};
    }
    into_.open_reads_.push_back({read, known->second.first, known->second.count});
  }

  void add_possible_lists(Txn t) {
    if (possible_lists_.empty()) return;
    KnownSources::PossibleLists its{.reader = t};
    for (const ListSeen& seen : possible_lists_) {
      ValueId list = seen.list;
      while (list != written_.initial_list(seen.key)) {
        const auto appended = written_.find(seen.key, history_.values().list_last(list));
        if (appended.empty()) break;
        its.appenders.push_back(numbered(written_.version(appended.front()).writer));
        list = history_.values().list_prefix(list);
      }
    }
    std::ranges::sort(its.appenders);
    const auto again = std::ranges::unique(its.appenders);
    its.appenders.erase(again.begin(), again.end());
    its.order = list_order(history_, written_, std::exchange(possible_lists_, {}), into_.numbers_);
    into_.possible_lists_.push_back(std::move(its));
  }

  void add_writes(Txn t) {
    for (const auto& version : written_.written_by(number_of(into_.id(t)))) {
      const std::size_t first = into_.write_starts_.back();
      const bool again = into_.written_.size() > first && into_.written_.back() == version.key;
      if (!again) into_.written_.push_back(version.key);
    }
    into_.write_starts_.push_back(static_cast<std::uint32_t>(into_.written_.size()));
  }

  KnownSources& into_;
  const History& history_;
  const WrittenValues written_;
  std::vector<Own> own_;  // by key
  std::uint32_t stamp_ = 1;
  const std::vector<std::uint8_t>& may_take_part_;  // by TransactionId
  std::vector<std::uint8_t> takes_part_;
  std::vector<std::uint32_t> seen_for_;  // by list: the last key it was seen of, from 1
  std::vector<std::uint32_t> found_;
  std::unordered_map<std::uint64_t, KnownSources::OpenRead> shared_;  // by key and value
  std::vector<ListSeen> lists_;
  std::vector<ListSeen> possible_lists_;  // of the present transaction
};

KnownSources::KnownSources(const History& history, const KeyAccesses& accesses,
                           const std::vector<std::uint8_t>& takes_part, bool session_order,
                           const CheckOptions& options, Indeterminate which)
    : history_(history) {
  KnownSourcesBuilder builder(*this, accesses, takes_part);
  builder.run({session_order, indeterminate_cuts(history, options)}, which);
  if (options.version_order != nullptr) builder.add(*options.version_order);
  if (!accesses.predicate_users().empty())
    doubt_ = "rows that predicates left out are not looked at";
}

void KnownSources::number_transactions(const strong::ChainCover& cover) {
  ids_.assign(1, TransactionId(0));
  numbers_.assign(history_.transaction_count(), open_source);
  chains_.assign(1, 0);
  chain_starts_ = {0};
  for (std::size_t i = 0, chain = 0; i < cover.members.size(); ++i) {
    if (chain < cover.starts.size() && cover.starts[chain] == i) {
      ++chain;
      chain_starts_.push_back(static_cast<Txn>(i + 1));
    }
    numbers_[cover.members[i].id.index()] = static_cast<Txn>(ids_.size());
    ids_.push_back(cover.members[i].id);
    chains_.push_back(static_cast<std::uint32_t>(chain));
  }
  chain_starts_.push_back(static_cast<Txn>(ids_.size()));
  ISOSCOPE_ENSURE(chain_starts_.size() == cover.starts.size() + 2);
  for (const strong::ChainCover::Leaf& leaf : cover.leaves) {
    leaves_.push_back({numbers_[leaf.after.index()], numbers_[leaf.id.index()]});
  }
  // Their chains stand behind the others.
  first_leaf_ = static_cast<Txn>(ids_.size() - leaves_.size());
  ISOSCOPE_ENSURE(leaves_.empty() || leaves_.front().to >= first_leaf_);
  std::ranges::stable_sort(leaves_, {}, &KnownEdge::from);
  read_starts_.assign(2, 0);
  write_starts_.assign(2, 0);
}

Txn KnownSources::reader_of(std::uint32_t read) const {
  ISOSCOPE_REQUIRE(read < reads_.size());
  const auto after = std::ranges::upper_bound(read_starts_, read);
  return static_cast<Txn>(after - read_starts_.begin()) - 1;
}

bool KnownSources::writes(Txn t, KeyId key) const {
  return std::ranges::binary_search(written_by(t), key);
}

}  // namespace isoscope::weak
