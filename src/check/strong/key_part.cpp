#include "check/strong/key_part.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/prefetch.h"

namespace isoscope::strong {

namespace {

/// When a read has more candidates than that it shares the list with all reads of the value: one
/// number where every read can have its own list, one where memory has to be spared.
constexpr std::size_t wide = 4096;
constexpr std::size_t wide_when_spared = 64;
/// The same of lists, whose candidates are searched one by one.
constexpr std::size_t wide_list = 16;

/// Of a list every read tells something about others; own appends stand behind it.
bool is_external_read(std::span<const Access> run) {
  return run[0].is_read() ||
         (run[0].kind() == Access::Kind::append &&
          std::ranges::any_of(run, [](const Access& access) { return access.is_read(); }));
}

bool has_write(std::span<const Access> run) {
  return std::ranges::any_of(run, [](const Access& access) { return !access.is_read(); });
}

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void KeyPart::add_counts(std::span<std::uint32_t> reads, std::span<std::uint32_t> writes) {
  for (Txn t = 0; t < next_.size(); ++t) {
    reads[t] += std::exchange(next_[t].read, reads[t]);
    writes_in_all_ += next_[t].write;
    writes[t] += std::exchange(next_[t].write, writes[t]);
  }
}

void KeyPart::fill() {
  for (Txn t = 0; t < next_.size(); ++t) {
    next_[t].read += p_.read_starts[t];
    next_[t].write += p_.write_starts[t];
  }
  version_starts_.reserve(last_ - first_);
  by_key_.reserve(writes_in_all_ + (last_ - first_));
  for (std::uint32_t key = first_; key < last_; ++key) {
    if (input_.limits != nullptr && input_.limits->reached()) return;
    version_starts_.push_back(static_cast<std::uint32_t>(by_key_.size()));
    if (key + 1 < last_) {
      for (const Access& access : input_.accesses.of(KeyId(key + 1))) {
        prefetch(&p_.number[access.transaction.index()]);
      }
    }
    if (input_.accesses.use(KeyId(key)) == KeyUse::list) {
      fill_list(KeyId(key));
    } else {
      fill_register(KeyId(key));
    }
  }
}

void KeyPart::add_to(Problem& p) {
  for (const std::uint32_t start : version_starts_) {
    p.version_starts.push_back(static_cast<std::uint32_t>(p.by_key.size()) + start);
  }
  append(by_key_, p.by_key);
  for (const std::uint32_t r : listed_reads_) {
    p.reads[r].candidate += static_cast<std::uint32_t>(p.lists.size());
  }
  for (CandidateList& list : candidate_lists_) {
    list.first += static_cast<std::uint32_t>(p.candidates.size());
  }
  append(candidate_lists_, p.lists);
  append(candidates_, p.candidates);
  append(list_orders_, p.list_orders);
  append(members_, p.members);
  append(list_reads_, p.list_reads);
  p.list_appends.insert(list_appends_.begin(), list_appends_.end());
}

void KeyPart::fill_register(KeyId key) {
  reads_.clear();
  writes_.clear();
  for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
    const Txn t = p_.number[run[0].transaction.index()];
    if (t == none) return;
    prefetch(&next_[t]);
    const bool looks = input_.looks_at_reads(run[0].transaction, key);
    if (run[0].is_read() && looks) reads_.push_back({t, run[0].operation(), run[0].value});
    if (const Access* write = final_write(run)) writes_.push_back({t, write->value});
  });
  for (const WriteHere& write : writes_) {
    prefetch_to_write(&p_.versions[next_[write.writer].write]);
  }
  for (const ReadHere& read : reads_) prefetch_to_write(&p_.reads[next_[read.reader].read]);
  const std::optional<ValueId> initial = input_.history.initial_value(key);
  ValueId initial_value = initial.value_or(ValuePool::unreported);
  if (initial_value == ValuePool::empty_list) initial_value = ValuePool::nil;
  add_versions(key, initial_value);
  shared_.clear();
  std::ranges::sort(by_value_);
  for (const ReadHere& read : reads_) add_read(key, read);
}

void KeyPart::add_versions(KeyId key, ValueId initial) {
  std::ranges::sort(writes_, {}, &WriteHere::writer);
  by_value_.clear();
  add_version(p_.initial_version(key.value), {key.value, 0, initial});
  for (const WriteHere& write : writes_) {
    add_version(next_[write.writer].write++, {key.value, write.writer, write.value});
  }
}

void KeyPart::add_version(std::uint32_t number, const Version& version) {
  p_.versions[number] = version;
  by_key_.push_back(number);
  by_value_.push_back(std::uint64_t{version.value.value} << 32 | number);
}

std::uint32_t KeyPart::start_read(KeyId key, Txn reader, std::uint32_t operation) {
  const std::uint32_t r = next_[reader].read++;
  p_.reads[r].reader = reader;
  p_.reads[r].key = key.value;
  p_.reads[r].operation = operation & Read::most_operations;
  return r;
}

void KeyPart::add_read(KeyId key, const ReadHere& read) {
  const std::uint32_t r = start_read(key, read.reader, read.operation);
  const auto first = std::ranges::lower_bound(by_value_, std::uint64_t{read.value.value} << 32);
  const auto last = std::ranges::upper_bound(first, by_value_.end(),
                                             std::uint64_t{read.value.value} << 32 | none);
  const auto count = static_cast<std::size_t>(last - first);
  const bool is_wide = count > (candidates_.size() < spared_from_ ? wide : wide_when_spared);
  const CandidateList list =
      is_wide ? shared_candidates({first, last}) : own_candidates(read.reader, {first, last});
  ISOSCOPE_REQUIRE(list.all > 0);  // or the first pass would have found it
  add_candidates(r, list);
}

