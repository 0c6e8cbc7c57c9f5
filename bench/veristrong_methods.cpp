#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "clasp_encoding.h"
#include "generated.h"
#include "isoscope/base/byte_sink.h"
#include "isoscope/base/limits.h"
#include "isoscope/history/format.h"
#include "saturated_question.h"
#include "unit.h"
#include "veristrong.h"

namespace isoscope {

namespace {

namespace fs = std::filesystem;

/// What a process that encodes a history tells the one that measures.
struct Encoded {
  bool good = false;
  bool contradiction = false;  ///< found by saturation; there is no file then
  double seconds = 0;
  std::size_t peak_bytes = 0;
};

Encoded write_encoded(const std::string& path, LevelId level, bool saturated,
                      const std::string& to) {
  Encoded result;
  result.seconds = thread_seconds_of([&] {
    const std::optional<History> history = read_history_at(path);
    if (!history) return;
    std::string text;
    if (saturated) {
      const auto made = saturated_question(*history, {level, true});
      if (!made) return;
      result.good = result.contradiction = made->contradiction;
      if (made->contradiction) return;
      text = clasp_text(encode(made->question));
    } else {
      const auto made = order_question(*history, {level, true});
      if (!made) return;
      text = clasp_text(encode(*made));
    }
    Result<FileSink> sink = FileSink::create(to);
    result.good = sink && sink->write(text) && sink->close();
  });
  result.peak_bytes = peak_resident_memory();
  return result;
}

}  // namespace

void MarkdownReport::add(const std::string& lines) {
  std::fputs(lines.c_str(), stdout);
  std::fflush(stdout);
  all_ += lines;
}

void MarkdownReport::heading(const std::string& text) { add("\n## " + text + "\n"); }

void MarkdownReport::text(const std::string& text) { add("\n" + text + "\n"); }

void MarkdownReport::header(const std::vector<std::string>& cells) {
  add("\n");
  row(cells);
  row(std::vector<std::string>(cells.size(), "---"));
}

void MarkdownReport::row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  add(line + "\n");
}

std::optional<History> read_history_at(const std::string& path) {
  const Result<Source> source = Source::open(path);
  if (!source) return std::nullopt;
  Result<History> history = read_history(*source);
  if (!history) return std::nullopt;
  return std::move(*history);
}

std::optional<std::string> generate(const VeristrongBench& bench, const SweepPoint& point) {
  const auto text = [](std::size_t number) { return std::to_string(number); };
  const std::string name = text(point.sessions) + "_" + text(point.transactions) + "_" +
                           text(point.operations) + "_" + text(point.keys) + "_" +
                           text(point.read_percent) + "_" + text(point.duplicate_percent) + "_" +
                           point.value_theta + ".dbcop";
  const std::string path = bench.folder.file(name);
  if (fs::exists(path)) return path;
  // This is the serializable store with the fewest aborts.
  const bool good = generate_history(bench.program,
                                     {{"sessions", text(point.sessions)},
                                      {"transactions", text(point.transactions)},
                                      {"operations", text(point.operations)},
                                      {"keys", text(point.keys)},
                                      {"read-share", text(point.read_percent)},
                                      {"duplicate-keys", text(point.duplicate_percent)},
                                      {"value-theta", point.value_theta},
                                      {"values", "100"},
                                      {"store", "strict-serializable"},
                                      {"to", "dbcop"}},
                                     path);
  if (good) return path;
  return std::nullopt;
}

std::size_t committed_count(const std::string& path) {
  const auto count = in_child([&] {
    std::size_t committed = 0;
    const std::optional<History> history = read_history_at(path);
    if (!history) return committed;
    for (const TransactionId t : history->transactions()) {
      if (history->outcome(t) == Outcome::committed) ++committed;
    }
    return committed;
  });
  return count.value_or(0);
}

