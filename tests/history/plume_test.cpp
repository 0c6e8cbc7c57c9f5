#include <gtest/gtest.h>

#include "history/binary_text.h"
#include "history/history_text.h"
#include "history/random_registers.h"
#include "isoscope/base/random.h"
#include "isoscope/history/history_builder.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using test::error_of;
using test::history_text;
using test::read_bytes;

Result<History> read(std::string text) { return read_bytes(Format::plume, std::move(text)); }
std::string error(std::string text) { return error_of(Format::plume, std::move(text)); }

std::string text_of(const Result<History>& history) {
  return history ? history_text(*history) : history.error().text();
}

std::string written(const Result<History>& history) {
  if (!history) return history.error().text();
  const Result<std::string> text = format_history(*history, Format::plume);
  return text ? *text : text.error().text();
}

TEST(Plume, ReadsOperations) {
  EXPECT_EQ(text_of(read("w(0,1,1,1)\nr(0,1,2,2)\nr(5,18446744073709551615,2,2)\n")),
            "origin \"\"\ninitial 0\nsession 1\nsession 2\n"
            "1: transaction 1 committed -..-\n    write \"\".0 1\n"
            "2: transaction 2 committed -..-\n    read \"\".0 1\n    read \"\".5 -1\n");
}

TEST(Plume, AcceptsSpacesBlankLinesCarriageReturnsAndAByteOrderMark) {
  EXPECT_EQ(text_of(read("\xEF\xBB\xBF\r\n  w( 0 , 1,1,1 ) \r\n\r\nr(0,1,2,2)")),
            text_of(read("w(0,1,1,1)\nr(0,1,2,2)\n")));
}

TEST(Plume, SessionsMayInterleave) {
  EXPECT_EQ(text_of(read("w(0,1,1,1)\nw(0,2,2,2)\nr(0,1,1,1)\nr(0,2,2,2)\nr(0,2,1,3)\n")),
            text_of(read("w(0,1,1,1)\nr(0,1,1,1)\nw(0,2,2,2)\nr(0,2,2,2)\nr(0,2,1,3)\n")));
}

TEST(Plume, AbortedOperationsInARowAreOneTransaction) {
  EXPECT_EQ(
      text_of(read("w(0,1,1,7)\nw(0,2,1,-1)\nw(0,5,2,-1)\nw(0,3,1,-1)\nr(0,1,1,8)\nw(0,4,1,-1)\n")),
      "origin \"\"\ninitial 0\nsession 1\nsession 2\n"
      "1: transaction 7 committed -..-\n    write \"\".0 1\n"
      "1: transaction 1 aborted -..-\n    write \"\".0 2\n    write \"\".0 3\n"
      "2: transaction 2 aborted -..-\n    write \"\".0 5\n"
      "1: transaction 8 committed -..-\n    read \"\".0 1\n"
      "1: transaction 3 aborted -..-\n    write \"\".0 4\n");
}

TEST(Plume, ASpelledOutInitialTransactionIsTheInitialState) {
  EXPECT_EQ(text_of(read("w(1,0,0,0)\nw(2,0,0,0)\nr(1,0,1,1)\n")), text_of(read("r(1,0,1,1)\n")));
  // Its session goes on without it.
  EXPECT_EQ(text_of(read("w(1,0,0,0)\nr(1,0,0,1)\n")), text_of(read("r(1,0,0,1)\n")));
}

TEST(Plume, OtherTransactionsZeroAreOrdinary) {
  const auto transactions = [](std::string text) {
    const Result<History> history = read(std::move(text));
    return history ? history->transaction_count() : 0;
  };
  EXPECT_EQ(transactions("w(1,0,0,0)\nw(1,1,0,0)\n"), 1u) << "writes something else too";
  EXPECT_EQ(transactions("w(1,0,0,0)\nr(1,0,0,0)\n"), 1u) << "reads";
  EXPECT_EQ(transactions("w(1,0,1,0)\n"), 1u) << "another session";
  EXPECT_EQ(transactions("w(1,0,0,1)\n"), 1u) << "another transaction";
  EXPECT_EQ(transactions("w(1,1,0,1)\nw(1,0,0,0)\n"), 2u) << "not the first one of its session";
}

