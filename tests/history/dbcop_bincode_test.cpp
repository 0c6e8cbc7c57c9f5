#include <gtest/gtest.h>

#include "history/binary_text.h"
#include "history/history_text.h"
#include "history/random_registers.h"
#include "isoscope/history/history_builder.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using test::Bytes;
using test::error_of;
using test::history_text;
using test::read_bytes;

Bytes header() {
  Bytes bytes;
  bytes.little(7).little(2).little(3).little(1).little(2);
  bytes.little(6).text("Galera").little(5).text("start").little(3).text("end");
  return bytes;
}
constexpr std::size_t header_size = 5 * 8 + 14 + 11 + 13 - 0;

Bytes& event(Bytes& bytes, int write, std::uint64_t key, std::uint64_t value, int success = 1) {
  return bytes.byte(static_cast<std::uint64_t>(write))
      .little(key)
      .little(value)
      .byte(static_cast<std::uint64_t>(success));
}

/// Two sessions and an empty one; a failed event, an aborted and an empty transaction.
std::string small_file() {
  Bytes bytes = header();
  bytes.little(3);
  bytes.little(2);
  bytes.little(3);
  event(bytes, 1, 5, 1);
  event(bytes, 0, 6, 0);
  event(bytes, 1, 9, 9, 0);
  bytes.byte(1);
  bytes.little(1);
  event(bytes, 1, 5, 2);
  bytes.byte(0);
  bytes.little(0);
  bytes.little(2);
  bytes.little(0).byte(1);
  bytes.little(1);
  event(bytes, 0, 5, 0xFFFFFFFFFFFFFFFE);
  bytes.byte(1);
  return bytes.str();
}

std::string written(const History& history) {
  const Result<std::string> text = format_history(history, Format::dbcop_bincode);
  EXPECT_TRUE(text) << (text ? "" : text.error().text());
  return text ? *text : std::string();
}

TEST(DbcopBincode, ReadsASmallFile) {
  const Result<History> history = read_bytes(Format::dbcop_bincode, small_file());
  ASSERT_TRUE(history) << history.error().text();
  EXPECT_EQ(history_text(*history),
            "origin \"dbcop "
            "{\\\"id\\\":7,\\\"n_node\\\":2,\\\"n_variable\\\":3,\\\"n_transaction\\\":1,\\\"n_"
            "event\\\":2,"
            "\\\"info\\\":\\\"Galera\\\",\\\"start\\\":\\\"start\\\",\\\"end\\\":\\\"end\\\"}\"\n"
            "initial 0\n"
            "session 1\nsession 2\nsession 3\n"
            "1: transaction 1 committed -..-\n    write \"\".5 1\n    read \"\".6 0\n"
            "1: transaction 2 aborted -..-\n    write \"\".5 2\n"
            "3: transaction 3 committed -..-\n"
            "3: transaction 4 committed -..-\n    read \"\".5 -2\n");
  EXPECT_EQ(history->key_count(), 2u) << "a failed event leaves no key";
}

TEST(DbcopBincode, IsRecognised) {
  const Source source = Source::from_memory("f", small_file());
  const Result<Format> format = recognise_format(source);
  ASSERT_TRUE(format);
  EXPECT_EQ(*format, Format::dbcop_bincode);
}

TEST(DbcopBincode, IsFoundInAFolder) {
  const Source folder = Source::from_memory_folder(
      "d", {{"d/a-note.txt", "nothing"}, {"d/history.bincode", small_file()}});
  const Result<Format> format = recognise_format(folder);
  ASSERT_TRUE(format);
  EXPECT_EQ(*format, Format::dbcop_bincode);
  const Result<History> history = read_history(folder);
  ASSERT_TRUE(history);
  EXPECT_EQ(history->transaction_count(), 4u);
}