std::vector<NamedHistory> duplicate_histories(VeristrongBench& bench) {
  const fs::path recorded = fs::path(bench.histories) / "veristrong" / "duplicates-10k";
  std::vector<NamedHistory> result;
  if (!bench.small() && fs::exists(recorded)) {
    for (const char* name : {"tpcc-10k", "twitter-10k", "rubis-10k", "RH-10k.bincode",
                             "BL-10k.bincode", "WH-10k.bincode", "HD-10k.bincode"}) {
      const fs::path path = recorded / name;
      if (fs::exists(path)) result.push_back({path.stem().string(), path.string()});
    }
    return result;
  }
  const std::size_t part = bench.small() ? 20 : 1;
  const auto add = [&](const std::string& name, unsigned reads, const std::string& theta) {
    const SweepPoint point{.sessions = 25,
                           .transactions = 400 / part,
                           .operations = 8,
                           .keys = 5000 / part,
                           .read_percent = reads,
                           .value_theta = theta};
    if (const auto path = generate(bench, point)) result.push_back({name, *path});
  };
  add("RH like", 95, "0.5");
  add("BL like", 50, "0.5");
  add("WH like", 30, "0.5");
  add("HD like", 50, "1.5");
  return result;
}

MethodRun run_ours(const VeristrongBench& bench, const std::string& path, LevelId level) {
  const ProgramUse use = run_program(
      {bench.program, "check", path, "--level", std::string(name_of(level))}, {}, bench.timeout);
  MethodRun run{MethodRun::End::failed, use.exit_code == 0, use.cpu_seconds, use.peak_bytes};
  if (use.timed_out) run.end = MethodRun::End::timeout;
  if (use.exit_code == 0 || use.exit_code == 10) run.end = MethodRun::End::answer;
  return run;
}

MethodRun run_clasp(const VeristrongBench& bench, const std::string& path, LevelId level,
                    bool saturated) {
  const std::string file = bench.folder.file("encoded.cnf");
  const auto encoded =
      in_child([&] { return write_encoded(path, level, saturated, file); }, bench.timeout);
  MethodRun run;
  if (!encoded) {
    run.end = MethodRun::End::timeout;
    return run;
  }
  if (!encoded->good) return run;
  run.seconds = encoded->seconds;
  run.peak_bytes = encoded->peak_bytes;
  if (encoded->contradiction) {
    run.end = MethodRun::End::answer;
    return run;
  }
  const ProgramUse use =
      run_program({"clasp", "--parse-ext", "--quiet=2", file}, {}, bench.timeout);
  fs::remove(file);
  run.seconds += use.cpu_seconds;
  run.peak_bytes = std::max(run.peak_bytes, use.peak_bytes);
  run.holds = use.exit_code == 10 || use.exit_code == 30;
  if (use.timed_out) run.end = MethodRun::End::timeout;
  if (run.holds || use.exit_code == 20) run.end = MethodRun::End::answer;
  return run;
}

EngineRun run_engine(const VeristrongBench& bench, const std::string& path, LevelId level,
                     const StrongTechniques& techniques) {
  const auto work = [&] {
    EngineRun run;
    const std::optional<History> history = read_history_at(path);
    if (!history) return run;
    CheckStatistics statistics;
    CheckOptions options;
    options.strong = techniques;
    options.statistics = &statistics;
    Answer answer = Answer::unknown;
    run.seconds = thread_seconds_of([&] {
      answer = check(*history, {level, true}, options).answer;
    });
    run.holds = answer == Answer::holds;
    if (answer != Answer::unknown) run.end = MethodRun::End::answer;
    run.choices = statistics.choices;
    run.decisions = statistics.decisions;
    run.conflicts = statistics.conflicts;
    return run;
  };
  if (const auto run = in_child(work, bench.timeout)) return *run;
  return {.end = MethodRun::End::timeout};
}

bool is_right(const MethodRun& run, bool holds, const std::string& what) {
  if (run.end == MethodRun::End::timeout) return true;
  if (run.end == MethodRun::End::answer && run.holds == holds) return true;
  std::fprintf(stderr, "%s: %s, but it %s\n", what.c_str(),
               run.end == MethodRun::End::failed ? "no answer" : "the wrong answer",
               holds ? "holds" : "is violated");
  return false;
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 10 ? "%.3f s" : "%.1f s", seconds);
  return text;
}

std::string megabytes_text(std::size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f MB", static_cast<double>(bytes) / 1e6);
  return text;
}

std::string text_of(const VeristrongBench& bench, const MethodRun& run) {
  if (run.end == MethodRun::End::timeout) return "> " + std::to_string(bench.timeout) + " s";
  return seconds_text(run.seconds) + ", " + megabytes_text(run.peak_bytes);
}

}  // namespace isoscope
