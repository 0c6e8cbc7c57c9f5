#include "history/native_text.h"

namespace isoscope {
namespace {

using namespace test;

TEST(NativeLevels, LevelsOfTransactionsSessionsAndAll) {
  const std::string transactions =
      "{\"session\":\"a\",\"id\":1,\"level\":\"RC\",\"ops\":[]}\n"
      "{\"session\":\"a\",\"id\":2,\"ops\":[]}\n"
      "{\"session\":\"b\",\"id\":3,\"ops\":[]}\n";
  const auto levels = [&](const std::string& header_member) {
    const History history = good("{\"isoscope-history\":1" + header_member + "}\n" + transactions);
    std::string text;
    for (const TransactionId t : history.transactions()) {
      const auto level = history.recorded_level(t);
      text += std::string(level ? name_of(*level) : "-") + " ";
    }
    return text;
  };
  EXPECT_EQ(levels(""), "read-committed - - ");
  EXPECT_EQ(levels(",\"levels\":\"Snapshot Isolation\""),
            "read-committed snapshot-isolation snapshot-isolation ");
  EXPECT_EQ(levels(",\"levels\":{\"sessions\":[[\"a\",\"SI\"]]}"),
            "read-committed snapshot-isolation - ");
  EXPECT_EQ(levels(",\"levels\":{\"sessions\":[[\"b\",\"SI\"]],\"default\":\"causal\"}"),
            "read-committed causal snapshot-isolation ");
  const History listed = good(
      "{\"isoscope-history\":1,\"levels\":{\"sessions\":[[\"b\",\"SI\"]]},"
      "\"sessions\":[\"a\",\"b\"]}\n" +
      transactions);
  EXPECT_EQ(listed.session_count(), 2U) << "sessions are listed first, whatever member comes first";
  EXPECT_FALSE(good(header + "{\"session\":1,\"ops\":[]}").has_recorded_levels());
  EXPECT_EQ(written(good("{\"isoscope-history\":1,\"levels\":\"SI\"}\n" + transactions)),
            "{\"isoscope-history\":1,\"initial\":\"nil\",\"levels\":\"snapshot-isolation\"}\n"
            "{\"session\":\"a\",\"id\":1,\"level\":\"read-committed\",\"ops\":[]}\n"
            "{\"session\":\"a\",\"id\":2,\"ops\":[]}\n"
            "{\"session\":\"b\",\"id\":3,\"ops\":[]}\n");
}

TEST(NativeLevels, LevelsAreChecked) {
  EXPECT_EQ(line_error("{\"session\":1,\"level\":\"serialisable\",\"ops\":[]}"),
            "h:2:22: unknown level 'serialisable'; did you mean serializable? 'isoscope levels' "
            "lists them all");
  EXPECT_EQ(line_error("{\"session\":1,\"level\":\"PL-3\",\"ops\":[]}"),
            "h:2:22: 'PL-3' leaves out session order, which one transaction cannot; write "
            "serializable here, and check with --session-order off");
  EXPECT_EQ(line_error("{\"session\":1,\"level\":3,\"ops\":[]}"),
            "h:2:22: expected the name of a level, found 3");
  const auto header_error = [](const std::string& levels) {
    return error_of("{\"isoscope-history\":1,\"levels\":" + levels + "}");
  };
  EXPECT_EQ(header_error("7"),
            "h:1:32: expected the levels: the name of one, or "
            "{\"default\":LEVEL,\"sessions\":[[SESSION,LEVEL],...]}, found 7");
  EXPECT_EQ(header_error("\"SIX\""),
            "h:1:32: unknown level 'SIX'; did you mean SI? 'isoscope levels' lists them all");
  EXPECT_EQ(header_error("{\"all\":\"SI\"}"),
            "h:1:33: expected \"default\" or \"sessions\", found \"all\"");
  EXPECT_EQ(header_error("{\"sessions\":[[\"a\"]]}"),
            "h:1:49: expected the name of a level, found ]");
  EXPECT_EQ(header_error("{\"sessions\":[[\"a\",\"SI\"],[\"a\",\"SI\"]]}"),
            "h:1:57: expected each session once, found \"a\" again");
  EXPECT_EQ(header_error("{\"sessions\":[[null,\"SI\"]]}"),
            "h:1:46: expected an integer or a string, found null");
}

}  // namespace
}  // namespace isoscope