TEST(DbcopBincode, TwoHistoriesInAFolderAreOneTooMany) {
  ReadOptions options;
  options.format = Format::dbcop_bincode;
  const Source folder = Source::from_memory_folder(
      "d", {{"d/1/history.bincode", small_file()}, {"d/2/history.bincode", small_file()}});
  EXPECT_EQ(error_of(read_history(folder, options)),
            "expected one history.bincode in the folder d");
  EXPECT_FALSE(recognise_format(folder));
}

TEST(DbcopBincode, WritesWhatItReadBitForBit) {
  Bytes bytes = header();
  bytes.little(3).little(0).little(1).little(2);
  event(bytes, 1, 5, 0xFFFFFFFFFFFFFFFF);
  event(bytes, 0, 0xFFFFFFFFFFFFFFFF, 0);
  bytes.byte(0).little(1).little(0).byte(1);
  const Result<History> history = read_bytes(Format::dbcop_bincode, bytes.str());
  ASSERT_TRUE(history) << history.error().text();
  EXPECT_EQ(written(*history), bytes.str());
}

TEST(DbcopBincode, OnlyFailedEventsAreLostByWriting) {
  const Result<History> first = read_bytes(Format::dbcop_bincode, small_file());
  ASSERT_TRUE(first);
  const std::string text = written(*first);
  EXPECT_EQ(text.size(), small_file().size() - 18);
  const Result<History> second = read_bytes(Format::dbcop_bincode, text);
  ASSERT_TRUE(second);
  EXPECT_EQ(history_text(*first), history_text(*second));
}

TEST(DbcopBincode, RandomHistoriesSurvive) {
  test::RegisterFeatures features;
  features.empty_ones = true;
  test::CompareOptions compare;
  compare.file_order = compare.transaction_names = compare.session_names = compare.origin = false;
  for (int seed = 0; seed < 200 * test_scale(); ++seed) {
    const History history = test::random_registers(static_cast<std::uint64_t>(seed), features);
    const Result<History> again = read_bytes(Format::dbcop_bincode, written(history));
    ASSERT_TRUE(again) << seed;
    ASSERT_EQ(history_text(history, compare), history_text(*again, compare)) << seed;
  }
}

TEST(DbcopBincode, ADescriptionOfAnotherOriginIsKept) {
  HistoryBuilder builder;
  builder.set_initial_default(builder.values().integer(0));
  builder.set_origin("my database");
  builder.begin_transaction(builder.add_session());
  builder.write(builder.key(1), builder.values().integer(2));
  const History history = std::move(builder).finish();
  const Result<History> again = read_bytes(Format::dbcop_bincode, written(history));
  ASSERT_TRUE(again);
  EXPECT_EQ(
      again->origin(),
      "dbcop {\"id\":0,\"n_node\":1,\"n_variable\":1,\"n_transaction\":1,\"n_event\":1,"
      "\"info\":\"my "
      "database\",\"start\":\"1970-01-01T00:00:00+00:00\",\"end\":\"1970-01-01T00:00:00+00:00\"}");
}

TEST(DbcopBincode, TruncatedAnywhereIsAnError) {
  const std::string whole = small_file();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Result<History> history = read_bytes(Format::dbcop_bincode, whole.substr(0, size));
    ASSERT_FALSE(history) << size;
    EXPECT_LE(history.error().position.byte, size);
    EXPECT_NE(history.error().what.find("expected "), std::string::npos) << history.error().what;
    EXPECT_NE(history.error().what.find("found the end of the file"), std::string::npos)
        << history.error().what;
  }
}

