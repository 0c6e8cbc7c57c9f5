#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "history/format_samples.h"
#include "isoscope/base/random.h"
#include "isoscope/history/format.h"
#include "test_scale.h"

/// What users give us by mistake, to every reader: each answer is a history or one line that says
/// what is wrong, in bounded memory. A crash in here is the reader's, so each test runs in a
/// process of its own.
namespace isoscope {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

/// Runs in a child that may use only this much address space; `run` returns what is wrong, or
/// nothing.
void expect_in_child(std::size_t memory, const std::function<std::string()>& run) {
  std::fflush(nullptr);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlimit limit{memory, memory};
    setrlimit(RLIMIT_AS, &limit);
#else
    static_cast<void>(memory);  // their shadow memory is larger than any bound
#endif
    const std::string problem = run();
    std::fprintf(stderr, "%s", problem.c_str());
    std::fflush(nullptr);
    _exit(problem.empty() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

/// What is wrong with the reader's answer to this input, or nothing.
std::string complaint(const Source& source, Format format, const std::string& what) {
  const auto history = read_history(source, {.format = format});
  if (history) return {};
  const std::string text = history.error().text();
  if (!text.empty() && text.size() < 1000 && text.find('\n') == std::string::npos) return {};
  return std::string(name_of(format)) + " on " + what + " says: " + text + "\n";
}

/// The input as a file, and as the only file of a folder.
std::string complaints(const std::string& bytes, Format format, const std::string& what) {
  return complaint(Source::from_memory("in", bytes), format, what) +
         complaint(Source::from_memory_folder("in", {{"J1.log", bytes}}), format,
                   what + " in a folder");
}

TEST(BadInput, EmptyOrNearlySo) {
  for (const FormatInfo& info : formats()) {
    expect_in_child(512 * megabyte, [&] {
      std::string problem =
          complaint(Source::from_memory_folder("in", {}), info.format, "an empty folder");
      for (const std::string& bytes :
           {std::string(), std::string(" "), std::string("\n\n"), std::string("\0", 1),
            std::string("\xEF\xBB\xBF"), std::string("["), std::string("{"), std::string("("),
            std::string("\""), std::string("-"), std::string("\xFF\xFF\xFF\xFF"),
            std::string(8, '\xFF'), std::string(4096, '\0'), std::string(4096, '\xFF')}) {
        problem += complaints(bytes, info.format, std::to_string(bytes.size()) + " bytes");
      }
      return problem;
    });
  }
}

TEST(BadInput, RandomBytes) {
  for (const FormatInfo& info : formats()) {
    expect_in_child(512 * megabyte, [&] {
      std::string problem;
      Random random(7);
      for (int i = 0; i < 1000 * test_scale(); ++i) {
        std::string bytes(random.below(300), '\0');
        // All bytes, or those that formats are made of.
        static constexpr std::string_view usual =
            "[]{}():;|,.\"'\\ \n\t0123456789-+eErwadtnSCWRT#@!?=<>_/\xFF";
        const bool all = random.chance(30);
        for (char& c : bytes) {
          c = all ? static_cast<char>(random.below(256)) : usual[random.below(usual.size())];
        }
        problem += complaints(bytes, info.format, "random bytes " + std::to_string(i));
      }
      return problem;
    });
  }
}

TEST(BadInput, OtherFormats) {
  const std::vector<test::Sample> samples = test::corpus_samples();
  for (const FormatInfo& info : formats()) {
    expect_in_child(512 * megabyte, [&] {
      std::string problem;
      for (const test::Sample& sample : samples)
        problem += complaints(sample.bytes, info.format, sample.name);
      return problem;
    });
  }
}

TEST(BadInput, TruncatedAnywhere) {
  for (const test::Sample& sample : test::corpus_samples()) {
    expect_in_child(512 * megabyte, [&] {
      std::string problem;
      for (std::size_t size = 0; size < sample.bytes.size(); ++size) {
        problem += complaint(sample.source(sample.bytes.substr(0, size)), sample.format,
                             sample.name + " cut at " + std::to_string(size));
      }
      return problem;
    });
  }
}

TEST(BadInput, ChangedAnywhere) {
  for (const test::Sample& sample : test::corpus_samples()) {
    if (sample.bytes.empty()) continue;
    expect_in_child(512 * megabyte, [&] {
      std::string problem;
      Random random(11);
      for (int i = 0; i < 500 * test_scale(); ++i) {
        std::string bytes = sample.bytes;
        const std::size_t at = random.below(bytes.size());
        switch (random.below(4)) {
          case 0:
            bytes[at] = static_cast<char>(random.below(256));
            break;
          case 1:
            // What a count or a length becomes when it is absurd.
            bytes.replace(at, std::min<std::size_t>(8, bytes.size() - at), 8,
                          random.chance(50) ? '\xFF' : '\x7F');
            break;
          case 2:
            bytes.insert(at, bytes.substr(random.below(bytes.size()), random.below(40)));
            break;
          default:
            bytes.erase(at, 1 + random.below(10));
        }
        problem += complaint(sample.source(bytes), sample.format,
                             sample.name + " change " + std::to_string(i));
      }
      return problem;
    });
  }
}

TEST(BadInput, NumbersOutOfRange) {
  for (const test::Sample& sample : test::corpus_samples()) {
    expect_in_child(512 * megabyte, [&] {
      std::string problem;
      for (std::size_t at = 0; at < sample.bytes.size(); ++at) {
        if (sample.bytes[at] < '0' || sample.bytes[at] > '9') continue;
        for (const std::string number :
             {"99999999999999999999999", "-9223372036854775808", "1e999", "0.5", "007"}) {
          std::string bytes = sample.bytes;
          bytes.replace(at, 1, number);
          problem +=
              complaint(sample.source(bytes), sample.format, sample.name + " with " + number);
        }
      }
      return problem;
    });
  }
}

TEST(BadInput, TenThousandNestedBrackets) {
  for (const test::Sample& sample : test::corpus_samples()) {
    expect_in_child(512 * megabyte, [&] {
      std::string problem;
      for (const std::string bracket : {"[", "(", "{", "{\"a\":", "{:a ", "#{", "[[", "not "}) {
        std::string nested;
        for (int i = 0; i < 10'000; ++i) nested += bracket;
        problem += complaints(nested, sample.format, "nested " + bracket);
        for (std::size_t at = 0; at < sample.bytes.size(); at += 1 + sample.bytes.size() / 50) {
          std::string bytes = sample.bytes;
          bytes.insert(at, nested);
          problem += complaint(sample.source(bytes), sample.format,
                               sample.name + " with nested " + bracket);
        }
      }
      return problem;
    });
  }
}

/// The input, the reader's window of at most 64 MiB, which doubles while it grows, and a string as
/// long.
constexpr std::size_t memory_for_long_lines = 512 * megabyte;

void expect_answer_to_long_line(const test::Sample& sample, std::size_t start, char filler) {
  expect_in_child(memory_for_long_lines, [&] {
    std::string bytes(100 * megabyte, filler);
    bytes.replace(0, start, sample.bytes, 0, start);
    return complaint(
        sample.source(std::move(bytes)), sample.format,
        std::to_string(start) + " bytes of " + sample.name + " and 100 MB of " + filler);
  });
}

TEST(BadInput, LinesOfAHundredMegabytes) {
  const std::vector<test::Sample> samples = test::corpus_samples();
  for (const FormatInfo& info : formats()) {
    const auto sample = std::ranges::find(samples, info.format, &test::Sample::format);
    ASSERT_NE(sample, samples.end());
    // From the start, and from the middle of something good; with more than these two only in the
    // full test.
    expect_answer_to_long_line(*sample, 0, 'a');
    expect_answer_to_long_line(*sample, sample->bytes.size() / 2, '1');
    if (test_scale() == 1) continue;
    for (const char filler : std::string_view("a1\"[({ -:,\\")) {
      for (const std::size_t divisor : {2, 5}) {
        expect_answer_to_long_line(*sample, sample->bytes.size() / divisor, filler);
      }
    }
  }
}

TEST(BadInput, AHundredMegabytesOfOneString) {
  const std::vector<std::pair<Format, std::string>> heads = {
      {Format::native, "{\"isoscope-history\":1,\"origin\":\""},
      {Format::native, "{\"isoscope-history\":1}\n{\"session\":\""},
      {Format::litmus, "origin \""},
      {Format::litmus, "a: T1 r(\""},
      {Format::litmus, "# "},
      {Format::viper, "{\"value\":[[\"r\",\""},
      {Format::chronos, "[{\"tid\":\""},
      {Format::elle_json, "[{\"type\":\""},
      {Format::dbcop_json, "{\"info\":\""},
      {Format::edn, "{:type :ok, :value [[:r \""},
      {Format::edn, "{:type :ok, :"},
      {Format::edn, "; "},
      {Format::plume, "r("},
      {Format::awdit, "r "},
      {Format::dbcop_hist, "["},
      {Format::dbcop_hist, "// "},
  };
  for (const auto& [format, head] : heads) {
    expect_in_child(memory_for_long_lines, [&, format = format, head = head] {
      std::string bytes = head;
      bytes.resize(100 * megabyte, 'x');
      return complaint(Source::from_memory("in", std::move(bytes)), format, head);
    });
  }
}

}  // namespace
}  // namespace isoscope
