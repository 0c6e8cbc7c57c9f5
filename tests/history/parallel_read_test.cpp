#include <gtest/gtest.h>
#include <zstd.h>

#include <atomic>
#include <new>
#include <string>

#include "history/format/native/formats.h"
#include "history/format/native/read_in_parts.h"
#include "history/history_text.h"
#include "history/random_history.h"
#include "test_scale.h"

namespace isoscope {
namespace {

constexpr std::string_view header = "{\"isoscope-history\":1}\n";

/// Everything, and every id. Two histories with equal texts cannot be told apart.
std::string exact_text(const History& history) {
  std::string text = test::history_text(history);
  const auto add = [&](auto id) { text += " " + std::to_string(id.index()); };
  for (std::size_t value = 0; value < history.values().size(); ++value) {
    text += "\nvalue " + test::value_text(history, ValueId(value));
  }
  for (std::uint32_t table = 0; table < history.table_count(); ++table) {
    text += "\ntable " + std::string(history.table_name(TableId(table)));
  }
  for (const KeyId key : history.keys()) {
    text += "\nkey";
    add(history.key_table(key));
    add(history.key_name(key));
  }
  for (const SessionId session : history.sessions()) {
    text += "\nsession";
    add(history.session_name(session));
    for (const TransactionId t : history.session(session)) add(t);
  }
  for (const TransactionId t : history.transactions()) {
    text += "\ntransaction";
    add(history.session_of(t));
    add(history.name(t));
    for (const Operation& operation : history.operations(t)) {
      text += ",";
      if (!operation.is_predicate()) {
        add(operation.key());
        add(operation.value());
        continue;
      }
      const PredicateAccess access = history.predicate_access(operation);
      text += " " + std::to_string(operation.access());
      add(access.table);
      add(access.predicate);
      for (const RowVersion& row : access.rows) {
        add(row.key);
        add(row.value);
      }
    }
  }
  for (const RowVersion& row : history.initial_rows()) {
    text += "\ninitial";
    add(row.key);
    add(row.value);
  }
  return text;
}

std::string outcome_of(const Result<History>& read) {
  return read ? exact_text(*read) : "error: " + read.error().text();
}

std::string read_with(const Source& source, unsigned threads, std::size_t part_size) {
  ReadOptions options;
  options.threads = threads;
  return outcome_of(format::read_native(source, options, part_size));
}

/// Reads with several threads and parts of several sizes, and expects what one thread reads.
void expect_same(const std::string& text, std::initializer_list<std::size_t> part_sizes) {
  const Source source = Source::from_memory("h", text);
  const std::string expected = read_with(source, 1, 1);
  for (const unsigned threads : {2U, 3U, 7U}) {
    for (const std::size_t part_size : part_sizes) {
      ASSERT_EQ(read_with(source, threads, part_size), expected)
          << threads << " threads, parts of " << part_size << " bytes:\n"
          << text;
    }
  }
}

bool can_be_read(const std::string& text) {
  const auto history = read_history(Source::from_memory("h", text));
  if (!history) ADD_FAILURE() << history.error().text();
  return static_cast<bool>(history);
}

std::string native(const History& history) { return *format_history(history, Format::native); }

/// A transaction in which everything occurs: what is left out (the id mostly) and what repeats
/// differs from number to number.
std::string transaction(std::uint64_t number) {
  Random random(number);
  const auto some = [&](std::uint64_t below) { return std::to_string(random.below(below)); };
  std::string text = "{";
  if (random.chance(30))
    text += "\"ops\":[],";
  else
    text += "\"ops\":[[\"w\"," + some(50) + "," + some(900) + "],[\"r\",\"k" + some(9) +
            "\",{\"a\":" + some(5) + ",\"b\":\"" + some(70) + "\"}],[\"r\"," + some(50) + ",[" +
            some(3) + ",-" + some(3) + ",\"" + some(3) + "\"]],[\"r\",[\"t" + some(4) + "\"," +
            some(9) + "],null],[\"w\",[\"t" + some(4) + "\"," + some(9) + "],{\"b\":" + some(90) +
            ",\"a\":" + some(9) + "}],[\"r\",[\"t" + some(4) + "\"," + some(9) +
            "],{\"b\":" + some(90) + ",\"a\":" + some(9) + "}],[\"rp\",[\"=\",\"@value\"," +
            some(6) + "],[[" + some(9) + "," + some(9) + "]],\"t" + some(5) + "\"],[\"append\"," +
            some(9) + "," + some(9) + "]],";
  if (random.chance(20)) text += "\"begin\":" + some(99) + ",\"end\":1" + some(99) + "00,";
  if (random.chance(20)) text += "\"id\":" + std::to_string(number + 10) + ",";
  if (random.chance(20)) text += "\"outcome\":\"aborted\",";
  return text + "\"session\":" + some(20) + "}\n";
}

std::string many_transactions(std::uint64_t count) {
  std::string text(header);
  for (std::uint64_t number = 0; number < count; ++number) text += transaction(number);
  return text;
}

class CountingProgress : public Progress {
 public:
  void advance(std::uint64_t done) override {
    EXPECT_GE(done, done_);
    done_ = done;
    ++calls_;
  }
  std::uint64_t done_ = 0;
  int calls_ = 0;
};

TEST(ParallelRead, ReadsPartsAndNotTheWholeAgain) {
  const std::string text = many_transactions(2000);
  ASSERT_TRUE(can_be_read(text));
  CountingProgress progress;
  ReadOptions options;
  options.threads = 3;
  options.progress = progress;
  constexpr std::size_t part_size = 10000;
  ASSERT_TRUE(format::read_native(Source::from_memory("h", text), options, part_size));
  EXPECT_EQ(progress.done_, text.size());
  // One thread alone tells of every transaction.
  EXPECT_LE(progress.calls_, static_cast<int>(2 * text.size() / part_size));
}

TEST(ParallelRead, ManyTransactionsOfAllKinds) {
  const std::string text = many_transactions(1000);
  ASSERT_TRUE(can_be_read(text));
  expect_same(text, {1000, 3333, 40000});
  expect_same(text.substr(0, text.size() - 1), {1000});
}

TEST(ParallelRead, LargeFilesThroughTheFrontDoor) {
  std::string text(header);
  while (text.size() < 3 * format::native_part_size) text += transaction(text.size());
  ASSERT_TRUE(can_be_read(text));
  const Source source = Source::from_memory("h", text);
  const auto read = [&](unsigned threads) {
    ReadOptions options;
    options.threads = threads;
    return outcome_of(read_history(source, options));
  };
  const std::string expected = read(1);
  for (const unsigned threads : {0U, 2U, 5U}) EXPECT_TRUE(read(threads) == expected) << threads;
}

TEST(ParallelRead, RandomHistories) {
  for (int seed = 1; seed <= 200 * test_scale(); ++seed) {
    expect_same(native(test::random_history(static_cast<std::uint64_t>(seed))), {1, 60, 200});
    if (HasFatalFailure()) return;
  }
}

TEST(ParallelRead, CompressedFiles) {
  const std::string text = many_transactions(1000);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  expect_same(packed, {1000, 9999});
  // Cut short: the end that is seen is not the end.
  expect_same(packed.substr(0, packed.size() / 2), {1000});
}

TEST(ParallelRead, BrokenFilesGiveTheErrorOfOneThread) {
  Random random(7);
  for (int i = 0; i < 200 * test_scale(); ++i) {
    std::string text = many_transactions(6);
    static constexpr std::string_view bytes = "{}[]\",:\n0a\x80";
    const std::size_t at = random.below(text.size());
    switch (random.below(3)) {
      case 0:
        text[at] = bytes[random.below(bytes.size())];
        break;
      case 1:
        text.erase(at, 1 + random.below(40));
        break;
      default:
        text.insert(at, 1, bytes[random.below(bytes.size())]);
    }
    expect_same(text, {1, 300});
    if (HasFatalFailure()) return;
  }
}

TEST(ParallelRead, AnIdTwiceInOnePartOrInTwo) {
  const auto with_id = [](std::string_view id) {
    return "{\"session\":1,\"id\":" + std::string(id) + ",\"ops\":[]}\n";
  };
  for (const std::string_view again : {"1", "\"T1\"", "2", "\"x\""}) {
    std::string text(header);
    for (const std::string_view id : {"1", "2", "\"x\"", "3", "\"y\""}) text += with_id(id);
    text += with_id(again) + with_id("4");
    const std::string read = read_with(Source::from_memory("h", text), 2, 30);
    EXPECT_NE(read.find("h:7:"), std::string::npos) << read;
    EXPECT_NE(read.find("expected an id that no earlier transaction has"), std::string::npos);
    expect_same(text, {1, 40, 80, 120});
  }
}

TEST(ParallelRead, TransactionsOfSeveralLines) {
  std::string text(header);
  for (int i = 0; i < 20; ++i) {
    text += "{\"session\":1,\n\"ops\":[[\"w\",\"x\",\n{\"a\":" + std::to_string(i) + "}\n]]\n}\n";
  }
  ASSERT_TRUE(can_be_read(text));
  expect_same(text, {1, 30, 100, 350});
  // Two on a line, and one much longer than a part.
  text +=
      "{\"session\":1,\"ops\":[]} {\"session\":2,\"ops\":[]}\n{\"session\":1,\"ops\":[[\"w\",1,1]";
  for (int i = 0; i < 100; ++i) text += ",[\"w\",1,1]";
  text += "]}\n\n\n  {\"session\":3,\"ops\":[]}";
  ASSERT_TRUE(can_be_read(text));
  expect_same(text, {1, 30, 100, 350});
}

TEST(ParallelRead, StopsWhenToldTo) {
  Limits limits;
  limits.request_stop();
  ReadOptions options;
  options.limits = limits;
  options.threads = 3;
  const auto history =
      format::read_native(Source::from_memory("h", many_transactions(100)), options, 1000);
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().what, "stopped while reading: interrupted");
}

TEST(ParallelRead, NobodyWaitsForAThreadThatRanOutOfMemory) {
  const Source source = Source::from_memory("h", many_transactions(200));
  for (const int which : {0, 1, 5}) {
    Result<ByteReader> input = source.open_file(0);
    ASSERT_TRUE(input);
    std::atomic<int> begun = 0;
    const auto read_part = [&](ByteReader&, bool is_first) -> std::optional<HistoryBuilder> {
      if (begun++ == which) throw std::bad_alloc();
      return is_first ? HistoryBuilder() : HistoryBuilder::part();
    };
    EXPECT_THROW(format::read_in_parts(*input, 1000, Workers(4), Progress::silent(), read_part),
                 std::bad_alloc);
  }
}

TEST(ParallelRead, APartOfABuilder) {
  HistoryBuilder whole;
  whole.begin_transaction(whole.session(whole.values().integer(7)), whole.values().integer(1));
  whole.write(whole.key(5), whole.values().integer(9));
  whole.begin_transaction(whole.add_session());
  HistoryBuilder part = HistoryBuilder::part();
  part.begin_transaction(part.add_session());
  part.set_times(3, std::nullopt);
  part.set_level(LevelId::causal);
  part.begin_transaction(part.session(part.values().integer(7)), part.values().integer(2));
  part.read(part.key(6), part.values().integer(5));
  part.read(part.key(5), part.values().integer(9));
  ASSERT_TRUE(whole.append(part));
  const History history = std::move(whole).finish();
  EXPECT_EQ(history.session_count(), 3U);
  EXPECT_EQ(history.key_count(), 2U);
  EXPECT_EQ(history.session(SessionId(0)).size(), 2U);
  EXPECT_EQ(history.session_of(TransactionId(2)), SessionId(2));
  EXPECT_FALSE(history.begin_time(TransactionId(0)));
  EXPECT_EQ(history.begin_time(TransactionId(2)), 3);
  EXPECT_FALSE(history.recorded_level(TransactionId(0)));
  EXPECT_EQ(history.recorded_level(TransactionId(2)), LevelId::causal);
  const auto read = history.operations(TransactionId(3));
  EXPECT_EQ(read[0].value(), history.key_name(KeyId(0)));
  EXPECT_EQ(read[1].key(), KeyId(0));
}

TEST(ParallelRead, ANameThatIsTakenIsNotAppended) {
  const auto named = [](HistoryBuilder builder, std::initializer_list<std::int64_t> names) {
    const SessionId session = builder.add_session();
    for (const std::int64_t name : names) {
      builder.begin_transaction(session, builder.values().integer(name));
    }
    return builder;
  };
  HistoryBuilder whole = named({}, {1, 2});
  EXPECT_TRUE(whole.append(named(HistoryBuilder::part(), {3, 4})));
  EXPECT_FALSE(whole.append(named(HistoryBuilder::part(), {5, 3})));
  EXPECT_FALSE(whole.append(named(HistoryBuilder::part(), {6, 6})));
}

}  // namespace
}  // namespace isoscope
