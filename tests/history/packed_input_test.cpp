#include <gtest/gtest.h>

#include <set>

#include "history/format_samples.h"
#include "packed.h"

/// Compressed histories in every format: read whole, or not at all.
namespace isoscope {
namespace {

std::string native_of(const Result<History>& history) {
  if (!history) return history.error().text();
  const auto text = format_history(*history, Format::native);
  return text ? *text : text.error().text();
}

TEST(PackedInput, ReadsLikeTheFileItself) {
  std::set<Format> seen;
  for (const test::Sample& sample : test::corpus_samples()) {
    const auto plain = read_history(sample.source(), {.format = sample.format});
    if (!plain) continue;  // bad on purpose
    seen.insert(sample.format);
    for (const test::Packer& packer : test::packers) {
      const auto read = read_history(sample.source(packer.pack(sample.bytes)));
      EXPECT_EQ(native_of(read), native_of(plain)) << sample.name << ' ' << packer.name;
    }
  }
  EXPECT_EQ(seen.size(), formats().size());
}

TEST(PackedInput, CutAnywhereIsAnErrorInEveryFormat) {
  std::set<Format> seen;
  for (const test::Sample& sample : test::corpus_samples()) {
    if (!read_history(sample.source(), {.format = sample.format})) continue;
    seen.insert(sample.format);
    for (const test::Packer& packer : test::packers) {
      const std::string packed = packer.pack(sample.bytes);
      for (std::size_t length = 0; length < packed.size(); ++length) {
        const Source cut = sample.source(packed.substr(0, length));
        EXPECT_FALSE(read_history(cut)) << sample.name << ' ' << packer.name << ' ' << length;
        // The first bytes do not tell yet: "BZh" is the name of a transaction if the format is said
        // to be litmus.
        if (length < 6) continue;
        const auto as_named = read_history(cut, {.format = sample.format});
        ASSERT_FALSE(as_named) << sample.name << ' ' << packer.name << ' ' << length;
        EXPECT_EQ(as_named.error().text().find('\n'), std::string::npos);
      }
    }
  }
  EXPECT_EQ(seen.size(), formats().size());
}

/// What stopped the reading is what the Error is about, whatever the bytes so far look like.
TEST(PackedInput, AStoppedReaderSaysSoByKindInEveryFormat) {
  std::set<Format> formats_seen;
  for (const test::Sample& sample : test::corpus_samples()) {
    const auto plain = read_history(sample.source(), {.format = sample.format});
    if (!plain || plain->transaction_count() == 0) continue;
    Limits limits;
    limits.request_stop();
    for (const test::Packer& packer : test::packers) {
      for (const unsigned threads : {1u, 3u}) {
        const auto read =
            read_history(sample.source(packer.pack(sample.bytes)),
                         {.format = sample.format, .threads = threads, .limits = limits});
        ASSERT_FALSE(read) << sample.name << ' ' << packer.name;
        EXPECT_EQ(read.error().kind, ErrorKind::stopped) << sample.name << ' ' << packer.name;
      }
    }
    formats_seen.insert(sample.format);
  }
  EXPECT_EQ(formats_seen.size(), 12u);
}

TEST(PackedInput, WhatIsWrongIsSoWhateverLimitWasReached) {
  for (const test::Packer& packer : test::packers) {
    const std::string packed = packer.pack("a: T1 w(x,1)\n");
    const Source cut = Source::from_memory("in", packed.substr(0, packed.size() / 2));
    Limits limits;
    limits.request_stop();
    const auto read = read_history(cut, {.format = {}, .limits = limits});
    ASSERT_FALSE(read) << packer.name;
    EXPECT_EQ(read.error().kind, ErrorKind::input) << packer.name;
  }
}

}  // namespace
}  // namespace isoscope
