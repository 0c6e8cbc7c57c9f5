#include <gtest/gtest.h>

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

using Cases = std::vector<std::pair<std::string, std::string>>;

void expect_all(const Cases& cases) {
  for (const auto& [text, expected] : cases) EXPECT_EQ(read(text), expected) << text;
}

TEST(JepsenErrors, RefusesWhatIsNoOperation) {
  expect_all({
      {"5", "f:1:1: expected an operation such as {:type ...}, found 5"},
      {"[{:type :ok :value []} :x]", "f:1:24: expected an operation such as {:type ...}, found :x"},
      {"{}", "f:1:1: expected an operation with a :type"},
      {"\n {:value []}", "f:2:2: expected an operation with a :type"},
      {"{:type :okay}", "f:1:8: expected a :type of :invoke, :ok, :fail, :info, found :okay"},
      {"{:type \"ok\"}", "f:1:8: expected a :type of :invoke, :ok, :fail, :info, found \"ok\""},
      {"{:type :ok :type :ok}", "f:1:12: expected one :type, found another"},
      {"{:process 1.5}",
       "f:1:11: expected a :process: an integer, or a name such as :nemesis, found 1.5"},
      {"{:type :ok :time 1.5}", "f:1:18: expected a :time in whole nanoseconds, found 1.5"},
      {"{:type :ok :index :a}", "f:1:19: expected an integer as :index, found :a"},
      {"{:type :ok :isoscope/name :a}",
       "f:1:27: expected a transaction's name: an integer or a string, found :a"},
      {"{:type :ok :isoscope/session [1]}",
       "f:1:30: expected a session's name: an integer or a string, found a vector"},
      {"{:type :ok :f :txn}", "f:1:1: expected an operation with a :value"},
      {"{:type :ok :value {1 2}}", "f:1:19: expected a vector of micro-operations, found a map"},
  });
}

TEST(JepsenErrors, RefusesOtherWorkloads) {
  const std::string expected =
      "expected :f :txn with a :value of micro-operations (a list-append, rw-register or "
      "closed-predicate "
      "workload), found ";
  expect_all({
      {"{:type :invoke :f :transfer :value {:from 1 :to 2 :amount 5}}",
       "f:1:19: " + expected + ":transfer"},
      {"{:type :ok :f :read :value {1 10}}", "f:1:15: " + expected + ":read"},
      {"{:type :ok :f :read :value [1 2]}", "f:1:15: " + expected + ":read"},
      {"{:type :ok :f :read :value #{1 2}}", "f:1:15: " + expected + ":read"},
      {"{:type :ok :f :cas :value [1 2]}", "f:1:15: " + expected + ":cas"},
      {"{:type :invoke :f :add :value 1}", "f:1:19: " + expected + ":add"},
      {"{:type :invoke :f :acquire}", "f:1:19: " + expected + ":acquire"},
      {"{:type :invoke :f 5 :value nil}", "f:1:19: " + expected + "5"},
  });
}

