#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isoscope::record {

/// A database as the user names it, taken apart:
///
///   postgresql://ann:secret@db.example:5432/shop?sslmode=require
///   mariadb://root@localhost/test?socket=/tmp/my.sock
///   sqlite:bank.db            exec:python3 serve.py           snapshot-isolation
///
/// %XX is decoded everywhere but in `text` and `shown`.
struct ConnectionString {
  std::string text;    ///< as it was typed, with the password if it has one
  std::string shown;   ///< the same with *** for every password: this may be printed
  std::string scheme;  ///< "postgresql"; empty: the name of an embedded store
  /// What stands behind "scheme:" where it is not "//": a file, a command; or the name of a store.
  std::string rest;
  // What stands behind "scheme://".
  std::string user;
  std::string password;
  std::string host;
  std::string port;
  std::string path;  ///< without the first slash: mostly the name of a database
  std::vector<std::pair<std::string, std::string>> parameters;

  /// The parameter's value; `otherwise` where it is not given.
  std::string_view parameter(std::string_view name, std::string_view otherwise = {}) const {
    for (const auto& [key, value] : parameters) {
      if (key == name) return value;
    }
    return otherwise;
  }
};

}  // namespace isoscope::record
