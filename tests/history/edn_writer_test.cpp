#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "history/format/jepsen/formats.h"
#include "history/jepsen_dump.h"
#include "history/random_history.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::format {
namespace {

std::string write(const History& history) {
  StringSink sink;
  const Status status = write_edn(history, sink);
  return status ? sink.text() : status.error().text();
}

History read(const std::string& text) {
  Result<History> history = read_edn(Source::from_memory("f", text), {});
  EXPECT_TRUE(history) << history.error().text() << "\n" << text;
  return history ? *std::move(history) : std::move(HistoryBuilder()).finish();
}

History built(const std::function<void(HistoryBuilder&)>& build) {
  HistoryBuilder builder;
  build(builder);
  return std::move(builder).finish();
}

void expect_round_trip(const History& history) {
  const std::string text = write(history);
  EXPECT_EQ(dump(read(text)), dump(history)) << text;
}

TEST(EdnWriter, WritesWhatJepsenWouldHaveLogged) {
  const std::string text =
      "{:type :invoke, :f :txn, :value [[:append 7 1] [:r :k nil]], :process 0, :time 10, :index "
      "0}\n"
      "{:type :invoke, :f :txn, :value [[:append 7 2]], :process 1, :time 12, :index 1}\n"
      "{:type :ok, :f :txn, :value [[:append 7 1] [:r :k [3 \"a\\n\"]]], :process 0, :time 25, "
      ":index 2}\n"
      "{:type :fail, :f :txn, :value [[:append 7 2]], :process 1, :time 26, :index 3}\n"
      "{:type :invoke, :f :txn, :value [[:append 7 5] [:r 7 nil]], :process 0, :time 27, :index "
      "4}\n"
      "{:type :info, :f :txn, :value [[:append 7 5] [:r 7 nil]], :process 0, :index 5}\n";
  EXPECT_EQ(write(read(text)), text);
}

TEST(EdnWriter, ListsTheInitialState) {
  const std::string text =
      "{:type :invoke, :f :init, :value {:x 0, \"y\" :a, 3 nil}, :process 4, :index 0}\n"
      "{:type :ok, :f :init, :value {:x 0, \"y\" :a, 3 nil}, :process 4, :index 1}\n"
      "{:type :invoke, :f :txn, :value [[:rp :true nil] [:rp [:= :b] nil] [:rp [:mod 3 1] nil] "
      "[:insert 3 1] "
      "[:delete :x] [:w :x nil] [:r :x nil]], :process 4, :index 2}\n"
      "{:type :ok, :f :txn, :value [[:rp :true {:x 0, 3 4}] [:rp [:= :b] {}] [:rp [:mod 3 1] {}] "
      "[:insert 3 1] "
      "[:delete :x] [:w :x nil] [:r :x nil]], :process 4, :index 3}\n";
  EXPECT_EQ(write(read(text)), text);
}

TEST(EdnWriter, ADefaultInitialValueIsListedForEveryKey) {
  const History history = built([](HistoryBuilder& b) {
    b.set_initial_default(b.values().integer(0));
    b.begin_transaction(b.session(b.values().integer(1)));
    b.read(b.key(5), b.values().integer(0));
    b.set_initial(b.key(6), b.values().integer(9));
  });
  EXPECT_EQ(write(history),
            "{:type :invoke, :f :init, :value {5 0, 6 9}, :process 1, :index 0}\n"
            "{:type :ok, :f :init, :value {5 0, 6 9}, :process 1, :index 1}\n"
            "{:type :invoke, :f :txn, :value [[:r 5 nil]], :process 1, :index 2}\n"
            "{:type :ok, :f :txn, :value [[:r 5 0]], :process 1, :index 3, :isoscope/name 1}\n");
  expect_round_trip(history);
}

TEST(EdnWriter, NamesThatJepsenHasNoPlaceForAreMembersOfOurs) {
  const History history = built([](HistoryBuilder& b) {
    const SessionId a = b.session(b.values().string("a"));
    const SessionId zero = b.session(b.values().integer(0));
    b.begin_transaction(a, b.values().string("one \"1\""));
    b.begin_transaction(zero, b.values().integer(-7));
    b.begin_transaction(a, b.values().integer(90));
    b.begin_transaction(a, b.values().integer(INT64_MAX));
    b.set_origin("two\nlines\rof text");
  });
  EXPECT_EQ(write(history),
            "; two\n; lines of text\n"
            "{:type :invoke, :f :txn, :value [], :process 1, :index 0, :isoscope/session \"a\"}\n"
            "{:type :invoke, :f :txn, :value [], :process 0, :index 1}\n"
            "{:type :ok, :f :txn, :value [], :process 1, :index 2, :isoscope/session \"a\", "
            ":isoscope/name \"one "
            "\\\"1\\\"\"}\n"
            "{:type :invoke, :f :txn, :value [], :process 1, :index 3, :isoscope/session \"a\"}\n"
            "{:type :ok, :f :txn, :value [], :process 0, :index 4, :isoscope/name -7}\n"
            "{:type :ok, :f :txn, :value [], :process 1, :index 90, :isoscope/session \"a\"}\n"
            "{:type :invoke, :f :txn, :value [], :process 1, :index 91, :isoscope/session \"a\"}\n"
            "{:type :ok, :f :txn, :value [], :process 1, :index 92, :isoscope/session \"a\", "
            ":isoscope/name "
            "9223372036854775807}\n");
  expect_round_trip(history);
}

TEST(EdnWriter, ASessionGoesOnAsAnotherProcessAfterInfo) {
  const History history = built([](HistoryBuilder& b) {
    const SessionId zero = b.session(b.values().integer(0));
    b.begin_transaction(zero, b.values().integer(1));
    b.set_outcome(Outcome::indeterminate);
    b.write(b.key("x"), b.values().integer(1));
    b.begin_transaction(zero, b.values().integer(3));
  });
  EXPECT_EQ(write(history),
            "{:type :invoke, :f :txn, :value [[:w \"x\" 1]], :process 0, :index 0}\n"
            "{:type :info, :f :txn, :value [[:w \"x\" 1]], :process 0, :index 1}\n"
            "{:type :invoke, :f :txn, :value [], :process 1, :index 2, :isoscope/session 0}\n"
            "{:type :ok, :f :txn, :value [], :process 1, :index 3, :isoscope/session 0}\n");
  expect_round_trip(history);
}

TEST(EdnWriter, LinesAreInAnOrderThatTheTimesAllow) {
  // b overlaps a, c begins after a ended, d has no times, e begins after all of them.
  const History history = built([](HistoryBuilder& b) {
    const auto add = [&](int session, std::optional<std::int64_t> begin,
                         std::optional<std::int64_t> end) {
      b.begin_transaction(b.session(b.values().integer(session)));
      b.set_times(begin, end);
    };
    add(1, 10, 20);
    add(2, 15, 30);
    add(3, 25, 40);
    add(4, 41, 50);
    add(5, {}, {});
    add(4, 60, {});
  });
  std::string order;
  const std::string text = write(history);
  for (std::size_t at = 0; (at = text.find(":type :", at)) != std::string::npos; ++at) {
    const std::size_t process = text.find(":process ", at) + 9;
    order += std::string(text[at + 7] == 'i' ? "i" : "c") + text[process] + " ";
  }
  EXPECT_EQ(order, "i5 i1 i2 c1 i3 c2 c3 i4 c4 i4 c5 c4 ");
  expect_round_trip(history);
}

TEST(EdnWriter, RefusesWhatEdnCannotHold) {
  using B = HistoryBuilder;
  const auto refused = [](const std::function<void(B&)>& build) {
    return write(built([&](B& b) {
      b.begin_transaction(b.session(b.values().integer(1)), b.values().integer(12));
      build(b);
    }));
  };
  const auto in_t12 = [](const std::string& what) {
    return "EDN cannot hold " + what + " (transaction T12)";
  };
  EXPECT_EQ(refused([](B& b) { b.set_commit_stamp(7); }), in_t12("stamps of commits"));
  const auto two = [](B& b) { return b.values().integer(2); };
  const auto row = [](B& b) {
    const Column column{b.values().string("c"), ValuePool::nil};
    return b.values().row(std::span(&column, 1));
  };
  Predicate less{Predicate::Kind::less, "@value", {std::int64_t{1}}, {}};
  Predicate on_column{Predicate::Kind::equal, "c", {std::int64_t{1}}, {}};
  Predicate text_modulo{Predicate::Kind::modulo, "@value", {std::int64_t{2}, std::string("x")}, {}};
  Predicate modulo_0{Predicate::Kind::modulo, "@value", {std::int64_t{0}, std::int64_t{0}}, {}};
  Predicate bad_keyword{Predicate::Kind::equal, "@value", {std::string(": x")}, {}};
  const auto predicate_read = [](const Predicate& predicate) {
    return [&predicate](B& b) {
      b.add_predicate(OperationKind::predicate_read, B::default_table, b.predicate(predicate),
                      std::span<const RowVersion>());
    };
  };
  const std::string predicates = in_t12("predicates other than true, = and mod on the value");
  const std::string starts = ", which starts like a keyword or a collection and is none";

  EXPECT_EQ(refused([&](B& b) { b.write(b.key(1), row(b)); }),
            in_t12("a row or a list as a value"));
  EXPECT_EQ(refused([&](B& b) { b.append(b.key(1), row(b)); }),
            in_t12("a row or a list as a value"));
  EXPECT_EQ(refused([&](B& b) { b.write(b.key(1), ValuePool::empty_list); }),
            in_t12("a row or a list as a value"));
  EXPECT_EQ(refused([&](B& b) { b.write(b.key(1), b.values().string(": x")); }),
            in_t12("the string \": x\", which starts like a keyword and is none"));
  EXPECT_EQ(refused([&](B& b) { b.write(b.key(":x y"), two(b)); }),
            in_t12("key \":x y\"" + starts));
  EXPECT_EQ(refused([&](B& b) { b.write(b.key("[1  2]"), two(b)); }),
            in_t12("key \"[1  2]\"" + starts));
  EXPECT_EQ(refused([&](B& b) { b.write(b.key("[1"), two(b)); }), in_t12("key \"[1\"" + starts));
  EXPECT_EQ(refused([&](B& b) { b.write(b.key("[1] 2"), two(b)); }),
            in_t12("key \"[1] 2\"" + starts));
  EXPECT_EQ(refused([&](B& b) { b.write(b.key("#x"), two(b)); }), in_t12("key \"#x\"" + starts));
  EXPECT_EQ(refused([&](B& b) { b.write(b.key(two(b), b.table("t")), two(b)); }),
            in_t12("tables, such as t"));
  EXPECT_EQ(refused([&](B& b) {
              b.add_predicate(OperationKind::predicate_read, b.table("t"), b.predicate({}),
                              std::nullopt);
            }),
            in_t12("tables, such as t"));
  EXPECT_EQ(refused([&](B& b) {
              b.add_predicate(OperationKind::predicate_write, B::default_table, b.predicate({}),
                              std::nullopt);
            }),
            in_t12("predicate writes"));
  EXPECT_EQ(refused([&](B& b) {
              b.add_predicate(OperationKind::predicate_read, B::default_table, b.predicate({}),
                              std::nullopt);
            }),
            in_t12("a read without a result in a committed transaction"));
  EXPECT_EQ(refused([&](B& b) {
              const RowVersion nothing{b.key(1), ValuePool::nil};
              b.add_predicate(OperationKind::predicate_read, B::default_table, b.predicate({}),
                              std::span(&nothing, 1));
            }),
            in_t12("a predicate read of a row that does not exist"));
  EXPECT_EQ(refused([&](B& b) {
              const std::vector<RowVersion> rows(2, {b.key(1), two(b)});
              b.add_predicate(OperationKind::predicate_read, B::default_table, b.predicate({}),
                              rows);
            }),
            in_t12("a predicate read that returned a row twice"));
  EXPECT_EQ(refused(predicate_read(less)), predicates);
  EXPECT_EQ(refused(predicate_read(modulo_0)), predicates);
  EXPECT_EQ(refused(predicate_read(on_column)), predicates);
  EXPECT_EQ(refused(predicate_read(text_modulo)), predicates);
  EXPECT_EQ(refused(predicate_read(bad_keyword)),
            in_t12("the string \": x\", which starts like a keyword and is none"));
  EXPECT_EQ(refused([&](B& b) { b.read(b.key(1), ValuePool::unreported); }),
            in_t12("a read without a result in a committed transaction"));
  EXPECT_EQ(refused([&](B& b) {
              b.set_outcome(Outcome::aborted);
              b.read(b.key(1), ValuePool::nil);
            }),
            in_t12("a read of nil in a transaction that is not committed"));
  EXPECT_EQ(refused([&](B& b) {
              b.append(b.key(1), two(b));
              b.read(b.key(1), ValuePool::nil);
            }),
            in_t12("a read of nil where there are lists (it would be the empty list)"));
  EXPECT_EQ(refused([&](B& b) {
              b.append(b.key(1), two(b));
              b.read(b.key(2), ValuePool::nil);
            }),
            in_t12("a read of nil where there are lists (it would be the empty list)"));
  EXPECT_EQ(refused([&](B& b) {
              b.append(b.key(1), two(b));
              b.write(b.key(1), two(b));
            }),
            in_t12("both lists and plain values at key 1"));
  EXPECT_EQ(refused([&](B& b) { b.set_times(-1, {}); }),
            in_t12("the time -1, which stands for no time"));
  EXPECT_EQ(refused([&](B& b) {
              b.set_outcome(Outcome::indeterminate);
              b.set_times({}, 5);
            }),
            in_t12("the end time of an indeterminate transaction"));
  EXPECT_EQ(refused([&](B& b) { b.set_initial_default(std::nullopt); }),
            "EDN cannot hold a history without an initial state");
  EXPECT_EQ(refused([&](B& b) { b.set_initial(b.key(1), row(b)); }),
            "EDN cannot hold the initial value of key 1, which is a list or a row");
  EXPECT_EQ(refused([&](B& b) {
              b.append(b.key(1), two(b));
              b.set_initial(b.key(1), two(b));
            }),
            "EDN cannot hold the initial value of key 1, which is a list or a row");
  EXPECT_EQ(refused([&](B& b) { b.set_initial(b.key(1), b.values().string("::")); }),
            "EDN cannot hold the initial value of key 1");
  EXPECT_EQ(refused([&](B& b) { b.set_initial(b.key("("), two(b)); }),
            "EDN cannot hold key \"(\"" + starts);
  EXPECT_EQ(refused([&](B& b) { b.set_initial(b.key(two(b), b.table("t")), two(b)); }),
            "EDN cannot hold tables");
  EXPECT_EQ(refused([&](B& b) { b.add_session(); }),
            "EDN cannot hold session 2, which has no transactions");
}

TEST(EdnWriter, PassesOnWhatTheSinkSays) {
  class Broken : public ByteSink {
    Status write(std::string_view) override { return Error{"disk full"}; }
  } broken;
  const History history = built([](HistoryBuilder& b) { b.begin_transaction(b.add_session()); });
  const Status status = write_edn(history, broken);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().what, "disk full");
}