TEST(Plume, ATransactionInTwoSessionsIsAnError) {
  EXPECT_EQ(error("w(0,1,1,5)\nw(0,2,2,5)\n"),
            "f:2:7: expected session 1, where transaction 5 began, found 2");
}

TEST(Plume, ATransactionThatReturnsIsAnError) {
  EXPECT_EQ(error("w(0,1,1,5)\nw(0,2,1,6)\nw(0,3,1,5)\n"),
            "f:3:9: expected another transaction, found transaction 5 again, after the next "
            "transaction of its "
            "session has begun");
  EXPECT_EQ(error("w(0,1,1,5)\nw(0,2,1,-1)\nw(0,3,1,5)\n"),
            "f:3:9: expected another transaction, found transaction 5 again, after the next "
            "transaction of its "
            "session has begun");
}

/// Lines that are long enough, together, for the reader to take them apart in one go.
std::string plain_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "w(" + std::to_string(i % 7) + "," + std::to_string(1000 + i) + ",1," +
            std::to_string(1 + i / 5) + ")\n";
  }
  return text;
}

TEST(Plume, ErrorsInPlainLinesSayWhere) {
  const std::string before = plain_lines(200);
  const std::string after = plain_lines(50);
  EXPECT_EQ(error(before + "w(0,1,2,7)\n" + after),
            "f:201:7: expected session 1, where transaction 7 began, found 2");
  EXPECT_EQ(error(before + "w(0,1,1,40)\nw(0,1,1,7)\n" + after),
            "f:202:9: expected another transaction, found transaction 7 again, after the next "
            "transaction of its session has begun");
  EXPECT_EQ(error(before + "w(0,1,1,99)x\n" + after),
            "f:201:12: expected the end of the line, found x");
  EXPECT_EQ(error(before + "w(0,1,1,99),\n" + after),
            "f:201:12: expected the end of the line, found ,");
  EXPECT_EQ(error(before + "w(0,99999999999999999999,1,99)\n" + after),
            "f:201:5: expected a value of at most 18446744073709551615, found "
            "99999999999999999999");
}

