#include "store/locks.h"

#include <algorithm>

namespace isoscope {

namespace {

using Decision = Locks::Decision;

/// What a transaction that meets these holders has to do.
Decision meet(Age who, const std::vector<Age>& holders) {
  bool others = false;
  for (const Age holder : holders) {
    if (holder == who) continue;
    if (holder < who) return Decision::die;
    others = true;
  }
  return others ? Decision::wait : Decision::granted;
}

/// One `die` among several is enough.
Decision meet(Age who, const std::vector<Age>& some, const std::vector<Age>& others) {
  return std::max(meet(who, some), meet(who, others));
}

Decision join(Age who, std::vector<Age>& holders, Decision answer) {
  if (answer == Decision::granted && std::ranges::find(holders, who) == holders.end()) {
    holders.push_back(who);
  }
  return answer;
}

template <class Lock>
Lock& grown_entry(std::vector<Lock>& locks, std::size_t index) {
  if (index >= locks.size()) locks.resize(index + 1);
  return locks[index];
}

}  // namespace

Locks::Lock& Locks::lock(KeyId key) { return grown_entry(keys_, key.index()); }
Locks::Lock& Locks::lock(TableId table) { return grown_entry(tables_, table.index()); }

Decision Locks::read(Age who, KeyId key) {
  Lock& held = lock(key);
  return join(who, held.shared, meet(who, held.exclusive));
}

Decision Locks::write(Age who, KeyId key, bool past_readers) {
  Lock& held = lock(key);
  return join(who, held.exclusive,
              past_readers ? meet(who, held.exclusive) : meet(who, held.exclusive, held.shared));
}

Decision Locks::scan(Age who, TableId table) {
  Lock& held = lock(table);
  return join(who, held.shared, meet(who, held.exclusive));
}

Decision Locks::write_into(Age who, TableId table) {
  Lock& held = lock(table);
  return join(who, held.exclusive, meet(who, held.shared));
}

Decision Locks::may_read(Age who, KeyId key) const {
  return key.index() < keys_.size() ? meet(who, keys_[key.index()].exclusive) : Decision::granted;
}

Age Locks::writer(KeyId key) const {
  if (key.index() >= keys_.size() || keys_[key.index()].exclusive.empty()) return nobody;
  return keys_[key.index()].exclusive.front();
}

bool Locks::reads(Age who, KeyId key) const {
  return key.index() < keys_.size() &&
         std::ranges::find(keys_[key.index()].shared, who) != keys_[key.index()].shared.end();
}

void Locks::release(Age who, KeyId key) {
  Lock& held = lock(key);
  std::erase(held.shared, who);
  std::erase(held.exclusive, who);
}

void Locks::release(Age who, TableId table) {
  Lock& held = lock(table);
  std::erase(held.shared, who);
  std::erase(held.exclusive, who);
}

}  // namespace isoscope
