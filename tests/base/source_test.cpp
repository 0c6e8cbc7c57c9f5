#include "isoscope/base/source.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "isoscope/base/byte_sink.h"
#include "packed.h"

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

TEST(Source, HeadIsTheBeginningAndNoMore) {
  const Source source = Source::from_memory("m", "abcdef");
  EXPECT_EQ(*source.head(0, 4), "abcd");
  EXPECT_EQ(*source.head(0, 100), "abcdef");
  EXPECT_EQ(*Source::from_memory("m", test::zstd_packed("abcdef")).head(0, 4), "abcd");
}

/// More than a pipe holds (64 KiB) and than ReadOnce keeps in one block.
std::string large_text() {
  std::string text;
  while (text.size() < 1'000'000) text += std::to_string(text.size()) + "\n";
  return text;
}

/// Puts all bytes into the descriptor, beside the test, and closes it.
class Writer {
 public:
  template <typename Open>
  Writer(Open open, std::string bytes)
      : thread_([open, bytes = std::move(bytes)] {
          const int descriptor = open();
          for (std::size_t at = 0; at < bytes.size();) {
            const ssize_t put = ::write(descriptor, bytes.data() + at, bytes.size() - at);
            if (put <= 0) break;
            at += static_cast<std::size_t>(put);
          }
          ::close(descriptor);
        }) {}
  ~Writer() { thread_.join(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

 private:
  std::thread thread_;
};

/// A pipe without a name, as a path that stands for its end.
struct Pipe {
  explicit Pipe(std::string bytes)
      : source([&] {
          EXPECT_EQ(pipe(ends), 0);
          auto opened = Source::open("/dev/fd/" + std::to_string(ends[0]));
          ::close(ends[0]);
          return opened;
        }()),
        writer([end = ends[1]] { return end; }, std::move(bytes)) {}

  int ends[2];
  Result<Source> source;
  Writer writer;
};

TEST(Source, ANamedPipeIsReadOnceAndGivesItsBytesAgain) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/pipe";
  for (const std::string& text : {large_text(), std::string("short"), std::string()}) {
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    const auto source = Source::open(path);
    ASSERT_TRUE(source);
    EXPECT_FALSE(source->is_folder());
    EXPECT_EQ(source->file_name(0), path);
    // Only now comes a writer.
    const Writer writer([&] { return ::open(path.c_str(), O_WRONLY); }, text);
    EXPECT_EQ(*source->head(0, 4), text.substr(0, 4));
    EXPECT_EQ(*source->head(0, 70'000), text.substr(0, 70'000));
    EXPECT_TRUE(*read_all(*source) == text);
    EXPECT_TRUE(*read_all(*source) == text) << "every open_file starts at the front";
    fs::remove(path);
  }
}

TEST(Source, APipeNamedAsAPathIsReadOnce) {
  const std::string text = large_text();
  const Pipe pipe(text);
  ASSERT_TRUE(pipe.source);
  EXPECT_EQ(*pipe.source->head(0, 10), text.substr(0, 10));
  EXPECT_TRUE(*read_all(*pipe.source) == text);
  EXPECT_TRUE(*read_all(*pipe.source) == text);
}

TEST(Source, ReadersOfAPipeTakeTurns) {
  const Pipe pipe("abcdef");
  auto one = pipe.source->open_file(0);
  auto two = pipe.source->open_file(0);
  for (const char c : std::string_view("abcdef")) {
    EXPECT_EQ(one->get(), c);
    EXPECT_EQ(two->get(), c);
  }
  EXPECT_TRUE(one->at_end());
  EXPECT_TRUE(two->at_end());
}

TEST(Source, APipeMayBeCompressed) {
  const std::string text = large_text();
  for (const test::Packer& packer : test::packers) {
    const Pipe pipe(packer.pack(text));
    EXPECT_EQ(*pipe.source->head(0, 10), text.substr(0, 10));
    EXPECT_TRUE(*read_all(*pipe.source) == text) << packer.name;
  }
}

TEST(Source, DevicesAreReadAsFarAsIsAskedFor) {
  const auto nothing = Source::open("/dev/null");
  ASSERT_TRUE(nothing);
  EXPECT_EQ(*read_all(*nothing), "");
  const auto zeros = Source::open("/dev/zero");
  ASSERT_TRUE(zeros);
  EXPECT_EQ(*zeros->head(0, 100'000), std::string(100'000, '\0'));
}

TEST(Source, ALimitEndsTheWaitForAWriter) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  Limits limits;
  limits.request_stop();
  const auto source = Source::open(path, limits);
  ASSERT_TRUE(source);
  const auto read = read_all(*source);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what, "stopped while reading: interrupted");
  EXPECT_EQ(read.error().kind, ErrorKind::stopped);
}

TEST(Source, HiddenFilesAreNoPartOfAFolder) {
  const TemporaryFolder folder;
  folder.add("a.log", "A");
  folder.add(".a.log.swp", "B");
  folder.add(".git/config", "C");
  const auto source = Source::open(folder.path());
  ASSERT_TRUE(source);
  ASSERT_EQ(source->file_count(), 1U);
  EXPECT_EQ(source->file_name(0), folder.path() + "/a.log");
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
