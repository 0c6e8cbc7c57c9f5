#include "shrink/part_builder.h"

#include <algorithm>

namespace isoscope::shrinking {

namespace {

/// A part that takes more writes than this is no place to start from. (About a second.)
constexpr std::size_t most_work = 30'000'000;

}  // namespace

void PartBuilder::add(const Part& part) {
  for (const KeptTransaction& transaction : part) {
    auto& operations = kept_[transaction.id];
    for (const KeptOperation& one : transaction.operations) {
      Keys& keys = operations[one.place];
      keys.looked.insert(one.looked.begin(), one.looked.end());
      keys.written.insert(one.written.begin(), one.written.end());
      keys.must_stay = true;
    }
  }
}

void PartBuilder::read(TransactionId t, std::uint32_t place, KeyId key) {
  read_if_sayable(t, place, key);
  const auto transaction = kept_.find(t);
  if (transaction == kept_.end()) return;
  const auto at = transaction->second.find(place);
  if (at != transaction->second.end()) at->second.must_stay = true;
}

void PartBuilder::read_if_sayable(TransactionId t, std::uint32_t place, KeyId key) {
  const History& history = maker_.history();
  if (history.outcome(t) == Outcome::aborted || is_too_much()) return;
  const bool is_predicate = history.operations(t)[place].is_predicate();
  auto& operations = kept_[t];
  const auto [at, is_new] = operations.try_emplace(place);
  const bool more = is_predicate ? at->second.looked.insert(key).second : is_new;
  if (!more) return;
  Needs needs = maker_.needs().of(t, place, key);
  work_ += needs.all.size() + maker_.needs().index().of(key).size();
  for (const WriteAt& needed : needs.all) write(needed);
  if (!needs.one_of.empty()) one_of_.push_back(std::move(needs.one_of));
  for (std::vector<WriteAt>& group : needs.together) together_.push_back(std::move(group));
}

bool PartBuilder::is_too_much() const { return work_ > most_work; }

void PartBuilder::write(WriteAt write) {
  Keys& keys = kept_[write.transaction][write.place];
  const Operation& operation = maker_.history().operations(write.transaction)[write.place];
  if (operation.is_predicate() && maker_.history().predicate_access(operation).reported) {
    keys.written.insert(write.key);
  }
}

void PartBuilder::writes(TransactionId t, const std::set<KeyId>& keys) {
  const History& history = maker_.history();
  const auto operations = history.operations(t);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (operation.is_item_write() && keys.contains(operation.key())) {
      write({t, i, operation.key()});
    } else if (operation.kind() == OperationKind::predicate_write) {
      for (const RowVersion& row : history.predicate_access(operation).rows) {
        if (keys.contains(row.key)) write({t, i, row.key});
      }
    }
  }
}

bool PartBuilder::has(WriteAt write) const {
  const auto transaction = kept_.find(write.transaction);
  if (transaction == kept_.end()) return false;
  const auto operation = transaction->second.find(write.place);
  if (operation == transaction->second.end()) return false;
  const bool is_predicate =
      maker_.history().operations(write.transaction)[write.place].is_predicate();
  return !is_predicate || operation->second.written.contains(write.key);
}

bool PartBuilder::complete_looks() {
  const History& history = maker_.history();
  struct Look {
    TransactionId t;
    std::uint32_t place;
    KeyId key;
  };
  std::vector<Look> missing;
  for (const auto& [t, operations] : kept_) {
    std::set<KeyId> before;
    for (auto at = operations.begin(); at != operations.end(); ++at) {
      if (!at->second.looked.empty()) {
        const Operation& look = history.operations(t)[at->first];
        const TableId table = history.predicate_access(look).table;
        for (auto later = at; later != operations.end(); ++later) {
          for (const KeyId key : keys_written(t, later->first, later->second)) {
            const bool matters = history.key_table(key) == table && !before.contains(key);
            if (matters && !at->second.looked.contains(key)) missing.push_back({t, at->first, key});
          }
        }
      }
      before.merge(keys_written(t, at->first, at->second));
    }
  }
  for (const Look& look : missing) {
    Keys& keys = kept_[look.t][look.place];
    if (keys.must_stay) {
      read(look.t, look.place, look.key);
    } else {
      keys.looked.clear();
    }
  }
  return !missing.empty();
}

std::set<KeyId> PartBuilder::keys_written(TransactionId t, std::uint32_t place,
                                          const Keys& kept) const {
  const Operation& operation = maker_.history().operations(t)[place];
  if (operation.is_item_write()) return {operation.key()};
  return kept.written;
}

Part PartBuilder::finish() && {
  while (!is_too_much() && complete_looks()) {
  }
  if (is_too_much()) return {};
  const auto kept = [&](const WriteAt& one) { return has(one); };
  for (const std::vector<WriteAt>& some : one_of_) {
    if (std::ranges::none_of(some, kept)) write(some.front());
  }
  for (const std::vector<WriteAt>& group : together_) {
    if (std::ranges::none_of(group, kept)) continue;
    for (const WriteAt& one : group) write(one);
  }
  Part part;
  for (const auto& [t, operations] : kept_) {
    KeptTransaction& transaction = part.emplace_back(KeptTransaction{t, {}});
    for (const auto& [place, keys] : operations) {
      transaction.operations.push_back({.place = place,
                                        .looked = {keys.looked.begin(), keys.looked.end()},
                                        .written = {keys.written.begin(), keys.written.end()}});
    }
  }
  return part;
}

}  // namespace isoscope::shrinking
