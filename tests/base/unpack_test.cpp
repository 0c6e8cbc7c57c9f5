#include "base/unpack.h"

#include <gtest/gtest.h>

#include <random>

#include "base/chunked_stream.h"
#include "isoscope/base/limits.h"
#include "isoscope/base/source.h"
#include "packed.h"

namespace isoscope {
namespace {

using test::Packer;
using test::packers;

/// All bytes, or the error.
Result<std::string> unpacked(const std::string& bytes) {
  const Source source = Source::from_memory("m", bytes);
  ISOSCOPE_TRY(reader, source.open_file(0));
  std::string text;
  for (int c; (c = reader.get()) >= 0;) text.push_back(static_cast<char>(c));
  ISOSCOPE_TRY_STATUS(reader.stream_status());
  return text;
}

std::string some_text(std::size_t size) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < size) text += std::to_string(random() % 1000) + "\n";
  return text.substr(0, size);
}

TEST(Unpack, ByContent) {
  for (const Packer& packer : packers) {
    for (const std::size_t size : {0U, 1U, 1000U, 262'143U, 262'144U, 262'145U, 3'000'000U}) {
      const std::string text = some_text(size);
      const auto read = unpacked(packer.pack(text));
      ASSERT_TRUE(read) << packer.name << ' ' << size << ' ' << read.error().text();
      EXPECT_TRUE(*read == text) << packer.name << ' ' << size;
    }
    // So compressible that the input is used up long before the output is out.
    const std::string same(10'000'000, 'x');
    const auto read = unpacked(packer.pack(same));
    ASSERT_TRUE(read) << packer.name << ' ' << read.error().text();
    EXPECT_TRUE(*read == same) << packer.name;
  }
}

TEST(Unpack, ZstdWithoutChecksum) {
  for (const std::size_t size : {0U, 1U, 262'145U, 3'000'000U}) {
    const std::string text = some_text(size);
    const auto read = unpacked(test::zstd_packed(text, false));
    ASSERT_TRUE(read) << size << ' ' << read.error().text();
    EXPECT_TRUE(*read == text) << size;
  }
}

/// Whatever pieces the input comes in, and whatever room there is for the output.
TEST(Unpack, InPiecesOfAnySize) {
  const std::string text = some_text(5000) + std::string(20'000, 'y');
  for (const Packer& packer : packers) {
    const std::string packed = packer.pack(text) + packer.pack("more");
    for (const std::size_t piece : {1U, 2U, 7U, 1000U}) {
      for (const std::size_t room : {1U, 3U, 100'000U}) {
        const auto stream = unpack_if_packed(std::make_unique<ChunkedStream>(packed, piece));
        std::string read;
        std::string into(room, '\0');
        while (const std::size_t got = stream->read(into.data(), room)) read.append(into, 0, got);
        EXPECT_FALSE(stream->failure()) << packer.name << ' ' << piece << ' ' << room;
        EXPECT_TRUE(read == text + "more") << packer.name << ' ' << piece << ' ' << room;
      }
    }
  }
}

TEST(Unpack, PartsFollowEachOther) {
  for (const Packer& packer : packers) {
    const auto read =
        unpacked(packer.pack("one ") + packer.pack("") + packer.pack("two ") + packer.pack("3"));
    ASSERT_TRUE(read) << packer.name << ' ' << read.error().text();
    EXPECT_EQ(*read, "one two 3") << packer.name;
  }
}

TEST(Unpack, PzstdBeginsWithAFrameToBeSkipped) {
  const std::string skipped("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12);
  const auto read = unpacked(skipped + test::zstd_packed("text"));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(*read, "text");
}

TEST(Unpack, XzMayBePaddedWithZeros) {
  const auto read = unpacked(test::xz_packed("one ") + std::string(8, '\0') + test::xz_packed("2"));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(*read, "one 2");
  EXPECT_FALSE(unpacked(test::xz_packed("one") + std::string(7, '\0')));
}

/// What is too short to be sure is read as it is.
TEST(Unpack, OnlyWhatIsPacked) {
  for (const std::string& bytes :
       {std::string(), std::string("a"), std::string("\x28\xb5\x2f"), std::string("abcd"),
        std::string("\x1f\x8b"), std::string("\x1f\x8b\x09\0", 4), std::string("\xfd\x37zXZ"),
        std::string("BZh"), std::string("BZh9"), std::string("BZh1: T1 w(x,1)"),
        std::string("BZh01AY&SY"), std::string("P*M")}) {
    const auto read = unpacked(bytes);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, bytes);
  }
}

TEST(Unpack, TruncatedAtEveryByteIsAnError) {
  const std::string text = some_text(3000);
  for (const Packer& packer : packers) {
    const std::string one = packer.pack(text);
    const std::string both = one + packer.pack(text);
    for (std::size_t length = 6; length < both.size(); ++length) {
      if (length == one.size()) continue;
      const auto read = unpacked(both.substr(0, length));
      ASSERT_FALSE(read) << packer.name << ' ' << length;
      EXPECT_EQ(read.error().text().substr(0, 7), "m: byte") << read.error().text();
      EXPECT_EQ(read.error().what,
                "the " + std::string(packer.name) + " data ends in the middle of a " + packer.part)
          << length;
    }
  }
}

TEST(Unpack, ChangedAnywhereIsAnErrorOrTheSameText) {
  const std::string text = some_text(3000);
  for (const Packer& packer : packers) {
    const std::string packed = packer.pack(text);
    std::size_t refused = 0;
    for (std::size_t at = 0; at < packed.size(); ++at) {
      std::string changed = packed;
      changed[at] = static_cast<char>(changed[at] ^ 0x55);
      const auto read = unpacked(changed);
      if (read) {
        // It is not recognised any more, or the byte does not matter, as in gzip's time.
        EXPECT_TRUE(*read == text || *read == changed) << packer.name << ' ' << at;
      } else {
        ++refused;
        EXPECT_NE(read.error().what.find(packer.name), std::string::npos) << read.error().what;
      }
    }
    EXPECT_GT(refused, packed.size() * 9 / 10) << packer.name;
  }
}

TEST(Unpack, GarbageBehindTheLastPartIsAnError) {
  for (const Packer& packer : packers) {
    for (const std::string& garbage : {std::string("garbage"), std::string(1, '\0')}) {
      const auto read = unpacked(packer.pack("abc") + garbage);
      EXPECT_FALSE(read) << packer.name;
    }
  }
}

TEST(Unpack, AZstdWindowThatNoOrdinaryCompressorUsesIsRefused) {
  // A frame header that asks for a window of 2 GiB, then an empty last block.
  const auto read = unpacked(std::string("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", 9));
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().what.find("corrupt zstd data"), std::string::npos) << read.error().what;
}

TEST(Unpack, AnXzDictionaryThatNoOrdinaryCompressorUsesIsRefused) {
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 0);
  options.dict_size = std::uint32_t{1} << 30;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  // The header alone says so; making such a stream would take the memory.
  std::string packed("\xfd\x37zXZ\0\0\x04\xe6\xd6\xb4\x46", 12);
  lzma_block block{};
  block.check = LZMA_CHECK_CRC64;
  block.compressed_size = LZMA_VLI_UNKNOWN;
  block.uncompressed_size = LZMA_VLI_UNKNOWN;
  block.filters = filters;
  ASSERT_EQ(lzma_block_header_size(&block), LZMA_OK);
  std::string header(block.header_size, '\0');
  ASSERT_EQ(lzma_block_header_encode(&block, reinterpret_cast<std::uint8_t*>(header.data())),
            LZMA_OK);
  const auto read = unpacked(packed + header);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what, "corrupt xz data: unpacking needs more than 256 MiB");
}

TEST(Unpack, AFailureOfThePackedBytesKeepsItsKind) {
  const std::string text = some_text(1000);
  for (const Packer& packer : packers) {
    const std::string packed = packer.pack(text);
    for (const std::size_t length : {std::size_t{0}, std::size_t{3}, packed.size() / 2}) {
      const auto stream = unpack_if_packed(std::make_unique<ChunkedStream>(
          packed.substr(0, length), 7, stopped_while_reading(StopReason::time)));
      std::string into(10'000, '\0');
      while (stream->read(into.data(), into.size()) != 0) {
      }
      const auto failure = stream->failure();
      ASSERT_TRUE(failure) << packer.name << ' ' << length;
      EXPECT_EQ(failure->kind, ErrorKind::stopped) << packer.name << ' ' << length;
      EXPECT_EQ(failure->what, "stopped while reading: time limit");
    }
  }
}

}  // namespace
}  // namespace isoscope
