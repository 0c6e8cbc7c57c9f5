#pragma once

#include <string>

#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/report/verdict_report.h"
#include "live/live_server.h"

namespace isoscope::live {

/// Two transactions on the table t(k, v) that a test runs step by step, and what came of them as a
/// history. A step after trouble does nothing, as the transaction is rolled back then.
class Story {
 public:
  /// The table has x and y, both 0.
  Story(LiveServer& server, const std::string& level, const std::string& before_all = {}) {
    Session first(server.client(level));
    for (const char* const sql :
         {"DROP TABLE IF EXISTS t", "CREATE TABLE t (k VARCHAR(10) PRIMARY KEY, v BIGINT)",
          "INSERT INTO t VALUES ('x', 0), ('y', 0)"})
      first.run(sql);
    for (Teller& teller : tellers_) {
      teller.session.emplace(server.client(level));
      if (!before_all.empty()) teller.session->run(before_all);
      teller.session->begin();
    }
  }

  enum Who { a, b };

  Story& read(Who who, const std::string& key) {
    Teller& teller = tellers_[who];
    if (!is_going_on(teller, teller.session->execute("SELECT v FROM t WHERE k = '" + key + "'")))
      return *this;
    teller.operations +=
        " r(" + key + "," + std::to_string(teller.session->rows().at(0, 0).integer) + ")";
    return *this;
  }
  Story& write(Who who, const std::string& key, int value) {
    Teller& teller = tellers_[who];
    const std::string number = std::to_string(value);
    if (!is_going_on(teller, teller.session->execute("UPDATE t SET v = " + number + " WHERE k = '" +
                                                     key + "'")))
      return *this;
    EXPECT_EQ(teller.session->rows().matched, 1);
    teller.operations += " w(" + key + "," + number + ")";
    return *this;
  }
  Story& commit(Who who) {
    Teller& teller = tellers_[who];
    if (!teller.is_over && is_going_on(teller, teller.session->client().commit()))
      teller.is_over = true;
    return *this;
  }

  /// In litmus notation, as it came out.
  std::string text() const {
    return "initial 0\na: T1" + told(tellers_[a]) + " | b: T2" + told(tellers_[b]) + "\n";
  }
  /// What stopped the transaction; empty if it committed.
  const std::string& trouble(Who who) const { return tellers_[who].trouble; }

  /// What the checker says of it.
  std::string verdict(LevelId level) const {
    const Source source = Source::from_memory("story", text());
    const auto history = read_history(source, {.format = Format::litmus});
    if (!history) return history.error().text();
    return report::verdict_text("story", *history, check(*history, Level{level, true}));
  }

 private:
  struct Teller {
    std::optional<Session> session;
    std::string operations;
    std::string trouble;
    bool is_over = false;
  };

  static std::string told(const Teller& teller) {
    return (teller.trouble.empty() ? "" : "!") + teller.operations;
  }

  static bool is_going_on(Teller& teller, const record::Completion& done) {
    if (teller.is_over) return false;
    if (done) return true;
    teller.is_over = true;
    teller.trouble = done.message;
    EXPECT_TRUE(done.is_certain) << done.message;
    EXPECT_TRUE(teller.session->client().rollback());
    return false;
  }

  Teller tellers_[2];
};

inline void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace isoscope::live