TEST(DbcopBincode, TruncationsSayWhere) {
  const std::string whole = small_file();
  const auto at = [&](std::size_t size) {
    return error_of(Format::dbcop_bincode, whole.substr(0, size));
  };
  EXPECT_EQ(at(0), "f: byte 0: expected the history's number, found the end of the file");
  EXPECT_EQ(at(12), "f: byte 12: expected its number of nodes, found the end of the file");
  EXPECT_EQ(at(20), "f: byte 20: expected its number of variables, found the end of the file");
  EXPECT_EQ(at(25), "f: byte 25: expected its number of transactions, found the end of the file");
  EXPECT_EQ(at(39), "f: byte 39: expected its number of events, found the end of the file");
  EXPECT_EQ(at(44), "f: byte 44: expected a description, found the end of the file");
  EXPECT_EQ(at(50),
            "f: byte 40: expected a description of 6 bytes, found the end of the file after 2");
  EXPECT_EQ(at(66),
            "f: byte 54: expected a start time of 5 bytes, found the end of the file after 4");
  EXPECT_EQ(at(76),
            "f: byte 67: expected an end time of 3 bytes, found the end of the file after 1");
  EXPECT_EQ(at(header_size),
            "f: byte 78: expected a number of sessions, found the end of the file");
  EXPECT_EQ(at(header_size + 8),
            "f: byte 78: expected 3 sessions, found the end of the file at byte 86");
  EXPECT_EQ(at(header_size + 33),
            "f: byte 86: expected 2 transactions, found the end of the file at byte 111");
  EXPECT_EQ(at(header_size + 34),
            "f: byte 94: expected 3 events, found the end of the file at byte 112");
  EXPECT_EQ(at(whole.size() - 1),
            "f: byte " + std::to_string(whole.size() - 1) +
                ": expected a transaction's success, 0 or 1, found the end of the file");
}

TEST(DbcopBincode, AbsurdCountsAreErrors) {
  const std::uint64_t absurd = 0xFFFFFFFFFFFFFFFF;
  EXPECT_EQ(error_of(Format::dbcop_bincode, header().little(absurd).str()),
            "f: byte 78: expected 18446744073709551615 sessions, found the end of the file at byte "
            "86");
  EXPECT_EQ(error_of(Format::dbcop_bincode, header().little(1).little(absurd).str()),
            "f: byte 86: expected 18446744073709551615 transactions, found the end of the file at "
            "byte 94");
  EXPECT_EQ(
      error_of(Format::dbcop_bincode, header().little(1).little(1).little(absurd).byte(0).str()),
      "f: byte 94: expected 18446744073709551615 events, found the end of the file at byte 103");
  EXPECT_EQ(
      error_of(Format::dbcop_bincode,
               Bytes().little(1).little(1).little(1).little(1).little(1).little(absurd).str()),
      "f: byte 40: expected a description of at most 64 MiB, found 18446744073709551615 bytes");
}

