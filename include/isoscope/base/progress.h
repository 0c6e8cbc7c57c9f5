#pragma once  // Part of the API: docs/api.md.

#include <cstdint>
#include <string>
#include <string_view>

namespace isoscope {

/// Where a long computation reports how far it is. It is given one by reference. The default says
/// nothing to anybody; the command line passes a ProgressBar.
class Progress {
 public:
  virtual ~Progress() = default;
  /// The default, for computations whose callers do not want to know. Any number of threads may
  /// use it.
  static Progress& silent();

  /// A new phase starts; `total` steps are expected, 0 if that is not known.
  virtual void phase(std::string_view name, std::uint64_t total);
  /// `done` steps of the phase are behind us. Cheap: call it often.
  virtual void advance(std::uint64_t done);
  /// Everything is done: a bar disappears.
  virtual void finish();
};

/// A one-line bar on standard error, redrawn at most ten times a second. When standard error is no
/// terminal it prints nothing at all, so logs and scripts never see it.
class ProgressBar : public Progress {
 public:
  /// `terminal` says whether to draw; pass standard_error_is_terminal().
  explicit ProgressBar(bool terminal);
  ~ProgressBar() override;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void phase(std::string_view name, std::uint64_t total) override;
  void advance(std::uint64_t done) override;
  void finish() override;

  /// The line as it would be drawn, without control characters; for tests.
  std::string line(std::uint64_t done) const;

 private:
  void draw(std::uint64_t done);

  bool terminal_;
  bool drawn_ = false;
  std::string name_;
  std::uint64_t total_ = 0;
  std::int64_t last_drawn_ns_ = 0;
};

bool standard_error_is_terminal();

}  // namespace isoscope
