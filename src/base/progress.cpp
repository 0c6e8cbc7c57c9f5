#include "isoscope/base/progress.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace isoscope {

Progress& Progress::silent() {
  static Progress nobody;
  return nobody;
}

void Progress::phase(std::string_view, std::uint64_t) {}
void Progress::advance(std::uint64_t) {}
void Progress::finish() {}

namespace {

constexpr std::int64_t redraw_interval_ns = 100'000'000;
constexpr std::size_t bar_width = 30;

std::int64_t now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace

ProgressBar::ProgressBar(bool terminal) : terminal_(terminal), last_drawn_ns_(now_ns()) {}

ProgressBar::~ProgressBar() { ProgressBar::finish(); }

void ProgressBar::phase(std::string_view name, std::uint64_t total) {
  name_ = name;
  total_ = total;
}

void ProgressBar::advance(std::uint64_t done) {
  if (!terminal_) return;
  const std::int64_t now = now_ns();
  if (now - last_drawn_ns_ < redraw_interval_ns) return;
  last_drawn_ns_ = now;
  draw(done);
}

void ProgressBar::draw(std::uint64_t done) {
  std::fprintf(stderr, "\r\033[K%s", line(done).c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::finish() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

std::string ProgressBar::line(std::uint64_t done) const {
  if (total_ == 0) return name_ + "  " + std::to_string(done);
  const std::uint64_t shown = std::min(done, total_);
  // In double: done * width could overflow for byte counts.
  const double share = static_cast<double>(shown) / static_cast<double>(total_);
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar_width));
  return name_ + "  [" + std::string(filled, '#') + std::string(bar_width - filled, '.') + "]  " +
         std::to_string(static_cast<int>(share * 100)) + "%";
}

bool standard_error_is_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace isoscope
