#include "check/visible/witness.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::visible {

namespace {

class Witness {
 public:
  Witness(const Problem& problem, const Row& row, Repair& repair, Certificate& into)
      : p_(problem),
        row_(row),
        repair_(repair),
        e_(repair.execution()),
        keys_(p_.history()),
        into_(into) {}

  bool run(std::size_t most_rows) {
    ISOSCOPE_REQUIRE(into_.order.empty() && into_.sources.empty());
    into_.holds = true;
    for (const Txn t : e_.order) {
      const bool is_chosen =
          takes_part(t) && p_.history().outcome(p_.sources().id(t)) == Outcome::indeterminate;
      if (is_chosen) into_.committed.push_back(number(t));
    }
    std::ranges::sort(into_.committed);
    if (events_of(into_.level) == OrderEvents::begins_and_commits) {
      tell_begins_and_commits();
      return true;
    }
    if (events_of(into_.level) == OrderEvents::versions) {
      tell_versions();
    } else {
      for (const Txn t : e_.order) {
        if (takes_part(t)) into_.order.push_back(Event::commit(number(t)));
      }
    }
    // At serializability the order says what is read.
    return !needs_version_3(into_.level.id) || tell_sources(most_rows);
  }

 private:
  bool takes_part(Txn t) const { return e_.takes_part[t] != 0; }
  std::uint32_t number(Txn t) const { return t == 0 ? 0 : number_of(p_.sources().id(t)); }

  /// A transaction begins right after the last one that it must have seen.
  void tell_begins_and_commits() {
    std::vector<std::vector<Txn>> begins(p_.size());  // by the transaction that they come after
    std::vector<Txn> last_writer(p_.history().key_count(), 0);
    std::vector<std::uint32_t> reads;
    for (const Txn t : e_.order) {
      if (!takes_part(t)) continue;
      Txn last = p_.previous(t);
      const auto see = [&](Txn other) {
        if (e_.place[other] > e_.place[last]) last = other;
      };
      p_.reads_of(t, reads);
      for (const std::uint32_t r : reads) see(e_.source[r]);
      for (const KeyId key : p_.sources().written_by(t)) {
        if (row_.overwritten == Overwritten::all) see(last_writer[key.index()]);
        last_writer[key.index()] = t;
      }
      begins[last].push_back(t);
    }
    const auto tell_begins = [&](Txn after) {
      for (const Txn t : begins[after]) into_.order.push_back(Event::begin(number(t)));
    };
    tell_begins(0);
    for (const Txn t : e_.order) {
      if (!takes_part(t)) continue;
      into_.order.push_back(Event::commit(number(t)));
      tell_begins(t);
    }
  }

  void tell_versions() {
    ISOSCOPE_REQUIRE(e_.version_place.size() == p_.version_count());
    std::vector<Event> events(p_.version_count());
    std::vector<std::uint32_t> versions;
    for (Txn t = 1; t < p_.size(); ++t) {
      if (!takes_part(t)) continue;
      for (const KeyId key : p_.sources().written_by(t)) {
        const std::uint32_t version = p_.version(t, key);
        versions.push_back(version);
        events[version] = Event::version(number(t), keys_.number(key));
      }
    }
    std::ranges::sort(versions, {}, [&](std::uint32_t v) { return e_.version_place[v]; });
    for (const std::uint32_t version : versions) into_.order.push_back(events[version]);
  }

  bool tell_sources(std::size_t most_rows) {
    for (std::uint32_t r = 0; r < p_.reads().size(); ++r) {
      const Read& read = p_.read(r);
      if (!p_.has_several(r) || !takes_part(read.reader)) continue;
      tell(read.reader, read.operation, read.key, e_.source[r]);
    }
    return repair_.tell_rows([&](Txn reader, std::uint32_t operation, KeyId key,
                                 Txn source) { tell(reader, operation, key, source); },
                             most_rows);
  }

  void tell(Txn reader, std::uint32_t operation, KeyId key, Txn source) {
    ISOSCOPE_REQUIRE(source != none && takes_part(reader) && (source == 0 || takes_part(source)));
    const auto operations = p_.history().operations(p_.sources().id(reader));
    ReadNumber read{.transaction = number(reader), .operation = operation + 1};
    if (operations[operation].is_predicate()) read.key = keys_.number(key);
    into_.sources.push_back({read, number(source)});
  }

  const Problem& p_;
  const Row& row_;
  Repair& repair_;
  const Execution& e_;
  const KeyNumbers keys_;
  Certificate& into_;
};

}  // namespace

bool tell_execution(const Problem& problem, const Row& row, Repair& repair, std::size_t most_rows,
                    Certificate& certificate) {
  return Witness(problem, row, repair, certificate).run(most_rows);
}

}  // namespace isoscope::visible
