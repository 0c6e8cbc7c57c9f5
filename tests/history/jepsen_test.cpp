#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "history/format/jepsen/formats.h"
#include "history/jepsen_dump.h"

namespace isoscope::format {
namespace {

/// The history as text, or the error.
std::string read(const std::string& text) {
  const Result<History> history = read_edn(Source::from_memory("f", text), {});
  return history ? dump(*history) : history.error().text();
}

TEST(Jepsen, PairsInvocationsWithCompletions) {
  EXPECT_EQ(read(R"(
{:process 0 :type :invoke :f :txn :index 0 :time 10 :value [[:append 7 1] [:r 8 nil]]}
{:process 1 :type :invoke :f :txn :index 1 :time 12 :value [[:append 8 2]]}
{:process 0 :type :ok     :f :txn :index 2 :time 25 :value [[:append 7 1] [:r 8 [3 4]]]}
{:process 1 :type :fail   :f :txn :index 3 :time 26 :value [[:append 8 2]] :error [:conflict "x"]}
{:process 0 :type :invoke :f :txn :index 4 :time 27 :value [[:append 7 5] [:r 7 nil]]}
{:process 0 :type :info   :f :txn :index 5 :time 30 :value [[:append 7 5] [:r 7 nil]] :error :timeout}
)"),
            "0: T2 committed 10..25 append(7,1) list read(8,[3 4])\n"
            "1: T3 aborted 12..26 append(8,2)\n"
            "0: T5 indeterminate 27..? append(7,5) read(7,?)\n");
}

TEST(Jepsen, ReadsOneEnclosingFormLikeLines) {
  const std::string lines =
      "{:type :ok :process 0 :value [[:w 1 2]]}\n{:type :ok :process 1 :value [[:r 1 2]]}";
  EXPECT_EQ(read(lines), "0: T1 committed write(1,2)\n1: T2 committed read(1,2)\n");
  EXPECT_EQ(read("[" + lines + "]"), read(lines));
  EXPECT_EQ(read("(" + lines + ")"), read(lines));
  EXPECT_EQ(read("; comment\n#_{:type :foo}" + lines), read(lines));
  EXPECT_EQ(read("[]"), "");
}

TEST(Jepsen, ReadsTaggedOperations) {
  EXPECT_EQ(
      read(
          "#jepsen.history.Op{:type :ok, :process 0, :value [[:w 1 2]], :at #inst \"2020-01-01\"}"),
      "0: T1 committed write(1,2)\n");
}

TEST(Jepsen, PassesOverTheNemesis) {
  EXPECT_EQ(read(R"(
{:type :info, :f :kill, :value :all, :process :nemesis, :time 89, :index 1}
{:type :info, :f :kill, :value {"n1" 1.5}, :process :nemesis, :error #object[Foo 0x1f "x"]}
{:process "admin" :anything 1}
{:type :ok, :process 3, :value [[:w 1 2]]})"),
            "3: T1 committed write(1,2)\n");
}

TEST(Jepsen, OperationsWithoutProcessAreSessionsOfTheirOwn) {
  EXPECT_EQ(read(R"(
{:index 0 :type :invoke :value [[:append 1 1]]}
{:index 1 :type :ok :value [[:append 1 1]]}
{:index 2 :type :invoke :value [[:r 1 nil]]}
{:index 3 :type :ok :value [[:r 1 [1]]]})"),
            "1: T1 committed append(1,1)\n2: T3 committed list read(1,[1])\n");
  EXPECT_EQ(
      read("{:process nil :type :ok :value [[:w 1 1]]} {:type :ok :process 1 :value [[:w 1 2]]}"),
      "2: T1 committed write(1,1)\n1: T2 committed write(1,2)\n");
}

TEST(Jepsen, CompletionsWithoutInvocations) {
  EXPECT_EQ(read("{:process 0 :type :ok :index 4 :time 9 :value [[:w 1 1]]}"
                 "{:process 0 :type :info :index 5 :time 10 :value [[:w 1 2] [:r 1 nil]]}"
                 "{:process 0 :type :fail :index 6 :time 11 :value [[:w 1 3]]}"),
            "0: T4 committed ?..9 write(1,1)\n"
            "0: T5 indeterminate write(1,2) read(1,?)\n"
            "0: T6 aborted ?..11 write(1,3)\n");
}

TEST(Jepsen, InvocationsWithoutCompletionsAreIndeterminate) {
  EXPECT_EQ(read("{:process 5 :type :invoke :index 7 :time 3 :value [[:w 1 1] [:r 2 9]]}"
                 "{:process 2 :type :invoke :value [[:w 1 2] [:rp :true nil]]}"
                 "{:process 3 :type :ok :index 8 :value [[:w 1 3]]}"),
            "3: T8 committed write(1,3)\n"
            "5: T7 indeterminate 3..? write(1,1) read(2,?)\n"
            "2: T1 indeterminate write(1,2) predicate read(true,?)\n");
}

TEST(Jepsen, AProcessMayGoOnAfterInfo) {
  EXPECT_EQ(
      read("{:process 0 :type :invoke :value [[:w 1 1]]} {:process 0 :type :info :value [[:w 1 1]]}"
           "{:process 0 :type :invoke :value [[:w 1 2]]} {:process 0 :type :ok :value [[:w 1 2]]}"),
      "0: T1 indeterminate write(1,1)\n0: T2 committed write(1,2)\n");
}

TEST(Jepsen, FailedOperationsMayLogNoValue) {
  EXPECT_EQ(read("{:process 0 :type :invoke :f :txn :value [[:w 1 1] [:r 2 nil]]}"
                 "{:process 0 :type :fail :f :txn :value nil}"
                 "{:process 0 :type :invoke :f :txn :value [[:w 1 2] [:rp [:= 1] nil]]}"
                 "{:process 0 :type :info :f :txn}"),
            "0: T1 aborted write(1,1) read(2,?)\n"
            "0: T2 indeterminate write(1,2) predicate read([\"=\",\"@value\",1],?)\n");
}

TEST(Jepsen, KeepsWhatFailedOperationsReported) {
  EXPECT_EQ(read("{:process 0 :type :fail :value [[:r 1 5] [:r 2 nil] [:r 3]]}"
                 "{:process 0 :type :info :value [[:r 4 []] [:rp :true {1 5}] [:rp :true nil] [:rp "
                 ":true]]}"),
            "0: T1 aborted read(1,5) read(2,?) read(3,?)\n"
            "0: T2 indeterminate list read(4,[]) predicate read(true,1=5) predicate read(true,?) "
            "predicate read(true,?)\n");
}

TEST(Jepsen, InvocationsMayLeaveOutOrForetellResults) {
  EXPECT_EQ(read("{:process 0 :type :invoke :value [[:r x] [:r y [1 2.5]] [:rp :true]]}"
                 "{:process 0 :type :ok :value [[:r x nil] [:r y 1] [:rp :true {}]]}"),
            "0: T1 committed read('x',nil) read('y',1) predicate read(true)\n");
}

TEST(Jepsen, TimesAndIndicesMayBeMissing) {
  EXPECT_EQ(read("{:process 0 :type :invoke :time -1 :index -1 :value []}"
                 "{:process 0 :type :ok :time nil :index nil :value []}"
                 "{:process 0 :type :invoke :value []}"
                 "{:process 0 :type :ok :time 5 :index 1 :value []}"),
            "0: T2 committed\n0: T1 committed ?..5\n");
}

TEST(Jepsen, NilIsTheEmptyListWhereTheKeyHoldsLists) {
  // Key 1 turns out to hold lists only in the last line; nothing is known of key 2; key 3 is a
  // register.
  EXPECT_EQ(read("{:process 0 :type :ok :value [[:r 1 nil] [:r 2 nil] [:r 3 nil]]}"
                 "{:process 1 :type :ok :value [[:append 1 5] [:w 3 1]]}"),
            "0: T1 committed list read(1,[]) list read(2,[]) read(3,nil)\n"
            "1: T2 committed append(1,5) write(3,1)\n");
  // A list that was read says the same as an append.
  EXPECT_EQ(read("{:process 0 :type :ok :value [[:r 1 nil] [:r 2 []]]}"),
            "0: T1 committed list read(1,[]) list read(2,[])\n");
  // No lists anywhere: registers.
  EXPECT_EQ(read("{:process 0 :type :ok :value [[:r 1 nil] [:w 2 nil]]}"),
            "0: T1 committed read(1,nil) write(2,nil)\n");
}

TEST(Jepsen, KeysAndValuesOfEveryKind) {
  EXPECT_EQ(read("{:process 0 :type :ok :value [[:w -9223372036854775808 9223372036854775807] [:w "
                 "\"k\" \"v\"]"
                 "[:w :k :v] [:w [1 ,:a (\"b\" nil)] 5N] [:append (7) \"[x\"] [:r (7) (\"[x\" :y "
                 "nil -1)]]}"),
            "0: T1 committed write(-9223372036854775808,9223372036854775807) write('k','v') "
            "write(':k',':v') write('[1 :a [\"b\" nil]]',5) append('[7]','[x') "
            "list read('[7]',['[x' ':y' nil -1])\n");
}

TEST(Jepsen, ClosedPredicateWorkload) {
  EXPECT_EQ(
      read(R"(
{:process 0, :type :invoke, :f :init, :value {:x 0, :y 0}}
{:process 0, :type :ok,     :f :init, :value {:y 0, :x 0}}
{:process 0, :type :invoke, :f :txn, :value [[:rp [:= 0] nil]    [:w :x 1] [:delete :y]]}
{:process 0, :type :ok,     :f :txn, :value [[:rp [:= 0] {:x 0}] [:w :x 1] [:delete :y]]}
{:process 1, :type :ok,     :f :txn, :value [[:rp [:mod 3 -1] {:y "s" :x 2}] [:insert :z :v] [:r :x nil] [:rp [:= :v] {}] [:rp [:= nil] {}]]}
)"),
      "initial ':x'=0\ninitial ':y'=0\n"
      "0: T1 committed predicate read([\"=\",\"@value\",0],':x'=0) write(':x',1) delete(':y',nil)\n"
      "1: T2 committed predicate read([\"mod\",\"@value\",3,-1],':y'='s',':x'=2) insert(':z',':v') "
      "read(':x',nil) predicate read([\"=\",\"@value\",\":v\"]) predicate "
      "read([\"=\",\"@value\",null])\n");
  EXPECT_EQ(read("{:type :ok :process 9 :f :init :value {1 5 2 nil}} {:type :ok :process 9 :value "
                 "[[:r 2 nil]]}"),
            "initial 1=5\n9: T1 committed read(2,nil)\n");
}

TEST(Jepsen, LongForkWorkload) {
  EXPECT_EQ(read("[{:type :invoke, :f :read, :value [[:r 0 nil] [:r 1 nil]]},"
                 "{:type :ok, :f :read, :value [[:r 0 1] [:r 1 nil]]},"
                 "{:type :invoke, :f :write, :value [[:w 0 1]]}, {:type :ok, :f :write, :value "
                 "[[:w 0 1]]}]"),
            "1: T1 committed read(0,1) read(1,nil)\n2: T2 committed write(0,1)\n");
}

TEST(Jepsen, NamesOfOurs) {
  EXPECT_EQ(read("{:process 0 :type :invoke :index 0 :isoscope/session \"a\" :value [[:w 1 1]]}"
                 "{:process 0 :type :info :index 1 :isoscope/name \"first\" :value [[:w 1 1]]}"
                 "{:process 1 :type :ok :index 2 :isoscope/session \"a\" :isoscope/name \"T7\" "
                 ":value [[:w 1 2]]}"
                 "{:process 2 :type :ok :index 3 :isoscope/session -4 :isoscope/name -5 :value "
                 "[[:w 1 3]]}"),
            "'a': first indeterminate write(1,1)\n'a': T7 committed write(1,2)\n-4: T-5 committed "
            "write(1,3)\n");
}

TEST(Jepsen, EndsWithAHistoryOrAnErrorWhereverTheFileIsCut) {
  const std::string text =
      "{:process 0 :type :invoke :f :init :value {:x 1}}\n{:process 0 :type :ok :f :init :value "
      "{:x 1}}\n"
      "{:process 0 :type :invoke :time 1 :index 2 :value [[:append \"k\" 1] [:r [1 2] nil] [:rp "
      "[:= 2] nil]]}\n"
      "{:process 0 :type :ok :time 2 :index 3 :value [[:append \"k\" 1] [:r [1 2] [1 -2]] [:rp [:= "
      "2] {:x 1}]]}\n"
      "{:process 1 :type :info :value [[:w :x 5]]}\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string found = read(text.substr(0, size));
    EXPECT_TRUE(!found.starts_with("f:") || found.find("expected") != std::string::npos) << found;
  }
}

TEST(Jepsen, LongListsCostTheirLengthOnce) {
  // 2,000 reads of one growing list: two million elements in the file, 2,000 lists in memory.
  std::string text;
  std::string list;
  for (int i = 0; i < 2000; ++i) {
    list += std::to_string(i) + " ";
    text += "{:process 0 :type :ok :value [[:append 1 " + std::to_string(i) + "] [:r 1 [" + list +
            "]]]}\n";
  }
  const Result<History> history = read_edn(Source::from_memory("f", text), {});
  ASSERT_TRUE(history) << history.error().text();
  EXPECT_EQ(history->operation_count(), 4000U);
  EXPECT_LT(history->values().size(), 8000U);
}

struct Counts {
  std::size_t sessions, committed, aborted, indeterminate, operations, keys;
  bool operator==(const Counts&) const = default;
};

void PrintTo(const Counts& c, std::ostream* out) {
  *out << c.sessions << ' ' << c.committed << ' ' << c.aborted << ' ' << c.indeterminate << ' '
       << c.operations << ' ' << c.keys;
}

Counts counts_of(const History& history) {
  Counts counts{history.session_count(), 0, 0, 0, history.operation_count(), history.key_count()};
  for (const TransactionId t : history.transactions()) {
    const Outcome outcome = history.outcome(t);
    ++(outcome == Outcome::committed ? counts.committed
       : outcome == Outcome::aborted ? counts.aborted
                                     : counts.indeterminate);
  }
  return counts;
}

TEST(Jepsen, ReadsTheHistoriesOfElle) {
  const std::filesystem::path folder = std::filesystem::path(ISOSCOPE_HISTORIES_DIR) / "elle";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared histories at " << folder;
  const auto load = [&](const char* name) {
    const Result<Source> source = Source::open((folder / name).string());
    EXPECT_TRUE(source) << source.error().text();
    Result<History> history = read_edn(*source, {});
    EXPECT_TRUE(history) << history.error().text();
    return *std::move(history);
  };
  // Counted by a script that knows nothing of this code.
  const History huge = load("huge-scc.edn");
  EXPECT_EQ(counts_of(huge), (Counts{173, 3036, 7070, 148, 25531, 106}));
  std::size_t appends = 0, list_reads = 0, empty_reads = 0, elements = 0, unreported = 0;
  for (const TransactionId t : huge.transactions()) {
    for (const Operation& operation : huge.operations(t)) {
      appends += operation.kind() == OperationKind::append;
      unreported += operation.value() == ValuePool::unreported;
      if (operation.kind() != OperationKind::list_read) continue;
      ++list_reads;
      empty_reads += operation.value() == ValuePool::empty_list;
      elements += huge.values().list_size(operation.value());
    }
  }
  EXPECT_EQ(appends, 12594U);
  EXPECT_EQ(list_reads, 3806U);
  EXPECT_EQ(empty_reads, 73U);
  EXPECT_EQ(elements, 118259U);
  EXPECT_EQ(unreported, 12937U - 3806U);

  EXPECT_EQ(counts_of(load("paper-example.edn")), (Counts{4, 4, 0, 0, 19, 4}));
  EXPECT_EQ(dump(load("rw-register.edn")),
            "0: T2 committed write(':x',2)\n0: T4 committed read(':x',3)\n0: T6 committed "
            "read(':x',2)\n");
  EXPECT_EQ(dump(load("si-without-g-single.edn")),
            "2: T11 committed 0..0 append(9,2)\n"
            "4: T21 committed 0..0 append(8,1) list read(9,[])\n"
            "7: T31 committed 0..0 list read(6,[]) list read(8,[]) append(9,5)\n"
            "9: T41 committed 0..0 append(6,2) list read(9,[2])\n");
}

TEST(Jepsen, AnIndexThatIsTakenNamesNothing) {
  const Source source =
      Source::from_memory("f",
                          "{:type :ok :process 0 :index 3 :value [[:w 1 1]]}\n{:type :ok :process "
                          "1 :index 3 :value [[:r 1 1]]}\n");
  const auto history = read_edn(source, {});
  ASSERT_TRUE(history);
  EXPECT_EQ(dump(*history), "0: T3 committed write(1,1)\n1: T1 committed read(1,1)\n");
}

TEST(Jepsen, IsRecognisedByContent) {
  const auto looks = [](const std::string& text) {
    const Source source = Source::from_memory("f", text);
    return looks_like_edn(Head{text, source});
  };
  for (const std::string text :
       {"{:type :ok}", " [ {:a 1}]", "({ :a 1})", "()", "; c\n;d\n{,:a 1}",
        "#jepsen.history.Op{:a 1}", "[#jepsen.history.Op {:a 1}]", "\xEF\xBB\xBF{:a 1}"}) {
    EXPECT_TRUE(looks(text)) << text;
  }
  for (const std::string text : {"", "{", "[", "{\"a\":1}", "[{\"a\":1}]", "[x:=1 y:=2]", "w 0 0",
                                 "r(0,1,2,3)", "a: T1 w(x,1)", ";", "#", "[[]]", "[]"}) {
    EXPECT_FALSE(looks(text)) << text;
  }
}

}  // namespace
}  // namespace isoscope::format