TEST(JepsenErrors, RefusesBadMicroOperations) {
  const auto operation = [](const std::string& micro) {
    return "{:type :ok :value [" + micro + "]}";
  };
  const Cases cases = {
      {"5", "expected a micro-operation such as [:r 7 1], found 5"},
      {"[]", "expected a micro-operation such as [:r 7 1], found a vector"},
      {"[:append 1]", "expected a micro-operation :append of 3 elements, found 2"},
      {"[:append 1 2 3]", "expected a micro-operation :append of 3 elements, found 4"},
      {"[:delete 1 2]", "expected a micro-operation :delete of 2 elements, found 3"},
      {"[:r 1]", "expected the result of the read, found none"},
      {"[:rp :true]", "expected the rows that the predicate read returned, found none"},
      {"[:rp :true nil]", "expected the rows that the predicate read returned, found none"},
  };
  for (const auto& [micro, error] : cases) EXPECT_EQ(read(operation(micro)), "f:1:20: " + error);

  const std::string key =
      "expected a key: an integer of 64 bits, a string, a keyword, a symbol or a vector, found ";
  const std::string value =
      "expected a value to write: nil, an integer, a string or a keyword, found ";
  const std::string predicate = "expected a predicate: :true, [:= v] or [:mod m r], found ";
  const Cases inner = {
      {"[:cas 1 2]",
       "21: expected one of the micro-operations :append, :r, :w, :insert, :delete, :rp, found "
       ":cas"},
      {"[5 1 2]",
       "21: expected one of the micro-operations :append, :r, :w, :insert, :delete, :rp, found 5"},
      {"[:w 1.5 1]", "24: " + key + "1.5"},
      {"[:w 99999999999999999999 1]", "24: " + key + "99999999999999999999"},
      {"[:w nil 1]", "24: " + key + "nil"},
      {"[:w true 1]", "24: " + key + "true"},
      {"[:w \\a 1]", "24: " + key + "\\a"},
      {"[:w {} 1]", "24: " + key + "a map"},
      {"[:w #{} 1]", "24: " + key + "a set"},
      {"[:w #inst \"x\" 1]", "24: " + key + "a form tagged #inst"},
      {"[:w [1.5] 1]",
       "24: expected a key of at most 1 MiB made of nil, integers, strings, keywords and vectors"},
      {"[:w \":x\" 1]",
       "24: expected a key that does not start with ':', '[', '(', '{' or '#', found \":x\""},
      {"[:w \"[1]\" 1]",
       "24: expected a key that does not start with ':', '[', '(', '{' or '#', found \"[1]\""},
      {"[:w x 1] [:w \"y\" 1]", "33: expected either strings or symbols as keys, found both"},
      {"[:w 1 1.5]", "26: expected an integer of 64 bits, found 1.5"},
      {"[:w 1 18446744073709551616N]",
       "26: expected an integer of 64 bits, found 18446744073709551616N"},
      {"[:w 1 true]", "26: " + value + "true"},
      {"[:w 1 [2]]", "26: " + value + "a vector"},
      {"[:append 1 {}]", "31: " + value + "a map"},
      {"[:w 1 sym]", "26: " + value + "sym"},
      {"[:w 1 \":v\"]",
       "26: expected a string that does not start with ':' as keywords do, found \":v\""},
      {"[:r 1 #{2}]",
       "26: expected a list, or: nil, an integer, a string or a keyword, found a set"},
      {"[:r 1 [1 [2]]]",
       "29: expected an element of a list: nil, an integer, a string or a keyword, found a vector"},
      {"[:append 1 1] [:w 1 2]", "34: expected key 1 to hold lists as before, found a plain value"},
      {"[:w 1 2] [:append 1 2]",
       "29: expected key 1 to hold plain values as before, found a list or an append"},
      {"[:append \"k\" 1] [:r \"k\" 5]",
       "36: expected key \"k\" to hold lists as before, found a plain value"},
      {"[:r 1 [2]] [:delete 1]", "31: expected key 1 to hold lists as before, found a plain value"},
      {"[:rp :false {}]", "25: " + predicate + ":false"},
      {"[:rp [:= 1 2] {}]", "25: " + predicate + "a vector"},
      {"[:rp [:mod 0 2] {}]", "31: expected a positive integer of 64 bits, found 0"},
      {"[:rp [:mod 2 :a] {}]", "33: expected an integer of 64 bits, found :a"},
      {"[:rp :true [1]]", "31: expected a map from keys to values, found a vector"},
      {"[:rp :true {1 nil}]", "34: expected the value of a row that exists, found nil"},
      {"[:rp :true {1 [2]}]",
       "34: expected a row's value: nil, an integer, a string or a keyword, found a vector"},
      {"[:rp :true {1 2 3 4 1 3}]", "31: expected distinct keys, found 1 twice"},
  };
  for (const auto& [micro, error] : inner)
    EXPECT_EQ(read(operation(micro)), "f:1:" + error) << micro;
}

TEST(JepsenErrors, RefusesRepliesThatAreNotAboutTheRequest) {
  const auto reply = [](const std::string& asked, const std::string& answered) {
    return read("\n{:process 1 :type :invoke :value [" + asked +
                "]}\n{:process 1 :type :ok :value [" + answered + "]}");
  };
  EXPECT_EQ(reply("[:append 7 1]", "[:append 7 2]"),
            "f:3:31: expected [:append 7 1] as in the :invoke in line 2, found [:append 7 2]");
  EXPECT_EQ(reply("[:r 7 nil] [:r \"x\" nil]", "[:r 7 1] [:r :x 1]"),
            "f:3:40: expected [:r \"x\"] as in the :invoke in line 2, found [:r \":x\"]");
  EXPECT_EQ(reply("[:w 1 2]", "[:r 1 2]"),
            "f:3:31: expected [:w 1 2] as in the :invoke in line 2, found [:r 1]");
  EXPECT_EQ(reply("[:delete 1]", "[:delete 2]"),
            "f:3:31: expected [:delete 1] as in the :invoke in line 2, found [:delete 2]");
  EXPECT_EQ(reply("[:rp [:= 1] nil]", "[:rp [:= 2] {}]"),
            "f:3:31: expected the predicate as in the :invoke in line 2, found another one");
  EXPECT_EQ(reply("[:rp [:= 1] nil]", "[:w 1 nil]"),
            "f:3:31: expected [:rp ...] as in the :invoke in line 2, found [:w 1 nil]");
  EXPECT_EQ(reply("[:r 1 nil] [:r 2 nil]", "[:r 1 1]"),
            "f:3:30: expected 2 micro-operations as in the :invoke in line 2, found 1");
  EXPECT_EQ(read("{:process 1 :type :invoke :value [[:w 1 1]]}\n{:process 1 :type :ok}"),
            "f:2:1: expected an operation with a :value");
}

