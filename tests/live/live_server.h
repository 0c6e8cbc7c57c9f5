#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "isoscope/record/plug_in.h"
#include "isoscope/servers/server.h"

// Tests with a real server. It is started when the first test of a program needs it, and there is
// one ctest for all tests of a database, so a run of the tests starts it once.

namespace isoscope::live {

/// The driver that was built.
inline record::SqlDriver& driver_in(const char* path) {
  void* const object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) throw std::runtime_error(dlerror());
  const auto* const plug_in = static_cast<const record::PlugIn*>(dlsym(object, "isoscope_plug_in"));
  return *plug_in->sql;
}

/// The server of this program, with its driver.
class LiveServer {
 public:
  LiveServer(servers::ServerKind kind, const char* driver) : driver_(driver_in(driver)) {
    auto started = servers::Server::start({.kind = kind, .version = {}, .settings = {}},
                                          Limits::none(), Progress::silent());
    if (!started) throw std::runtime_error(started.error().text());
    server_.emplace(*std::move(started));
  }

  record::SqlDriver& driver_of() { return driver_; }

  /// What the drivers look at of the connection string.
  record::ConnectionString string() const {
    record::ConnectionString parts;
    parts.text = server_->connection_string();
    parts.shown = parts.text;
    const std::size_t socket = parts.text.find("socket=");
    if (socket != std::string::npos) {
      parts.scheme = "mariadb";
      parts.user = "root";
      parts.host = "localhost";
      parts.path = "isoscope";
      parts.parameters = {{"socket", parts.text.substr(socket + 7)}};
    }
    return parts;
  }

  /// A client at this level, which must exist.
  std::unique_ptr<record::SqlClient> client(const std::string& level) {
    const auto levels = driver_.levels(string());
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (levels[i].name != level) continue;
      std::unique_ptr<record::SqlClient> client;
      const record::Completion done = driver_.connect(string(), i, client);
      EXPECT_TRUE(done) << done.message;
      return client;
    }
    throw std::runtime_error("no level " + level);
  }

 private:
  record::SqlDriver& driver_;
  std::optional<servers::Server> server_;
};

/// A client with the statements of a test, which are used once or again.
class Session {
 public:
  explicit Session(std::unique_ptr<record::SqlClient> client) : client_(std::move(client)) {}

  record::SqlClient& client() { return *client_; }
  record::Completion execute(const std::string& sql, std::vector<record::SqlCell> parameters = {}) {
    const auto [place, is_new] =
        numbers_.try_emplace(sql, static_cast<std::uint32_t>(numbers_.size()));
    return client_->execute({place->second, sql}, parameters, rows_);
  }
  const record::SqlRows& rows() const { return rows_; }
  /// The only cell of the only row that a query returns.
  std::int64_t number(const std::string& sql) {
    const record::Completion done = execute(sql);
    EXPECT_TRUE(done) << sql << ": " << done.message;
    if (!done || rows_.size() != 1) return -1;
    return rows_.at(0, 0).integer;
  }
  /// Runs a statement that may have to wait, in a thread of its own.
  std::future<record::Completion> in_background(const std::string& sql) {
    return std::async(std::launch::async, [this, sql] { return execute(sql); });
  }
  void must(const record::Completion& done) { EXPECT_TRUE(done) << done.message; }
  void run(const std::string& sql) { must(client_->run(sql)); }
  void begin() { must(client_->begin()); }

 private:
  std::unique_ptr<record::SqlClient> client_;
  std::map<std::string, std::uint32_t> numbers_;
  record::SqlRows rows_;
};

inline void expect_trouble(const record::Completion& done, record::Trouble trouble, bool is_certain,
                           const std::string& message) {
  EXPECT_EQ(static_cast<int>(done.trouble), static_cast<int>(trouble)) << done.message;
  EXPECT_EQ(done.is_certain, is_certain) << done.message;
  EXPECT_NE(done.message.find(message), std::string::npos) << done.message;
  EXPECT_EQ(done.message.find('\n'), std::string::npos) << done.message;
}

}  // namespace isoscope::live