void KeyPart::add_candidates(std::uint32_t r, const CandidateList& list) {
  if (list.all == 1) {
    p_.reads[r].candidate = candidates_[list.first];
    if (!list.is_wide) candidates_.pop_back();
    return;
  }
  p_.reads[r].has_list = 1;
  p_.reads[r].candidate = static_cast<std::uint32_t>(candidate_lists_.size());
  candidate_lists_.push_back(list);
  listed_reads_.push_back(r);
}

CandidateList KeyPart::own_candidates(Txn reader, std::span<const std::uint64_t> versions) {
  CandidateList list;
  list.first = static_cast<std::uint32_t>(candidates_.size());
  for (const std::uint64_t named : versions) {
    const auto version = static_cast<std::uint32_t>(named);
    if (p_.versions[version].writer != reader) candidates_.push_back(version);
  }
  list.left = list.all = static_cast<std::uint32_t>(candidates_.size()) - list.first;
  return list;
}

CandidateList KeyPart::shared_candidates(std::span<const std::uint64_t> versions) {
  const auto value = static_cast<std::uint32_t>(versions.front() >> 32);
  const auto [at, is_new] =
      shared_.try_emplace(value, static_cast<std::uint32_t>(candidates_.size()));
  if (is_new) {
    for (const std::uint64_t version : versions) {
      candidates_.push_back(static_cast<std::uint32_t>(version));
    }
  }
  const auto count = static_cast<std::uint32_t>(versions.size());
  return {.first = at->second, .left = count, .all = count, .is_wide = true};
}

void KeyPart::fill_list(KeyId key) {
  writes_.clear();
  for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
    const Txn t = p_.number[run[0].transaction.index()];
    if (t != none && has_write(run)) writes_.push_back({t, ValuePool::unreported});
  });
  add_versions(key, ValuePool::unreported);
  if (repeated_element(input_.history, input_.accesses, key)) return fill_repeated_list(key);
  lists_.start(key, std::span(by_key_).subspan(version_starts_.back()));
  for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
    const Txn t = p_.number[run[0].transaction.index()];
    if (t != none) lists_.add_appends(t, run);
  });
  for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
    const Txn t = p_.number[run[0].transaction.index()];
    if (t == none || !is_external_read(run)) return;
    if (!input_.looks_at_reads(run[0].transaction, key)) return;
    const ListProblem::External external = lists_.external_read(run);
    const std::uint32_t r = start_read(key, t, external.operation);
    p_.reads[r].candidate = lists_.source(external.prefix);
    lists_.add_read(r, t, external.prefix);
  });
  lists_.finish();
}

void KeyPart::fill_repeated_list(KeyId key) {
  const auto versions = std::span(by_key_).subspan(version_starts_.back());
  const ListBlocks blocks(input_.history, input_.accesses, p_, key, versions);
  shared_blocks_.clear();
  for (const std::uint32_t v : versions) list_appends_.emplace_back(v, blocks.appends(v));
  for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
    const Txn t = p_.number[run[0].transaction.index()];
    if (t == none || !is_external_read(run)) return;
    if (!input_.looks_at_reads(run[0].transaction, key)) return;
    if (input_.limits != nullptr && input_.limits->reached()) return;
    const ListProblem::External external = lists_.external_read(run);
    const std::uint32_t r = start_read(key, t, external.operation);
    const auto list = blocks.as_list(external.prefix);
    const bool has_start = input_.history.initial_value(key) || !run[0].is_read();
    CandidateList candidates = {.is_list = true};  // nobody left that
    if (list && !blocks.has_too_often(*list, run)) {
      const std::size_t size = input_.history.values().list_size(*list);
      list_reads_.push_back({r, *list, static_cast<std::uint32_t>(size)});
      candidates = list_candidates(t, blocks, *list, has_start);
    }
    add_candidates(r, candidates);
  });
}

/// The candidates of a read of a list: those whose appends it ends in.
CandidateList KeyPart::list_candidates(Txn reader, const ListBlocks& blocks, ValueId list,
                                       bool has_start) {
  std::vector<std::uint32_t> ends;
  blocks.find_blocks(list, ends);
  std::size_t count = 0;
  for (const std::uint32_t block : ends) count += blocks.versions(block).size();
  CandidateList result = {.first = static_cast<std::uint32_t>(candidates_.size())};
  std::vector<std::uint32_t> found;
  if (count > wide_list) {
    const auto [known, is_new] = shared_blocks_.try_emplace(ends, result.first);
    result.first = known->second;
    result.is_wide = result.is_sorted = true;
    if (is_new) blocks.find_candidates(list, found);
  } else {
    if (list != blocks.initial() || has_start) blocks.find_candidates(list, found);
    std::erase_if(found, [&](std::uint32_t v) { return p_.versions[v].writer == reader; });
    count = found.size();
    result.is_list = true;
  }
  result.left = result.all = static_cast<std::uint32_t>(count);
  candidates_.insert(candidates_.end(), found.begin(), found.end());
  return result;
}

}  // namespace isoscope::strong