/// The same text twice, once as programs print it and once with spaces, which is read another way.
TEST(Plume, PlainLinesMeanWhatOthersMean) {
  Random random(41);
  const auto number = [&] {
    static constexpr std::uint64_t least[] = {0,
                                              10,
                                              9'999'999,
                                              12'345'678,
                                              999'999'999'999'999,
                                              9'999'999'999'999'999,
                                              10'000'000'000'000'000};
    return std::to_string(least[random.below(std::size(least))] + random.below(9));
  };
  for (int i = 0; i < 50 * test_scale(); ++i) {
    std::string plain;
    std::string spaced;
    std::uint64_t latest[] = {0, 0, 0};
    for (int line = 0; line < 300; ++line) {
      const std::uint64_t session = random.below(3);
      std::uint64_t& transaction = latest[session];
      if (transaction == 0 || random.below(4) == 0) transaction = 3 * (line + 1) + session;
      const bool aborted = random.below(20) == 0;
      const std::string name = aborted ? "-1" : std::to_string(transaction);
      if (aborted) transaction = 0;
      const std::string start = std::string(random.below(2) == 0 ? "r" : "w") + "(" + number() +
                                "," + number() + "," + std::to_string(session + 70'000);
      const std::string end = random.below(30) == 0 ? ")\r\n" : ")\n";
      plain += start + "," + name + end;
      spaced += start + " ," + name + end;
    }
    const std::string text = text_of(read(plain));
    ASSERT_EQ(text, text_of(read(spaced))) << plain;
    ASSERT_TRUE(text.starts_with("origin")) << text;
  }
}

TEST(Plume, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error("w(0,1,1,1)\nx(0,1,1,1)\n"),
            "f:2:1: expected r(key,value,session,transaction) or w(...), found x");
  EXPECT_EQ(error("r[0,1,1,1)"),
            "f:1:1: expected r(key,value,session,transaction) or w(...), found r");
  EXPECT_EQ(error("r(a,1,1,1)"), "f:1:3: expected a key, found a");
  EXPECT_EQ(error("r(-1,1,1,1)"), "f:1:3: expected a key, found -1");
  EXPECT_EQ(error("r(1;1,1,1)"), "f:1:4: expected ',', found ;1");
  EXPECT_EQ(error("r(1,nil,1,1)"), "f:1:5: expected a value, found nil");
  EXPECT_EQ(error("r(1,18446744073709551616,1,1)"),
            "f:1:5: expected a value of at most 18446744073709551615, found 18446744073709551616");
  EXPECT_EQ(error("r(1,2)"), "f:1:6: expected ',', found ); it is litmus");
  EXPECT_EQ(error("r(1,2,-1,1)"), "f:1:7: expected a session, found -1");
  EXPECT_EQ(error("r(1,2,9223372036854775808,1)"),
            "f:1:7: expected a session of at most 9223372036854775807, found 9223372036854775808");
  EXPECT_EQ(error("r(1,2,3,-)"),
            "f:1:9: expected a transaction, or -1 for an aborted one, found -");
  EXPECT_EQ(error("r(1,2,3,-2)"),
            "f:1:9: expected a transaction, or -1 for an aborted one, found -2");
  EXPECT_EQ(error("r(1,2,3,4"), "f:1:10: expected ')', found the end of the line");
  EXPECT_EQ(error("r(1,2,3,4) 5"), "f:1:12: expected the end of the line, found 5");
  EXPECT_EQ(error("r(1,2,3,\x01)"),
            "f:1:9: expected a transaction, or -1 for an aborted one, found byte 1");
}

TEST(Plume, TruncatedInsideALineIsAnError) {
  const std::string whole = "w(10,11,12,13)\nr(10,11,14,-1)\n";
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const std::string part = whole.substr(0, size);
    const bool whole_lines = part.ends_with(')') || part.ends_with('\n');
    const Result<History> history = read(part);
    ASSERT_EQ(bool(history), whole_lines) << part;
    if (!history) {
      EXPECT_EQ(history.error().position.line, size < 15 ? 1u : 2u);
    }
  }
}

TEST(Plume, ALineWithoutEndIsAnError) {
  const std::string line = "w(0,1,1,1" + std::string(ByteReader::max_window, ' ');
  EXPECT_EQ(error(line), "f:1:1: expected a line of at most 64 MiB, found a longer one");
}

TEST(Plume, IsRecognised) {
  const auto recognised = [](std::string text) {
    const Result<Format> format = recognise_format(Source::from_memory("f", std::move(text)));
    return format && *format == Format::plume;
  };
  EXPECT_TRUE(recognised("r(1,2,3,4)"));
  EXPECT_TRUE(recognised("\n w(1,2,3,-1)\nanything"));
  EXPECT_FALSE(recognised("r(x,1)"));
  EXPECT_FALSE(recognised("w(1,2,3)"));
  const Source folder = Source::from_memory_folder("d", {{"d/history.txt", "r(1,2,3,4)\n"}});
  const Result<History> history = read_history(folder);
  ASSERT_TRUE(history) << history.error().text();
  EXPECT_EQ(history->operation_count(), 1u);
}

TEST(Plume, AFolderOfSeveralFilesIsNone) {
  ReadOptions options;
  options.format = Format::plume;
  const Source folder =
      Source::from_memory_folder("d", {{"d/a", "r(1,2,3,4)\n"}, {"d/b", "r(1,2,3,5)\n"}});
  EXPECT_EQ(error_of(read_history(folder, options)),
            "expected a file, or a folder with one file, found 2 files: d");
}

