#include "check/reads/rule_out_dependents.h"

#include <algorithm>

#include "check/reads/value_table.h"
#include "isoscope/base/contract.h"

namespace isoscope {

namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;

/// Which reads of assumed transactions rest on nothing but writes of assumed transactions.
///
/// A need is a value of a key (or an element of one list read) together with the assumed
/// transactions that wrote it and the assumed transactions that read it. It fails for a reader when
/// no other writer is left.
class Needs {
 public:
  Needs(const History& history, const KeyAccesses& accesses, const UnreportedWrites& unreported,
        std::vector<PresumedOutcome>& presumed)
      : history_(history),
        unreported_(unreported),
        presumed_(presumed),
        first_write_of_(history.transaction_count(), none) {
    for (const KeyId key : history.keys()) {
      const auto of_key = accesses.of(key);
      const auto assumed_read = [&](const Access& access) {
        return access.is_read() && is_assumed(access);
      };
      work += of_key.size();
      if (std::ranges::none_of(of_key, assumed_read)) continue;
      work += of_key.size();
      if (accesses.use(key) == KeyUse::reg) collect_register(key, of_key);
      if (accesses.use(key) == KeyUse::list) collect_list(key, of_key);
    }
  }

  void propagate(std::vector<BadRead>& ruled_out, std::size_t first_new) {
    for (std::size_t i = first_new; i < ruled_out.size(); ++i) {
      ISOSCOPE_REQUIRE(presumed_[ruled_out[i].read.transaction.index()] ==
                       PresumedOutcome::assumed);
      presumed_[ruled_out[i].read.transaction.index()] = PresumedOutcome::aborted;
    }
    for (std::size_t i = first_new; i < ruled_out.size(); ++i) {
      const TransactionId gone = ruled_out[i].read.transaction;
      for (std::uint32_t w = first_write_of_[gone.index()]; w != none;
           w = writes_[w].next_of_transaction) {
        Need& need = needs_[writes_[w].need];
        ISOSCOPE_ENSURE(need.writers > 0);
        --need.writers;
        ++work;
        // With one writer left a need can fail for that writer as a reader. With none left it fails
        // for every reader.
        if (need.writers <= 1) fail_readers(need, ruled_out);
      }
    }
  }

  std::uint64_t work = 0;

 private:
  struct Need {
    KeyId key;
    std::uint32_t writers = 0;  // assumed ones that are left
    std::uint32_t all_writers = 0;
    std::uint32_t first_write = none;
    std::uint32_t first_read = none;
  };
  struct Write {
    std::uint32_t need;
    OperationRef at;
    std::uint32_t next_of_transaction;
    std::uint32_t next_of_need;
  };
  struct Read {
    const Access* access;
    bool also_writes;  // the reader is one of the need's writers
    std::uint32_t next_of_need;
  };
  struct Source {
    bool certain = false;  // initial, or written by a committed transaction
    std::uint32_t need = none;
  };
  struct Appender {
    std::uint32_t count = 0;
    bool is_initial = false;
    OperationRef at;
  };

  bool is_assumed(const Access& access) const {
    return presumed_[access.transaction.index()] == PresumedOutcome::assumed;
  }

  std::uint32_t add_need(KeyId key) {
    needs_.push_back({.key = key});
    return static_cast<std::uint32_t>(needs_.size() - 1);
  }
  void add_write(std::uint32_t need, OperationRef at) {
    ISOSCOPE_REQUIRE(presumed_[at.transaction.index()] == PresumedOutcome::assumed);
    std::uint32_t& first_of_transaction = first_write_of_[at.transaction.index()];
    writes_.push_back({need, at, first_of_transaction, needs_[need].first_write});
    first_of_transaction = needs_[need].first_write =
        static_cast<std::uint32_t>(writes_.size() - 1);
    ++needs_[need].writers;
    ++needs_[need].all_writers;
  }
  void add_read(std::uint32_t need, const Access& access, bool also_writes) {
    ISOSCOPE_REQUIRE(access.is_read() && is_assumed(access));
    reads_.push_back({&access, also_writes, needs_[need].first_read});
    needs_[need].first_read = static_cast<std::uint32_t>(reads_.size() - 1);
  }

  bool may_be_unreported(KeyId key, TransactionId reader) const {
    return unreported_.by_other(key, reader) || unreported_.by_self(key, reader, -1, INT64_MAX);
  }