TEST(DbcopBincode, AnAbsurdCountInALargeFileMeetsItsEnd) {
  Bytes bytes = header();
  bytes.little(1).little(1).little(1'000'000'000'000);
  for (int i = 0; i < 20'000; ++i) event(bytes, 1, 1, 1);
  EXPECT_EQ(error_of(Format::dbcop_bincode, bytes.str()),
            "f: byte 360102: expected 999999980000 more events, found the end of the file");
}

TEST(DbcopBincode, WrongBytesAreErrors) {
  Bytes kind = header();
  kind.little(1).little(1).little(2);
  event(kind, 1, 1, 1);
  event(kind, 2, 1, 1).byte(1);
  EXPECT_EQ(error_of(Format::dbcop_bincode, kind.str()),
            "f: byte 120: expected read or write, 0 or 1, found 2");
  Bytes success = header();
  success.little(1).little(1).little(1);
  event(success, 1, 1, 1, 255).byte(1);
  EXPECT_EQ(error_of(Format::dbcop_bincode, success.str()),
            "f: byte 119: expected an event's success, 0 or 1, found 255");
  Bytes outcome = header();
  outcome.little(1).little(1).little(0).byte(9);
  EXPECT_EQ(error_of(Format::dbcop_bincode, outcome.str()),
            "f: byte 102: expected a transaction's success, 0 or 1, found 9");
  EXPECT_EQ(error_of(Format::dbcop_bincode, small_file() + "x"),
            "f: byte " + std::to_string(small_file().size()) +
                ": expected the end of the file after the last session, found more bytes");
  Bytes text;
  text.little(1).little(1).little(1).little(1).little(1).little(4).text("ab\xFFz");
  EXPECT_EQ(error_of(Format::dbcop_bincode, text.str()),
            "f: byte 50: expected valid UTF-8, found byte 255");
}

/// What the writer says to a history made of one transaction that `fill` fills.
template <class Fill>
std::string refusal(const Fill& fill) {
  HistoryBuilder builder;
  builder.set_initial_default(builder.values().integer(0));
  builder.begin_transaction(builder.add_session());
  builder.write(builder.key(1), builder.values().integer(2));
  fill(builder);
  const Result<std::string> text =
      format_history(std::move(builder).finish(), Format::dbcop_bincode);
  return text ? "written" : text.error().text();
}

TEST(DbcopBincode, RefusesWhatItCannotHold) {
  EXPECT_EQ(refusal([](HistoryBuilder&) {}), "written");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.append(b.key(1), b.values().integer(2)); }),
            "cannot write dbcop bincode: operation 2 of T1 is an append, and it has only reads and "
            "writes");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.list_read(b.key(1), ValuePool::empty_list); }),
            "cannot write dbcop bincode: operation 2 of T1 is a list read, and it has only reads "
            "and writes");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.remove(b.key(1)); }),
            "cannot write dbcop bincode: operation 2 of T1 is a delete, and it has only reads and "
            "writes");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.insert(b.key(1), b.values().integer(2)); }),
            "cannot write dbcop bincode: operation 2 of T1 is an insert, and it has only reads and "
            "writes");
  EXPECT_EQ(refusal([](HistoryBuilder& b) {
              b.add_predicate(OperationKind::predicate_read, HistoryBuilder::default_table,
                              b.predicate({}), std::nullopt);
            }),
            "cannot write dbcop bincode: operation 2 of T1 is a predicate read, and it has only "
            "reads and writes");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.read(b.key("x"), b.values().integer(2)); }),
            "cannot write dbcop bincode: operation 2 of T1 is on a key that is no integer, and it "
            "has no others");
  EXPECT_EQ(refusal([](HistoryBuilder& b) {
              b.read(b.key(b.values().integer(1), b.table("t")), b.values().integer(2));
            }),
            "cannot write dbcop bincode: operation 2 of T1 is on a key of a named table, and it "
            "has no tables");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.read(b.key(1), b.values().string("x")); }),
            "cannot write dbcop bincode: operation 2 of T1 is of a value that is no integer, and "
            "it has no others");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.read(b.key(1), ValuePool::nil); }),
            "cannot write dbcop bincode: operation 2 of T1 is of a value that is no integer, and "
            "it has no others");
  EXPECT_EQ(
      refusal([](HistoryBuilder& b) { b.set_outcome(Outcome::indeterminate); }),
      "cannot write dbcop bincode: T1 is indeterminate, and it has only committed and aborted");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.set_times(std::nullopt, 5); }),
            "cannot write dbcop bincode: T1 has times, and it has no clock");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.set_commit_stamp(5); }),
            "cannot write dbcop bincode: T1 has a commit stamp, and it has no place for one");
  EXPECT_EQ(
      refusal([](HistoryBuilder& b) { b.set_initial_default(ValuePool::nil); }),
      "cannot write dbcop bincode: keys start from something else than 0 here, and from 0 there");
  EXPECT_EQ(
      refusal([](HistoryBuilder& b) { b.set_initial_default(std::nullopt); }),
      "cannot write dbcop bincode: keys start from something else than 0 here, and from 0 there");
  EXPECT_EQ(
      refusal([](HistoryBuilder& b) { b.set_initial(b.key(1), b.values().integer(7)); }),
      "cannot write dbcop bincode: a key starts from something else than 0 here, and from 0 there");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.set_initial(b.key(1), b.values().integer(0)); }),
            "written");
}

}  // namespace
}  // namespace isoscope