TEST(Plume, WritesWhatItRead) {
  const std::string text = "w(0,1,1,7)\nw(0,2,1,-1)\nw(18446744073709551615,5,2,9)\nr(0,1,1,8)\n";
  EXPECT_EQ(written(read(text)), text);
  EXPECT_EQ(written(read("w(0,1,1,1)\nw(0,2,2,2)\nr(0,1,1,1)\n")),
            "w(0,1,1,1)\nr(0,1,1,1)\nw(0,2,2,2)\n");
  EXPECT_EQ(written(read("w(1,0,0,0)\nr(1,0,1,1)\n")), "r(1,0,1,1)\n");
}

TEST(Plume, RandomHistoriesSurvive) {
  test::RegisterFeatures features;
  features.adjacent_aborts = false;
  test::CompareOptions compare;
  compare.transaction_names = compare.file_order = compare.session_names = false;
  for (int seed = 0; seed < 200 * test_scale(); ++seed) {
    features.string_names = seed % 2 == 0;
    const History history = test::random_registers(static_cast<std::uint64_t>(seed), features);
    const Result<std::string> text = format_history(history, Format::plume);
    ASSERT_TRUE(text) << text.error().text();
    const Result<History> again = read(*text);
    ASSERT_TRUE(again) << again.error().text();
    // Sessions come back in the order in which their first transactions stand in the text.
    const auto sessions = [&](const History& of) {
      std::string all;
      std::vector<bool> seen(of.session_count());
      for (const TransactionId t : of.transactions()) {
        const SessionId s = of.session_of(t);
        if (seen[s.index()]) continue;
        seen[s.index()] = true;
        all += "session\n";
        for (const TransactionId u : of.session(s)) all += test::transaction_text(of, u, compare);
      }
      return all;
    };
    ASSERT_EQ(sessions(history), sessions(*again)) << seed << "\n" << *text;
    ASSERT_EQ(written(again), *text);
  }
}

TEST(Plume, NamesThatAreNoNumbersBecomeNumbers) {
  HistoryBuilder builder;
  ValuePool& values = builder.values();
  builder.set_initial_default(values.integer(0));
  builder.begin_transaction(builder.session(values.string("a")), values.string("first"));
  builder.write(builder.key(3), values.integer(4));
  builder.begin_transaction(builder.session(values.integer(9)), values.integer(9));
  builder.read(builder.key(3), values.integer(4));
  EXPECT_EQ(written(std::move(builder).finish()), "w(3,4,1,1)\nr(3,4,2,2)\n");
}

TEST(Plume, AnOrdinaryTransactionIsNotWrittenAsTheInitialState) {
  HistoryBuilder builder;
  ValuePool& values = builder.values();
  builder.set_initial_default(values.integer(0));
  builder.begin_transaction(builder.session(values.integer(0)), values.integer(0));
  builder.write(builder.key(3), values.integer(0));
  EXPECT_EQ(written(std::move(builder).finish()), "w(3,0,1,1)\n");
}

TEST(Plume, RefusesWhatItCannotHold) {
  const auto refusal = [](const auto& fill) {
    HistoryBuilder builder;
    builder.set_initial_default(builder.values().integer(0));
    builder.begin_transaction(builder.add_session());
    fill(builder);
    return written(std::move(builder).finish());
  };
  EXPECT_EQ(refusal([](HistoryBuilder&) {}),
            "cannot write Plume text: T1 has no operations, and it has nothing else");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.add_session(); }),
            "cannot write Plume text: session 2 has no transactions, and it has only operations");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.read(b.key("x"), b.values().integer(1)); }),
            "cannot write Plume text: operation 1 of T1 is on a key that is no integer, and it has "
            "no others");
  EXPECT_EQ(refusal([](HistoryBuilder& b) {
              b.read(b.key(1), b.values().integer(1));
              b.set_times(1, 2);
            }),
            "cannot write Plume text: T1 has times, and it has no clock");
  EXPECT_EQ(
      refusal([](HistoryBuilder& b) { b.set_initial_default(ValuePool::nil); }),
      "cannot write Plume text: keys start from something else than 0 here, and from 0 there");
}

}  // namespace
}  // namespace isoscope
