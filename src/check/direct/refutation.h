#pragma once

#include <optional>
#include <vector>

#include "check/direct/overwrites.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope::direct {

/// Writes down why an anomaly of few transactions refutes a level: steps of a certificate
/// (docs/certificates.md). What is added must be certain. The last step that is added leaves
/// nothing open.
class Refutation {
 public:
  Refutation(const Overwrites& overwrites, const KeyNumbers& keys, bool one_event)
      : overwrites_(overwrites), keys_(keys), one_event_(one_event) {}

  /// The source committed before the reader began.
  void read_from(const CertainRead& read);
  /// By session order or real time: `a` committed before `b` began.
  void known_order(Number a, Number b);
  /// The same by way of `middle`: `a` comes before `middle`, and `middle` before `b`.
  void through(Number a, Number middle, Number b);
  /// The reader began before `other`, which overwrote what was read, committed.
  void overwritten(const CertainRead& read, Number other);
  /// Two writers of one key must not overlap, where transactions can overlap at all.
  void conflict(Number a, Number b);

  std::vector<ProofStep> take() { return std::move(steps_); }

 private:
  using Kind = ProofStep::Kind;

  ReadNumber number_of(const CertainRead& read) const;
  Event begin(Number t) const { return one_event_ ? Event::commit(t) : Event::begin(t); }
  void commits_before(Number a, Number b);
  void add(ProofStep step);

  const Overwrites& overwrites_;
  const KeyNumbers& keys_;
  bool one_event_;
  std::vector<ProofStep> steps_;
};

}  // namespace isoscope::direct