  void collect_register(KeyId key, std::span<const Access> of_key) {
    sources_.reset(of_key.size());
    if (const auto initial = history_.initial_value(key)) {
      sources_[register_value(*initial)].certain = true;
    }
    for_each_run(of_key, [&](std::span<const Access> run) {
      if (presumed_[run[0].transaction.index()] != PresumedOutcome::committed) return;
      if (const Access* write = final_write(run)) sources_[write->value].certain = true;
    });
    for_each_run(of_key, [&](std::span<const Access> run) {
      if (!is_assumed(run[0]) || may_be_unreported(key, run[0].transaction)) return;
      const Access* own_final = final_write(run);
      for (const Access& access : run) {
        if (!access.is_read()) break;  // what comes after is no external read
        Source& source = sources_[access.value];
        if (source.certain) continue;
        if (source.need == none) source.need = add_need(key);
        add_read(source.need, access, own_final != nullptr && own_final->value == access.value);
      }
    });
    for_each_run(of_key, [&](std::span<const Access> run) {
      if (!is_assumed(run[0])) return;
      const Access* write = final_write(run);
      if (write == nullptr) return;
      const Source* source = sources_.find(write->value);
      if (source != nullptr && source->need != none) add_write(source->need, write->ref());
    });
  }

  void collect_list(KeyId key, std::span<const Access> of_key) {
    const ValuePool& values = history_.values();
    appenders_.reset(of_key.size());
    const auto initial = history_.initial_value(key);
    if (initial && values.kind(*initial) == ValueKind::list) {
      for (const ValueId element : values.list_elements(*initial))
        appenders_[element] = {1, true, {}};
    }
    for (const Access& access : of_key) {
      if (access.is_read() || !counts(presumed_[access.transaction.index()])) continue;
      Appender& appender = appenders_[access.value];
      appender.at = access.ref();
      if (++appender.count > 1) return;  // the next round's search sees to it
    }
    for (const Access& access : of_key) {
      if (!access.is_read() || !is_assumed(access) || may_be_unreported(key, access.transaction))
        continue;
      if (values.kind(access.value) != ValueKind::list) continue;
      for (ValueId list = access.value; list != ValuePool::empty_list;
           list = values.list_prefix(list)) {
        ++work;
        const Appender* appender = appenders_.find(values.list_last(list));
        if (appender == nullptr || appender->is_initial) continue;
        const TransactionId writer = appender->at.transaction;
        if (presumed_[writer.index()] != PresumedOutcome::assumed || writer == access.transaction)
          continue;
        const std::uint32_t need = add_need(key);
        add_read(need, access, false);
        add_write(need, appender->at);
      }
    }
  }

  void fail_readers(const Need& need, std::vector<BadRead>& ruled_out) {
    for (std::uint32_t r = need.first_read; r != none; r = reads_[r].next_of_need) {
      ++work;
      const Access& access = *reads_[r].access;
      PresumedOutcome& presumed = presumed_[access.transaction.index()];
      if (presumed != PresumedOutcome::assumed) continue;
      if (need.writers > (reads_[r].also_writes ? 1u : 0u)) continue;
      presumed = PresumedOutcome::aborted;
      BadRead finding;
      finding.kind = ReadFinding::aborted_read;
      finding.problem = ReadProblem::aborted_writer;
      finding.possible = {ReadFinding::aborted_read};
      finding.read = access.ref();
      finding.key = need.key;
      finding.value = finding.element = access.value;
      std::size_t others = need.all_writers - (reads_[r].also_writes ? 1 : 0);
      for (std::uint32_t w = need.first_write;
           w != none && finding.involved().size() < BadRead::max_involved;
           w = writes_[w].next_of_need) {
        if (writes_[w].at.transaction == access.transaction) continue;
        finding.involve(writes_[w].at);
        --others;
      }
      ISOSCOPE_ENSURE(finding.involved().size() + others <= need.all_writers);
      finding.leave_out(others);
      ruled_out.push_back(finding);
    }
  }

  const History& history_;
  const UnreportedWrites& unreported_;
  std::vector<PresumedOutcome>& presumed_;
  std::vector<Need> needs_;
  std::vector<Write> writes_;
  std::vector<Read> reads_;
  std::vector<std::uint32_t> first_write_of_;  // by transaction
  ValueTable<Source> sources_;
  ValueTable<Appender> appenders_;
};

}  // namespace

std::uint64_t rule_out_dependents(const History& history, const KeyAccesses& accesses,
                                  const UnreportedWrites& unreported,
                                  std::vector<PresumedOutcome>& presumed,
                                  std::vector<BadRead>& ruled_out, std::size_t first_new) {
  ISOSCOPE_REQUIRE(presumed.size() == history.transaction_count());
  ISOSCOPE_REQUIRE(first_new <= ruled_out.size());
  Needs needs(history, accesses, unreported, presumed);
  needs.propagate(ruled_out, first_new);
  return needs.work;
}

}  // namespace isoscope
