#include "check/weak/weak_certificate.h"

#include <algorithm>

#include "check/weak/stuck_refutation.h"
#include "isoscope/base/contract.h"

namespace isoscope::weak {

namespace {

/// Whether everything that `grounds` says was written.
bool write(const Refuted& refuted, const Grounds& grounds, RefutationWriter& writer) {
  const std::span<const ForcedEdge> forced = grounds.forced.all();
  if (!grounds.stuck.empty()) {
    return refute_stuck(refuted.sources, grounds.stuck, forced, writer);
  }
  if (const auto& edge = grounds.forced.before_initial()) {
    writer.initial_before(edge->from, std::nullopt);
    return writer.knew(edge->from, edge->read);
  }
  // Points in time stand between transactions.
  std::vector<Txn> cycle;
  for (const std::uint32_t node : grounds.cycle) {
    if (node < refuted.sources.size()) cycle.push_back(node);
  }
  if (cycle.size() < 2) return false;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (!writer.commit_before(cycle[i], cycle[(i + 1) % cycle.size()], forced)) return false;
  }
  writer.close_cycle(cycle, std::nullopt);
  return true;
}

bool write(const Refuted& refuted, const VersionGrounds& grounds, RefutationWriter& writer) {
  if (!grounds.circle.empty()) return writer.close_circle(grounds.circle);
  const VersionGraph versions(refuted.sources);
  if (const auto& early = grounds.before_initial) {
    const Txn t = versions.writer(early->version);
    writer.initial_before(t, versions.key(early->version));
    return writer.knew(t, early->read);
  }
  if (grounds.cycle.size() < 2) return false;
  const KeyId key = versions.key(grounds.cycle.front());
  std::vector<Txn> cycle;
  for (const VersionGraph::Node version : grounds.cycle) cycle.push_back(versions.writer(version));
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (!writer.version_before(cycle[i], cycle[(i + 1) % cycle.size()], key)) return false;
  }
  writer.close_cycle(cycle, key);
  return true;
}

template <class AnyGrounds>
std::optional<Certificate> refute(const Refuted& refuted, const AnyGrounds& grounds) {
  RefutationWriter writer(refuted.sources, refuted.accesses, refuted.level, refuted.options,
                          refuted.ruled_out);
  if (!writer.can_start() || !write(refuted, grounds, writer)) return std::nullopt;
  Certificate certificate;
  certificate.steps = writer.steps().take();
  ISOSCOPE_ENSURE(!certificate.steps.empty());
  return certificate;
}

ReadNumber number_of_read(const KnownSources& sources, const KeyNumbers& keys, std::uint32_t read) {
  const Read& its = sources.reads()[read];
  const TransactionId reader = sources.id(sources.reader_of(read));
  const std::uint32_t operation = sources.operation(read);
  ReadNumber number = {number_of(reader), operation + 1};
  const bool is_row = sources.history().operations(reader)[operation].is_predicate();
  if (is_row) number.key = keys.number(its.key);
  return number;
}

/// Lists the sources of open reads that are not from the latest candidate before the reader.
void list_sources(const KnownSources& sources, std::span<const Txn> order, Certificate& into) {
  if (sources.open_reads().empty()) return;
  std::vector<std::uint32_t> place(sources.size(), 0);
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i + 1;
  const KeyNumbers keys(sources.history());
  for (const KnownSources::OpenRead& open : sources.open_reads()) {
    const Txn source = sources.reads()[open.read].source;
    if (source == open_source) continue;
    const Txn reader = sources.reader_of(open.read);
    const bool has_later = std::ranges::any_of(sources.candidates(open), [&](Txn candidate) {
      return place[candidate] < place[reader] && place[candidate] > place[source];
    });
    if (!has_later) continue;
    const std::uint32_t writer = source == 0 ? 0 : number_of(sources.id(source));
    into.sources.push_back({number_of_read(sources, keys, open.read), writer});
  }
}

}  // namespace

Certificate certify_commits(const KnownSources& sources, const Grounds& grounds) {
  Certificate certificate;
  certificate.holds = true;
  for (const Txn t : grounds.order) {
    certificate.order.push_back(Event::commit(number_of(sources.id(t))));
  }
  // A commit that is missing, or there twice, would be found only by the verifier.
  ISOSCOPE_ENSURE(grounds.order.size() + 1 == sources.size());
  list_sources(sources, grounds.order, certificate);
  return certificate;
}

Certificate certify_versions(const KnownSources& sources, const VersionGrounds& grounds) {
  Certificate certificate;
  certificate.holds = true;
  ISOSCOPE_REQUIRE(grounds.order.size() == sources.write_count());
  const VersionGraph versions(sources);
  const KeyNumbers keys(sources.history());
  for (const VersionGraph::Node version : grounds.order) {
    const KeyId key = versions.key(version);
    if (versions.writers(key).size() < 2) continue;
    const std::uint32_t writer = number_of(sources.id(versions.writer(version)));
    certificate.order.push_back(Event::version(writer, keys.number(key)));
  }
  return certificate;
}

std::optional<Certificate> refute_commits(const Refuted& refuted, const Grounds& grounds) {
  return refute(refuted, grounds);
}

std::optional<Certificate> refute_versions(const Refuted& refuted, const VersionGrounds& grounds) {
  return refute(refuted, grounds);
}

}  // namespace isoscope::weak
