#include "store/commit_log.h"

#include <algorithm>
#include <ranges>

#include "isoscope/base/contract.h"

namespace isoscope {

void CommitLog::add(Sequence commit, Entry entry) {
  ISOSCOPE_REQUIRE(commit == end());
  for (const Footprint::Read& read : entry.footprint.reads) {
    if (read.key.index() >= readers_.size()) readers_.resize(read.key.index() + 1);
    std::vector<Sequence>& readers = readers_[read.key.index()];
    if (!readers.empty() && readers.back() == commit) continue;
    if (readers.size() >= 16) {
      std::erase_if(readers, [&](Sequence reader) { return reader < first_; });
    }
    readers.push_back(commit);
  }
  entries_.push_back(std::move(entry));
}

void CommitLog::forget_up_to(Sequence commit) {
  while (!entries_.empty() && first_ <= commit) {
    entries_.pop_front();
    if (!flags_.empty()) flags_.pop_front();
    ++first_;
  }
}

CommitLog::Flags& CommitLog::flags(Sequence commit) {
  ISOSCOPE_REQUIRE(commit >= first_ && commit <= end());
  if (commit - first_ >= flags_.size()) flags_.resize(commit - first_ + 1);
  return flags_[commit - first_];
}

bool CommitLog::selects(const Footprint::Scan& scan, KeyId key, ValueId value) const {
  return evaluate(names_.predicate(scan.predicate), names_.values(), names_.key_name(key), value) ==
         Truth::yes;
}

bool CommitLog::matters(const Footprint::Scan& scan, const Footprint::Write& write,
                        Sequence upto) const {
  if (names_.key_table(write.key) != scan.table) return false;
  return selects(scan, write.key, write.value) ||
         selects(scan, write.key, versions_.seen(View{.upto = upto}, write.key).value);
}

bool CommitLog::changed_since(const Footprint::Scan& scan) const {
  for (Sequence commit = std::max(first_, scan.at + 1); commit < end(); ++commit) {
    for (const Footprint::Write& write : entries_[commit - first_].footprint.writes) {
      if (matters(scan, write, scan.at)) return true;
    }
  }
  return false;
}

bool CommitLog::reads_are_current(const Footprint& footprint, const Looked& looked) const {
  for (const Footprint::Read& read : footprint.reads) {
    const bool writes = std::ranges::find(footprint.writes, read.key, &Footprint::Write::key) !=
                        footprint.writes.end();
    if (!(writes ? looked.written : looked.unwritten)) continue;
    const Sequence latest = versions_.latest(read.key).commit;
    if (latest != read.version && latest > looked.past_begin) return false;
  }
  return !looked.scans || std::ranges::none_of(footprint.scans, [&](const auto& scan) {
    return changed_since(scan);
  });
}

bool CommitLog::has_no_pivot(const Footprint& own, Sequence upto, bool with_scans) {
  // The commits that overwrite what the new one read, and those whose reads it overwrites.
  std::vector<Sequence> after;
  std::vector<Sequence> before;
  for (const Footprint::Read& read : own.reads) {
    for (const Version& version : std::views::reverse(versions_.of(read.key))) {
      if (version.commit <= upto) break;
      after.push_back(version.commit);
    }
  }
  for (const Footprint::Write& write : own.writes) {
    if (write.key.index() >= readers_.size()) continue;
    for (const Sequence reader : std::views::reverse(readers_[write.key.index()])) {
      if (reader <= upto) break;
      before.push_back(reader);
    }
  }
  for (Sequence other = std::max(first_, upto + 1); with_scans && other < end(); ++other) {
    const Entry& concurrent = entries_[other - first_];
    for (const Footprint::Scan& scan : own.scans) {
      for (const Footprint::Write& write : concurrent.footprint.writes) {
        if (matters(scan, write, upto)) after.push_back(other);
      }
    }
    for (const Footprint::Scan& scan : concurrent.footprint.scans) {
      for (const Footprint::Write& write : own.writes) {
        if (matters(scan, write, concurrent.upto)) before.push_back(other);
      }
    }
  }
  if (!after.empty() && !before.empty()) return false;
  for (const Sequence other : after) {
    if (flags(other).read_before_another) return false;
  }
  for (const Sequence other : before) {
    if (flags(other).written_after_a_read) return false;
  }
  for (const Sequence other : after) flags(other).written_after_a_read = true;
  for (const Sequence other : before) flags(other).read_before_another = true;
  flags(end()) = {!after.empty(), !before.empty()};
  return true;
}

}  // namespace isoscope
