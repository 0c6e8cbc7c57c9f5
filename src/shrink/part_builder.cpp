#include "shrink/part_builder.h"

#include <algorithm>

namespace isoscope::shrinking {

void PartBuilder::read(TransactionId t, std::uint32_t place, KeyId key) {
  const History& history = maker_.history();
  if (history.outcome(t) == Outcome::aborted) return;
  const bool is_predicate = history.operations(t)[place].is_predicate();
  auto& operations = kept_[t];
  const auto [at, is_new] = operations.try_emplace(place);
  const bool more = is_predicate ? at->second.looked.insert(key).second : is_new;
  if (!more) return;
  Needs needs = maker_.needs().of(t, place, key);
  for (const WriteAt& needed : needs.all) write(needed);
  if (!needs.one_of.empty()) one_of_.push_back(std::move(needs.one_of));
  for (std::vector<WriteAt>& group : needs.together) together_.push_back(std::move(group));
}

void PartBuilder::write(WriteAt write) {
  Keys& keys = kept_[write.transaction][write.place];
  const Operation& operation = maker_.history().operations(write.transaction)[write.place];
  if (operation.is_predicate() && maker_.history().predicate_access(operation).reported) {
    keys.written.insert(write.key);
  }
}

void PartBuilder::writes(TransactionId t, KeyId key) {
  const History& history = maker_.history();
  const auto operations = history.operations(t);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    bool writes = operations[i].is_item_write() && operations[i].key() == key;
    if (operations[i].kind() == OperationKind::predicate_write) {
      const auto rows = history.predicate_access(operations[i]).rows;
      writes = std::ranges::find(rows, key, &RowVersion::key) != rows.end();
    }
    if (writes) write({t, i, key});
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

Part PartBuilder::finish() && {
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
