#include <gtest/gtest.h>

#include "history/binary_text.h"
#include "history/history_text.h"

namespace isoscope {
namespace {

using test::Bytes;
using test::error_of;

constexpr std::uint64_t initial = 0xbebeebee;
constexpr std::uint64_t null = 0xdeadbeef;
constexpr std::uint64_t untracked = 0xabddefee;

/// A log, record by record.
class Log {
 public:
  Log& start(std::uint64_t transaction) { return put('S', {transaction}); }
  Log& commit(std::uint64_t transaction) { return put('C', {transaction}); }
  Log& abort(std::uint64_t transaction) { return put('A', {transaction}); }
  Log& write(std::uint64_t write, std::uint64_t key, std::uint64_t value) {
    return put('W', {write, key, value});
  }
  Log& read(std::uint64_t writer, std::uint64_t write, std::uint64_t key, std::uint64_t value) {
    return put('R', {writer, write, key, value});
  }
  const std::string& str() const { return bytes_.str(); }

 private:
  Log& put(char kind, std::initializer_list<std::uint64_t> fields) {
    bytes_.byte(static_cast<unsigned char>(kind));
    for (const std::uint64_t field : fields) bytes_.big(field);
    return *this;
  }
  Bytes bytes_;
};

Source folder(std::vector<Source::NamedBytes> files) {
  return Source::from_memory_folder("d", std::move(files));
}

Result<History> read(const Source& source, bool unique_values = false) {
  ReadOptions options;
  options.format = Format::cobra;
  options.cobra_unique_values = unique_values;
  return read_history(source, options);
}

std::string text_of(const Result<History>& history) {
  return history ? test::history_text(*history) : history.error().text();
}

Source two_logs() {
  return folder({
      {"d/T1.log",
       Log().start(0x11).write(0x100, 7, 0xAB).read(initial, initial, 8, 0x55).commit(0x11).str()},
      {"d/T2.log", Log()
                       .start(0x12)
                       .read(0x11, 0x100, 7, 0xAB)
                       .read(null, null, 0xFFFFFFFFFFFFFFFF, 0)
                       .commit(0x12)
                       .start(0x13)
                       .write(0x101, 7, 0xAC)
                       .abort(0x13)
                       .str()},
      {"d/T3.log", ""},
      {"d/readme.txt", "about these logs"},
  });
}

TEST(Cobra, ValuesAreWriteAndHash) {
  EXPECT_EQ(
      text_of(read(two_logs())),
      "origin \"\"\ninitial nil\n  \"\".8=\"initial:55\"\n"
      "session \"T1\"\nsession \"T2\"\nsession \"T3\"\n"
      "\"T1\": transaction 17 committed -..-\n    write \"\".7 \"100:ab\"\n    read \"\".8 "
      "\"initial:55\"\n"
      "\"T2\": transaction 18 committed -..-\n    read \"\".7 \"100:ab\"\n    read \"\".-1 nil\n"
      "\"T2\": transaction 19 aborted -..-\n    write \"\".7 \"101:ac\"\n");
}

TEST(Cobra, UniqueValuesAreWrites) {
  EXPECT_EQ(
      text_of(read(two_logs(), true)),
      "origin \"\"\ninitial nil\n  \"\".8=\"initial\"\n"
      "session \"T1\"\nsession \"T2\"\nsession \"T3\"\n"
      "\"T1\": transaction 17 committed -..-\n    write \"\".7 256\n    read \"\".8 \"initial\"\n"
      "\"T2\": transaction 18 committed -..-\n    read \"\".7 256\n    read \"\".-1 nil\n"
      "\"T2\": transaction 19 aborted -..-\n    write \"\".7 257\n");
}

TEST(Cobra, UntrackedWritesAreTheirHash) {
  const Source source = folder({{"d/T1.log", Log()
                                                 .start(1)
                                                 .write(untracked, 7, 0xAB)
                                                 .write(untracked, 8, 0xAB)
                                                 .read(untracked, untracked, 7, 0xAC)
                                                 .commit(1)
                                                 .str()}});
  EXPECT_EQ(text_of(read(source)),
            "origin \"\"\ninitial nil\nsession \"T1\"\n\"T1\": transaction 1 committed -..-\n"
            "    write \"\".7 \"abddefee:ab\"\n    write \"\".8 \"abddefee:ab\"\n    read \"\".7 "
            "\"abddefee:ac\"\n");
  EXPECT_EQ(text_of(read(source, true)),
            "d/T1.log: byte 34: expected a write number that no other write has, found 0xabddefee "
            "again: these logs "
            "cannot be read with unique values");
}

TEST(Cobra, ADeletedRowIsNil) {
  EXPECT_EQ(
      text_of(read(folder({{"d/a.log", Log()
                                           .start(1)
                                           .write(0xabcdefab, 7, 0x99)
                                           .read(0xabcdefab, 0xabcdefab, 7, 0x99)
                                           .read(null, null, 7, 0)
                                           .write(null, 8, 0)
                                           .commit(1)
                                           .str()}}))),
      "origin \"\"\ninitial nil\nsession \"a\"\n\"a\": transaction 1 committed -..-\n"
      "    delete \"\".7 nil\n    read \"\".7 nil\n    read \"\".7 nil\n    delete \"\".8 nil\n");
}

TEST(Cobra, AWriterInNoLogIsNoWriter) {
  // The number and the hash are those of a write, but not of the transaction named.
  const Source source = folder(
      {{"d/a.log",
        Log().start(1).write(5, 7, 9).commit(1).start(2).read(0xF, 5, 7, 9).commit(2).str()}});
  EXPECT_EQ(
      text_of(read(source)),
      "origin \"\"\ninitial nil\nsession \"a\"\n\"a\": transaction 1 committed -..-\n    write "
      "\"\".7 \"5:9\"\n"
      "\"a\": transaction 2 committed -..-\n    read \"\".7 \"5:9 of unknown transaction f\"\n");
}

TEST(Cobra, AWriterMayStandInALaterLog) {
  const Result<History> history =
      read(folder({{"d/a.log", Log().start(1).read(2, 5, 7, 9).commit(1).str()},
                   {"d/b.log", Log().start(2).write(5, 7, 9).commit(2).str()}}));
  ASSERT_TRUE(history);
  EXPECT_EQ(test::operation_text(*history, history->operations(TransactionId(0))[0]),
            "read \"\".7 \"5:9\"");
}

TEST(Cobra, AKeyHasOneInitialValue) {
  const Result<History> history = read(folder({{"d/a.log", Log()
                                                               .start(1)
                                                               .read(initial, initial, 7, 3)
                                                               .read(initial, initial, 7, 4)
                                                               .read(initial, initial, 7, 3)
                                                               .commit(1)
                                                               .str()}}));
  ASSERT_TRUE(history);
  ASSERT_EQ(history->initial_rows().size(), 1u);
  EXPECT_EQ(test::value_text(*history, *history->initial_value(KeyId(0))), "\"initial:3\"");
  EXPECT_EQ(test::value_text(*history, history->operations(TransactionId(0))[1].value()),
            "\"initial:4\"");
}

TEST(Cobra, WhatTheGarbageCollectorWroteSaysNothing) {
  const Result<History> history = read(folder({{"d/a.log", Log()
                                                               .start(1)
                                                               .read(initial, 0x23332333, 7, 3)
                                                               .read(initial, 0x66666666, 7, 4)
                                                               .commit(1)
                                                               .str()}}));
  ASSERT_TRUE(history);
  for (const Operation& operation : history->operations(TransactionId(0))) {
    EXPECT_EQ(operation.value(), ValuePool::unreported);
  }
}

TEST(Cobra, ATransactionWithoutEndIsIndeterminate) {
  const Result<History> history =
      read(folder({{"d/a.log", Log().start(1).commit(1).start(2).write(5, 7, 9).str()}}));
  ASSERT_TRUE(history);
  EXPECT_EQ(history->outcome(TransactionId(0)), Outcome::committed);
  EXPECT_EQ(history->outcome(TransactionId(1)), Outcome::indeterminate);
}

TEST(Cobra, SaysWhatIsWrongAndWhere) {
  const auto error = [](const Log& log) { return text_of(read(folder({{"d/a.log", log.str()}}))); };
  EXPECT_EQ(error(Log().start(1).start(2)),
            "d/a.log: byte 9: expected the end of transaction 0x1, found the start of 0x2");
  EXPECT_EQ(error(Log().start(1).commit(0x2A)),
            "d/a.log: byte 9: expected the end of transaction 0x1, found the end of 0x2a");
  EXPECT_EQ(error(Log().commit(1)),
            "d/a.log: byte 0: expected the start of a transaction, found 'C'");
  EXPECT_EQ(error(Log().start(1).commit(1).write(1, 2, 3)),
            "d/a.log: byte 18: expected the start of a transaction, found 'W'");
  EXPECT_EQ(
      error(Log().start(1).commit(1).start(1).commit(1)),
      "d/a.log: byte 18: expected a transaction that no log has started before, found 0x1 again");
  EXPECT_EQ(
      error(Log().start(1).write(initial, 2, 3)),
      "d/a.log: byte 9: expected the number of a write, found 0xbebeebee, the initial state's");
  EXPECT_EQ(text_of(read(folder({{"d/a.log", Log().start(1).str() + "x"}}))),
            "d/a.log: byte 9: expected a record: S, C, A, W or R, found byte 120");
  EXPECT_EQ(
      text_of(read(folder(
          {{"d/a.log", Log().start(1).commit(1).str()}, {"d/b.log", Log().start(1).str()}}))),
      "d/b.log: byte 0: expected a transaction that no log has started before, found 0x1 again");
  EXPECT_EQ(text_of(read(folder({{"d/1/a.log", ""}, {"d/2/a.log", ""}}))),
            "d/2/a.log: byte 0: expected logs of different names, found another one of session a");
  EXPECT_EQ(text_of(read(folder({{"d/a.txt", ""}}))), "expected a folder with *.log files: d");
}

TEST(Cobra, WhatIsWrongInAnyLogsRecordsIsToldFirst) {
  const std::string bad_order = Log().start(1).start(2).str();
  EXPECT_EQ(
      text_of(read(folder({{"d/a.log", bad_order}, {"d/b.log", Log().start(3).str() + "x"}}))),
      "d/b.log: byte 9: expected a record: S, C, A, W or R, found byte 120");
  EXPECT_EQ(
      text_of(read(folder({{"d/a.log", bad_order}, {"d/b.log", Log().start(2).commit(2).str()}}))),
      "d/b.log: byte 0: expected a transaction that no log has started before, found 0x2 again");
  EXPECT_EQ(text_of(read(folder({{"d/a.log", bad_order}, {"d/b.log", Log().start(3).str()}}))),
            "d/a.log: byte 9: expected the end of transaction 0x1, found the start of 0x2");
}

TEST(Cobra, AnUnknownWriterChangesNothingElse) {
  // Enough records for several looks ahead, of which one names a writer that may be missing.
  const auto history_with = [](bool has_writer, bool unique_values) {
    Log a;
    for (std::uint64_t t = 1; t <= 50; ++t) {
      a.start(t).write(100 + t, t % 7, t).read(t / 2 + 1, 101 + t / 2, (t / 2 + 1) % 7, t / 2 + 1);
      if (t == 30) a.read(0x99, 0x500, 3, 0xAB);
      a.commit(t);
    }
    Log b;
    b.start(has_writer ? 0x99 : 0x98).write(0x500, 3, 0xAB).commit(has_writer ? 0x99 : 0x98);
    const auto history = read(folder({{"d/a.log", a.str()}, {"d/b.log", b.str()}}), unique_values);
    return text_of(history);
  };
  for (const bool unique_values : {false, true}) {
    std::string known = history_with(true, unique_values);
    const std::string unknown = history_with(false, unique_values);
    const std::string value = unique_values ? "read \"\".3 1280\n" : "read \"\".3 \"500:ab\"\n";
    const std::size_t at = known.find(value);
    ASSERT_NE(at, std::string::npos) << known;
    known.replace(at, value.size(), "read \"\".3 \"500:ab of unknown transaction 99\"\n");
    const std::size_t name = known.find("transaction 153");
    ASSERT_NE(name, std::string::npos) << known;
    known.replace(name, 15, "transaction 152");
    EXPECT_EQ(unknown, known);
  }
}

TEST(Cobra, StopsWhenToldTo) {
  Limits limits;
  limits.request_stop();
  ReadOptions options;
  options.limits = limits;
  const auto history = read_history(two_logs(), options);
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().text(), "d/T1.log:1:10: stopped while reading: interrupted");
}

TEST(Cobra, TruncatedInsideARecordIsAnError) {
  const std::string whole = Log().start(1).write(2, 3, 4).read(1, 2, 3, 4).commit(1).str();
  for (std::size_t size = 1; size <= whole.size(); ++size) {
    const Result<History> history = read(folder({{"d/a.log", whole.substr(0, size)}}));
    const bool between_records = size == 9 || size == 34 || size == 67 || size == 76;
    ASSERT_EQ(bool(history), between_records) << size;
    if (history) continue;
    const std::size_t start = size < 9 ? 0 : size < 34 ? 9 : size < 67 ? 34 : 67;
    EXPECT_EQ(history.error().position.byte, start);
    const std::size_t record = start == 9 ? 25 : start == 34 ? 33 : 9;
    EXPECT_EQ(history.error().what, "expected a record of " + std::to_string(record) +
                                        " bytes, found the end of the file after " +
                                        std::to_string(size - start));
  }
}

TEST(Cobra, IsRecognised) {
  const auto recognised = [](const Source& source) {
    const Result<Format> format = recognise_format(source);
    return format && *format == Format::cobra;
  };
  const std::string log = Log().start(1).write(2, 3, 4).commit(1).str();
  EXPECT_TRUE(recognised(two_logs()));
  EXPECT_TRUE(recognised(folder({{"d/0.log", ""}, {"d/1.log", log}, {"d/a", "x"}})));
  EXPECT_TRUE(recognised(Source::from_memory("T7.log", log)));
  EXPECT_FALSE(recognised(folder({{"d/json/J01.log", "{\"value\":[]}\n"}})));
  EXPECT_FALSE(recognised(Source::from_memory("T7.log", "Something else entirely")));
}

TEST(Cobra, OneLogIsAHistoryToo) {
  const Source source =
      Source::from_memory("/tmp/T7.log", Log().start(1).write(2, 3, 4).commit(1).str());
  EXPECT_EQ(text_of(read_history(source)),
            "origin \"\"\ninitial nil\nsession \"T7\"\n\"T7\": transaction 1 committed -..-\n    "
            "write \"\".3 \"2:4\"\n");
}

}  // namespace
}  // namespace isoscope
