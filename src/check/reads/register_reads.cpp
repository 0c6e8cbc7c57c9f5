#include "check/reads/register_reads.h"

#include <algorithm>
#include <tuple>

#include "isoscope/base/contract.h"

namespace isoscope {

void RegisterReads::check(KeyId key) {
  ISOSCOPE_REQUIRE(round_.accesses.use(key) == KeyUse::reg);
  key_ = key;
  accesses_ = round_.accesses.of(key);
  writers_.clear();
  writers_indexed_ = false;
  round_.work += accesses_.size();
  collect_sources();
  for_each_run(accesses_, [&](std::span<const Access> run) {
    if (round_.counts(run[0].transaction)) check_run(run);
  });
}

void RegisterReads::collect_sources() {
  const auto is_write = [](const Access& access) { return !access.is_read(); };
  sources_.reset(static_cast<std::size_t>(std::ranges::count_if(accesses_, is_write)) + 1);
  if (const auto initial = round_.history.initial_value(key_)) {
    sources_[register_value(*initial)].add(TwoTransactions::initial_state);
  }
  for_each_run(accesses_, [&](std::span<const Access> run) {
    if (!round_.counts(run[0].transaction)) return;
    if (const Access* write = final_write(run))
      sources_[write->value].add(write->transaction.value);
  });
}

void RegisterReads::check_run(std::span<const Access> run) {
  const Access* own = nullptr;
  const Access* first = nullptr;
  for (const Access& access : run) {
    if (!access.is_read()) {
      own = &access;
    } else if (own != nullptr) {
      if (access.value != own->value) contradicts_own(access, *own);
    } else {
      if (first == nullptr) first = &access;
      if (access.value != first->value) round_.add_changed(access, *first, key_);
      const TwoTransactions* sources = sources_.find(access.value);
      if (sources == nullptr || !sources->has_other_than(access.transaction)) unexplained(access);
    }
  }
}

void RegisterReads::contradicts_own(const Access& read, const Access& own) {
  ISOSCOPE_ENSURE(own.transaction == read.transaction && own.operation() <= read.operation());
  const bool own_is_known = own.value != ValuePool::unreported;
  if (!own_is_known ||
      round_.unreported.by_self(key_, read.transaction, own.operation(), read.operation())) {
    round_.add_undecided(UndecidedRead::Why::unreported_write, read.ref(), key_,
                         ReadFinding::internal_inconsistency);
    return;
  }
  BadRead finding = round_.start(read, key_);
  finding.kind = ReadFinding::internal_inconsistency;
  finding.problem = ReadProblem::own_write;
  finding.involve(own.ref());
  round_.add(finding);
}

void RegisterReads::unexplained(const Access& read) {
  ISOSCOPE_REQUIRE(read.is_read());
  if (round_.unreported.by_other(key_, read.transaction) ||
      round_.unreported.by_self(key_, read.transaction, -1, read.operation())) {
    round_.add_undecided(UndecidedRead::Why::unreported_write, read.ref(), key_,
                         ReadFinding::thin_air_read);
    return;
  }
  if (!writers_indexed_) index_writers();
  BadRead finding = round_.start(read, key_);
  const std::span<const Writer> aborted = writers(read.value, Part::aborted);
  const std::span<const Writer> assumed = writers(read.value, Part::assumed_overwritten);
  const std::span<const Writer> committed = writers(read.value, Part::committed_overwritten);
  const bool assumed_wrote = has_others(read, assumed);
  const bool overwritten = assumed_wrote || has_others(read, committed);
  const Writer* later = own_later_write(read);
  if (!aborted.empty() || assumed_wrote) finding.possible.add(ReadFinding::aborted_read);
  if (overwritten) finding.possible.add(ReadFinding::intermediate_read);
  if (later != nullptr) finding.possible.add(ReadFinding::future_read);
  // If there are several explanations, the one that the fewest levels forbid gives the finding its
  // name: what some weak level allows (aborted and intermediate reads) comes before what none
  // allows.
  if (!aborted.empty()) {
    finding.kind = ReadFinding::aborted_read;
    finding.problem = ReadProblem::aborted_writer;
    involve_others(finding, aborted);
  } else if (overwritten) {
    finding.kind = ReadFinding::intermediate_read;
    finding.problem = ReadProblem::overwritten;
    involve_others(finding, committed);
    involve_others(finding, assumed);
  } else if (later != nullptr) {
    finding.kind = ReadFinding::future_read;
    finding.problem = ReadProblem::own_later_write;
    finding.involve(later->at);
  } else {
    finding.kind = ReadFinding::thin_air_read;
    finding.problem = ReadProblem::never_written;
  }
  round_.add(finding);
}

void RegisterReads::index_writers() {
  ISOSCOPE_REQUIRE(writers_.empty());
  writers_indexed_ = true;
  round_.work += accesses_.size();
  for_each_run(accesses_, [&](std::span<const Access> run) {
    const PresumedOutcome presumed = round_.presumed[run[0].transaction.index()];
    const Access* last = final_write(run);
    for (const Access& access : run) {
      if (access.is_read()) continue;
      Part part = Part::final;
      if (presumed == PresumedOutcome::aborted) {
        part = Part::aborted;
      } else if (&access != last) {
        part = presumed == PresumedOutcome::assumed ? Part::assumed_overwritten
                                                    : Part::committed_overwritten;
      }
      writers_.push_back({access.value, part, access.ref()});
    }
  });
  std::ranges::sort(writers_);
}

std::span<const RegisterReads::Writer> RegisterReads::writers(ValueId value, Part part) const {
  ISOSCOPE_REQUIRE(writers_indexed_);
  const auto range = std::ranges::equal_range(
      writers_, std::tuple(value, part), {},
      [](const Writer& writer) { return std::tuple(writer.value, writer.part); });
  return {range.begin(), range.end()};
}

std::span<const RegisterReads::Writer> RegisterReads::own_among(TransactionId reader,
                                                                std::span<const Writer> writers) {
  const auto own = std::ranges::equal_range(
      writers, reader, {}, [](const Writer& writer) { return writer.at.transaction; });
  return {own.begin(), own.end()};
}

bool RegisterReads::has_others(const Access& read, std::span<const Writer> writers) {
  return own_among(read.transaction, writers).size() < writers.size();
}

void RegisterReads::involve_others(BadRead& finding, std::span<const Writer> writers) {
  const std::span<const Writer> own = own_among(finding.read.transaction, writers);
  std::size_t others = writers.size() - own.size();
  // The reader's own writes stand together: one leap passes them.
  for (auto writer = writers.begin();
       others > 0 && finding.involved().size() < BadRead::max_involved;) {
    if (!own.empty() && &*writer == own.data()) {
      writer += static_cast<std::ptrdiff_t>(own.size());
      continue;
    }
    finding.involve(writer->at);
    --others;
    ++writer;
  }
  ISOSCOPE_ENSURE(others == 0 || finding.involved().size() == BadRead::max_involved);
  finding.leave_out(others);
}

const RegisterReads::Writer* RegisterReads::own_later_write(const Access& read) const {
  for (const Part part : {Part::assumed_overwritten, Part::committed_overwritten, Part::final}) {
    const std::span<const Writer> range = writers(read.value, part);
    const auto later = std::ranges::upper_bound(range, read.ref(), {}, &Writer::at);
    if (later != range.end() && later->at.transaction == read.transaction) return &*later;
  }
  return nullptr;
}

}  // namespace isoscope
