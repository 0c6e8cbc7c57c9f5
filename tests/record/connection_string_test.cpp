#include "record/database/connection_string.h"

#include <gtest/gtest.h>

namespace isoscope::record {
namespace {

ConnectionString parsed(std::string_view text) {
  const auto result = parse_connection_string(text);
  EXPECT_TRUE(result) << (result ? "" : result.error().text());
  return result ? *result : ConnectionString{};
}

TEST(ConnectionString, TakesUrlsApart) {
  const ConnectionString url =
      parsed("postgresql://ann:s%2Fe%40c@db.example:5432/shop%20a?sslmode=require&x=%3D&y");
  EXPECT_EQ(url.scheme, "postgresql");
  EXPECT_EQ(url.user, "ann");
  EXPECT_EQ(url.password, "s/e@c");
  EXPECT_EQ(url.host, "db.example");
  EXPECT_EQ(url.port, "5432");
  EXPECT_EQ(url.path, "shop a");
  EXPECT_EQ(url.parameter("sslmode"), "require");
  EXPECT_EQ(url.parameter("x"), "=");
  EXPECT_EQ(url.parameter("y", "other"), "");
  EXPECT_EQ(url.parameter("z", "other"), "other");
  EXPECT_EQ(url.shown, "postgresql://ann:***@db.example:5432/shop%20a?sslmode=require&x=%3D&y");
}

TEST(ConnectionString, PartsMayBeLeftOut) {
  const ConnectionString socket = parsed("postgresql:///shop?host=/tmp/x");
  EXPECT_EQ(socket.host, "");
  EXPECT_EQ(socket.path, "shop");
  EXPECT_EQ(socket.parameter("host"), "/tmp/x");
  EXPECT_EQ(parsed("mariadb://root@localhost").user, "root");
  EXPECT_EQ(parsed("etcd://[::1]:2379").host, "[::1]");
  EXPECT_EQ(parsed("etcd://[::1]:2379").port, "2379");
}

TEST(ConnectionString, FilesCommandsAndStores) {
  EXPECT_EQ(parsed("sqlite:a/b.db?cache=shared").rest, "a/b.db");
  EXPECT_EQ(parsed("sqlite:a/b.db?cache=shared").parameter("cache"), "shared");
  EXPECT_EQ(parsed("exec:python3 x.py --url a://b?c=%zz").rest, "python3 x.py --url a://b?c=%zz");
  const ConnectionString store = parsed("snapshot-isolation");
  EXPECT_EQ(store.scheme, "");
  EXPECT_EQ(store.rest, "snapshot-isolation");
}

TEST(ConnectionString, NoPasswordIsShown) {
  for (const std::string_view text :
       {"postgresql://ann:geheim@h/d", "postgresql://ann:geh/geheim@h/d",
        "postgresql://ann:geh?geheim@h/d", "postgresql://h/d?user=a&password=geheim&x=1",
        "mariadb://h/d?passwd=geheim", "host=h password=geheim dbname=d",
        "host=h password='ge geheim' dbname=d", "postgresql://ann:%zzgeheim@h/d",
        "postgresql://ann:ge:geheim@h/d", "postgresql://ann:ge@geheim@h/d"}) {
    const auto result = parse_connection_string(text);
    const std::string shown = result ? result->shown : result.error().text();
    EXPECT_EQ(shown.find("geheim"), std::string::npos) << shown;
    EXPECT_NE(shown.find("***"), std::string::npos) << shown;
  }
}

TEST(ConnectionString, WrongEscapesAreErrorsOfUsage) {
  for (const std::string_view text :
       {"postgresql://a%2", "sqlite:%zz", "mariadb://h/?a=%", "postgresql://ann:a/b@h/d",
        "postgresql://ann:a?b@h/d", "mariadb://h:x"}) {
    const auto result = parse_connection_string(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().kind, ErrorKind::usage);
  }
}

}  // namespace
}  // namespace isoscope::record