TEST(EdnWriter, RandomHistoriesComeBackAsTheyWere) {
  test::HistoryFeatures features;
  features.rows = features.tables = features.empty_sessions = features.origin = false;
  features.updates = false;
  features.stamps = features.cuts = false;
  features.levels = false;
  std::size_t written = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    // What is often refused must not stand in the way of the rest in every history.
    features.predicates = seed % 8 == 0;
    features.unreported = seed % 4 == 0;
    features.lists = seed % 2 == 0;
    features.nil_values = seed % 3 == 0;
    features.wild_strings = seed % 5 != 0;
    features.initial_default = seed % 7 == 0;
    const History history = test::random_history(seed, features);
    const std::string text = write(history);
    if (text.starts_with("EDN cannot hold")) continue;
    ++written;
    ASSERT_EQ(dump(read(text)), dump(history)) << "seed " << seed << "\n" << text;
  }
  EXPECT_GT(written, 300U);
}

TEST(EdnWriter, TheHistoriesOfElleComeBackAsTheyWere) {
  const std::filesystem::path folder = std::filesystem::path(ISOSCOPE_HISTORIES_DIR) / "elle";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared histories at " << folder;
  for (const char* name :
       {"huge-scc.edn", "paper-example.edn", "rw-register.edn", "si-without-g-single.edn"}) {
    const Result<Source> source = Source::open((folder / name).string());
    ASSERT_TRUE(source) << source.error().text();
    const Result<History> history = read_edn(*source, {});
    ASSERT_TRUE(history) << history.error().text();
    const std::string text = write(*history);
    EXPECT_EQ(dump(read(text)), dump(*history)) << name;
  }
}

}  // namespace
}  // namespace isoscope::format
