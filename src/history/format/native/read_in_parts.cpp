#include "history/format/native/read_in_parts.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace isoscope::format {

namespace {

class TextStream : public ByteStream {
 public:
  explicit TextStream(std::string text) : text_(std::move(text)) {}

  std::size_t read(char* into, std::size_t size) override {
    const std::size_t got = text_.copy(into, size, at_);
    at_ += got;
    return got;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

/// What the threads share. Parts are numbered as they are cut, and appended in that order. A thread
/// that is too far ahead waits for room. The thread that has the part with the lowest number never
/// waits, so one thread always goes on.
class PartsInTurn {
 public:
  PartsInTurn(ByteReader& input, std::size_t part_size, std::size_t most_waiting,
              Progress& progress, const ReadPart& read_part)
      : part_size_(part_size),
        most_waiting_(most_waiting),
        progress_(progress),
        read_part_(read_part),
        input_(input) {}

  /// What each thread does: part after part, until there are no more.
  void work() {
    try {
      while (std::optional<Part> part = cut()) {
        ByteReader text(input_.name(), std::make_unique<TextStream>(std::move(part->text)));
        std::optional<HistoryBuilder> read = read_part_(text, part->number == 0);
        if (!read) return give_up();
        hand_in(part->number, {std::move(*read), part->end});
      }
    } catch (...) {
      // The others must not wait for a part that does not come.
      give_up();
      throw;
    }
  }

  std::optional<HistoryBuilder> result() && { return failed_ ? std::nullopt : std::move(whole_); }

 private:
  struct Part {
    std::size_t number;
    std::uint64_t end;  // where it ends in the input
    std::string text;
  };
  struct Read {
    HistoryBuilder builder;
    std::uint64_t end;
  };

  /// The size of the next part: 0 at the end of the input, nothing where the input cannot be cut.
  std::optional<std::size_t> next_size();
  std::optional<Part> cut();
  /// Appends the part and those that follow, if all before it are there and nobody else does.
  void hand_in(std::size_t number, Read read);
  bool append(HistoryBuilder& part);
  void give_up();
  bool has_failed();

  const std::size_t part_size_;
  const std::size_t most_waiting_;
  Progress& progress_;
  const ReadPart& read_part_;

  std::mutex input_mutex_;
  ByteReader& input_;
  std::size_t cut_ = 0;  // how many parts were

  std::mutex whole_mutex_;
  std::condition_variable room_;
  std::map<std::size_t, Read> waiting_;  // by number
  std::size_t appended_ = 0;             // how many parts were
  bool failed_ = false;
  bool is_appending_ = false;
  std::optional<HistoryBuilder> whole_;  // belongs to the thread that is appending
};

std::optional<std::size_t> PartsInTurn::next_size() {
  for (std::size_t size = part_size_; size <= ByteReader::max_window; size *= 2) {
    const std::string_view text = input_.window(size);
    if (text.size() < size) {
      return input_.stream_status() ? std::optional(text.size()) : std::nullopt;
    }
    const std::size_t line_end = text.substr(0, size).rfind("\n{");
    if (line_end != std::string_view::npos) return line_end + 1;
  }
  return std::nullopt;
}

std::optional<PartsInTurn::Part> PartsInTurn::cut() {
  if (has_failed()) return std::nullopt;
  const std::lock_guard lock(input_mutex_);
  const std::optional<std::size_t> size = next_size();
  if (!size) give_up();
  if (!size || *size == 0) return std::nullopt;
  std::string text(input_.window(*size).substr(0, *size));
  input_.skip(*size);
  return Part{cut_++, input_.offset(), std::move(text)};
}

void PartsInTurn::hand_in(std::size_t number, Read read) {
  std::unique_lock lock(whole_mutex_);
  room_.wait(lock, [&] { return failed_ || number < appended_ + most_waiting_; });
  waiting_.emplace(number, std::move(read));
  if (is_appending_) return;
  is_appending_ = true;
  while (!failed_ && waiting_.contains(appended_)) {
    Read next = std::move(waiting_.extract(appended_).mapped());
    lock.unlock();
    const bool good = append(next.builder);
    lock.lock();
    if (!good) failed_ = true;
    ++appended_;
    progress_.advance(next.end);
    room_.notify_all();
  }
  is_appending_ = false;
}

bool PartsInTurn::append(HistoryBuilder& part) {
  if (whole_) return whole_->append(part);
  whole_ = std::move(part);
  return true;
}

void PartsInTurn::give_up() {
  const std::lock_guard lock(whole_mutex_);
  failed_ = true;
  room_.notify_all();
}

bool PartsInTurn::has_failed() {
  const std::lock_guard lock(whole_mutex_);
  return failed_;
}

}  // namespace

std::optional<HistoryBuilder> read_in_parts(ByteReader& input, std::size_t part_size,
                                            const Workers& workers, Progress& progress,
                                            const ReadPart& read_part) {
  // So that a thread which the system halts for a while does not halt the others.
  const std::size_t most_waiting = 4 * std::size_t{workers.threads()};
  PartsInTurn parts(input, part_size, most_waiting, progress, read_part);
  workers.run(workers.threads(), [&](std::size_t) { parts.work(); });
  return std::move(parts).result();
}

}  // namespace isoscope::format
