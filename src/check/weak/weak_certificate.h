#pragma once

#include <optional>
#include <span>

#include "check/weak/grounds.h"
#include "check/weak/known_sources.h"
#include "isoscope/certificate/verdict.h"

namespace isoscope::weak {

/// The certificate of an execution whose commits are in the order of the grounds. Open reads must
/// have got their sources, unless the latest candidate will do for each of them.
Certificate certify_commits(const KnownSources& sources, const Grounds& grounds);
/// The same where versions are in the order of the grounds.
Certificate certify_versions(const KnownSources& sources, const VersionGrounds& grounds);

/// What the refutations need besides what speaks against the level.
struct Refuted {
  const KnownSources& sources;
  const KeyAccesses& accesses;
  const CheckOptions& options;
  Level level;
  std::span<const BadRead> ruled_out;  ///< why indeterminate transactions do not take part
};
/// The certificate of a refutation; nothing if it cannot be told step by step.
std::optional<Certificate> refute_commits(const Refuted& refuted, const Grounds& grounds);
std::optional<Certificate> refute_versions(const Refuted& refuted, const VersionGrounds& grounds);

}  // namespace isoscope::weak
