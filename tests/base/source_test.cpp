#include "isoscope/base/source.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "isoscope/base/byte_sink.h"

namespace isoscope {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(fs::temp_directory_path() / ("isoscope-test-" + std::to_string(getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string add(const std::string& name, const std::string& bytes) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

Result<std::string> read_all(const Source& source, std::size_t file = 0) {
  ISOSCOPE_TRY(reader, source.open_file(file));
  std::string bytes;
  for (int c; (c = reader.get()) >= 0;) bytes.push_back(static_cast<char>(c));
  ISOSCOPE_TRY_STATUS(reader.stream_status());
  return bytes;
}

/// With checksum, as the zstd program does, or without.
std::string compressed(const std::string& bytes, bool checksum) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum ? 1 : 0);
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress2(context, packed.data(), packed.size(), bytes.data(), bytes.size()));
  ZSTD_freeCCtx(context);
  return packed;
}

std::string some_text(std::size_t size) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < size) text += std::to_string(random() % 1000) + "\n";
  return text;
}

TEST(Source, AFileIsRead) {
  const TemporaryFolder folder;
  const std::string path = folder.add("a.txt", "hello\n");
  const auto source = Source::open(path);
  ASSERT_TRUE(source);
  EXPECT_FALSE(source->is_folder());
  EXPECT_EQ(source->file_count(), 1U);
  EXPECT_EQ(source->file_name(0), path);
  EXPECT_EQ(source->file_size(0), 6U);
  EXPECT_EQ(*read_all(*source), "hello\n");
  EXPECT_EQ(*read_all(*source), "hello\n") << "every open_file starts at the front";
}

TEST(Source, WhatIsNotThereIsAnError) {
  const auto source = Source::open("/nowhere/at all");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().text(), "cannot open /nowhere/at all: No such file or directory");
}

TEST(Source, AFileThatVanishedIsAnErrorWhenItIsOpened) {
  const TemporaryFolder folder;
  const std::string path = folder.add("a.txt", "x");
  const auto source = Source::open(path);
  fs::remove(path);
  ASSERT_TRUE(source);
  EXPECT_FALSE(source->open_file(0));
  EXPECT_FALSE(source->head(0, 10));
}

TEST(Source, AFolderIsItsFilesSortedByName) {
  const TemporaryFolder folder;
  folder.add("b.log", "B");
  folder.add("a.log", "A");
  folder.add("sub/c.log", "C");
  const auto source = Source::open(folder.path());
  ASSERT_TRUE(source);
  EXPECT_TRUE(source->is_folder());
  ASSERT_EQ(source->file_count(), 3U);
  EXPECT_EQ(source->file_name(0), folder.path() + "/a.log");
  EXPECT_EQ(source->file_name(1), folder.path() + "/b.log");
  EXPECT_EQ(source->file_name(2), folder.path() + "/sub/c.log");
  EXPECT_EQ(*read_all(*source, 2), "C");
}

TEST(Source, AnEmptyFolderHasNoFiles) {
  const TemporaryFolder folder;
  const auto source = Source::open(folder.path());
  ASSERT_TRUE(source);
  EXPECT_TRUE(source->is_folder());
  EXPECT_EQ(source->file_count(), 0U);
}

TEST(Source, BytesInMemory) {
  const Source one = Source::from_memory("m", "bytes");
  EXPECT_FALSE(one.is_folder());
  EXPECT_EQ(one.file_name(0), "m");
  EXPECT_EQ(*read_all(one), "bytes");
  const Source two = Source::from_memory_folder("f", {{"x", "1"}, {"y", "22"}});
  EXPECT_TRUE(two.is_folder());
  EXPECT_EQ(two.name(), "f");
  EXPECT_EQ(*read_all(two, 1), "22");
}

TEST(Source, ShortFilesAreNotTakenForCompressedOnes) {
  for (const std::string& bytes :
       {std::string(), std::string("a"), std::string("\x28\xb5\x2f"), std::string("abcd")}) {
    EXPECT_EQ(*read_all(Source::from_memory("m", bytes)), bytes);
  }
}

TEST(Source, HeadIsTheBeginningAndNoMore) {
  const Source source = Source::from_memory("m", "abcdef");
  EXPECT_EQ(*source.head(0, 4), "abcd");
  EXPECT_EQ(*source.head(0, 100), "abcdef");
  EXPECT_EQ(*Source::from_memory("m", compressed("abcdef", true)).head(0, 4), "abcd");
}

TEST(Source, ZstdIsUnpackedByContent) {
  for (const bool checksum : {false, true}) {
    for (const std::size_t size : {0U, 1U, 1000U, 262'143U, 262'144U, 262'145U, 3'000'000U}) {
      const std::string text = some_text(size).substr(0, size);
      const auto read = read_all(Source::from_memory("m", compressed(text, checksum)));
      ASSERT_TRUE(read) << size << ' ' << read.error().text();
      EXPECT_TRUE(*read == text) << size;
    }
    // So compressible that the input is used up long before the output is out.
    const std::string same(10'000'000, 'x');
    const auto read = read_all(Source::from_memory("m", compressed(same, checksum)));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_TRUE(*read == same);
  }
}

TEST(Source, ZstdFramesFollowEachOther) {
  const auto read =
      read_all(Source::from_memory("m", compressed("one ", true) + compressed("two", false)));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, "one two");
}

TEST(Source, TruncatedZstdIsAnErrorAtEveryByte) {
  const std::string text = some_text(3000);
  const std::string packed = compressed(text, true);
  for (std::size_t length = 4; length < packed.size(); ++length) {
    const auto read = read_all(Source::from_memory("m", packed.substr(0, length)));
    ASSERT_FALSE(read) << length;
    EXPECT_EQ(read.error().what, "the zstd data ends in the middle of a frame") << length;
  }
}

TEST(Source, CorruptZstdIsAnError) {
  std::string packed = compressed(some_text(3000), true);
  packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x55);
  const auto read = read_all(Source::from_memory("m", packed));
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().what.find("corrupt zstd data"), std::string::npos) << read.error().what;
  const auto garbage = read_all(Source::from_memory("m", compressed("abc", true) + "garbage"));
  EXPECT_FALSE(garbage);
}

TEST(Source, AZstdWindowThatNoOrdinaryCompressorUsesIsRefused) {
  // A frame header that asks for a window of 2 GiB, then an empty last block.
  const std::string packed("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", 9);
  const auto read = read_all(Source::from_memory("m", packed));
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().what.find("corrupt zstd data"), std::string::npos) << read.error().what;
}

TEST(FileSink, WritesAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/out";
  auto sink = FileSink::create(path);
  ASSERT_TRUE(sink);
  EXPECT_TRUE(sink->write("one "));
  EXPECT_TRUE(sink->write("two"));
  EXPECT_TRUE(sink->close());
  EXPECT_EQ(*read_all(*Source::open(path)), "one two");
}

TEST(FileSink, SaysWhyItCannotWrite) {
  const auto nowhere = FileSink::create("/nowhere/out");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().what, "cannot write /nowhere/out: No such file or directory");
  // Every write to this device fails, but only when the bytes leave the buffer.
  auto full = FileSink::create("/dev/full");
  ASSERT_TRUE(full);
  EXPECT_TRUE(full->write("x"));
  const Status closed = full->close();
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().what, "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace isoscope