TEST(JepsenErrors, RefusesOperationsOutOfOrder) {
  const std::string invoke = "{:process 1 :type :invoke :value [[:w 1 1]] :time 7}\n";
  const std::string ok = "{:process 1 :type :ok :value [[:w 1 1]]}\n";
  expect_all({
      {invoke + "{:type :ok :process 2 :value []}\n" + invoke,
       "f:3:1: expected the completion of the :invoke in line 1, found another :invoke of process "
       "1"},
      {invoke + ok + ok, "f:3:1: expected an :invoke of process 1 before, found its :ok"},
      {"{:type :invoke :value []}\n{:type :invoke :value []}",
       "f:2:1: expected the completion of the :invoke in line 1, found another :invoke of no "
       ":process"},
      {invoke + "{:process 1 :type :fail :value [[:w 1 1]]\n :time 6}",
       "f:3:8: expected a :time of at least 7 as in the :invoke in line 1, found 6"},
  });
}

TEST(JepsenErrors, RefusesABadInitialState) {
  const std::string init = "{:process 0 :type :invoke :f :init :value {1 2}}\n";
  expect_all({
      {init, "f:1:1: expected an :ok for the :f :init"},
      {init + "{:process 0 :type :fail :f :init :value {1 2}}",
       "f:2:1: expected :f :init to be :ok, found :fail"},
      {init + "{:process 0 :type :info :f :init}",
       "f:2:1: expected :f :init to be :ok, found :info"},
      {init + "{:process 0 :type :ok :f :init :value {1 3}}",
       "f:2:39: expected the same keys and values as in the :invoke in line 1"},
      {init + "{:process 0 :type :ok :f :init}", "f:2:1: expected an operation with a :value"},
      {init + "{:process 0 :type :ok :f :txn :value [[:r 1 2]]}",
       "f:2:1: expected the completion of the :invoke in line 1, found one of another :f"},
      {"{:process 0 :type :invoke :f :txn :value []} {:process 0 :type :ok :f :init :value {}}",
       "f:1:46: expected the completion of the :invoke in line 1, found one of another :f"},
      {init + "{:process 1 :type :ok :value []} {:process 0 :type :ok :f :init :value {1 2}}",
       "f:2:34: expected :f :init only as the first operation, found it after others"},
      {"{:type :ok :value []} {:type :ok :f :init :value {}}",
       "f:1:23: expected :f :init only as the first operation, found it after others"},
      {"{:type :ok :f :init :value [1]}",
       "f:1:28: expected a map from keys to values, found a vector"},
      {"{:type :ok :f :init :value {1 2}} {:type :ok :value [[:append 1 3]]}",
       "f:1:54: expected key 1 to hold plain values as before, found a list or an append"},
  });
}

TEST(JepsenErrors, RefusesFolders) {
  const Source folder = Source::from_memory_folder("d", {{"a", "{:type :ok :value []}"}});
  EXPECT_EQ(read_edn(folder, {}).error().text(), "expected a file, found a folder: d");
}

TEST(JepsenErrors, PositionsAreRightFarIntoTheFile) {
  std::string text;
  for (int i = 0; i < 20000; ++i)
    text += "{:process " + std::to_string(i) + " :type :ok :value [[:w 1 2]]}\n";
  EXPECT_EQ(read(text + "  {:type :foo}"),
            "f:20001:10: expected a :type of :invoke, :ok, :fail, :info, found :foo");
  // An error at the start of something longer than the buffer.
  EXPECT_EQ(read(text + " \"" + std::string((16U << 20) + 1, 'a') + "\""),
            "f:20001:2: expected a form of at most 16 MiB of text, found a larger one");
  // The invocation is long gone.
  EXPECT_EQ(
      read("\n\n{:process -1 :type :invoke :value []}\n" + text + "{:process -1 :type :invoke}"),
      "f:20004:1: expected the completion of the :invoke in line 3, found another :invoke of "
      "process -1");
}

}  // namespace
}  // namespace isoscope::format
