#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace isoscope::format {

/// What dbcop writes at the top of a history: how it was generated, of what, and when. None of it
/// changes what the history means, so it is kept in the origin of the History, where a later export
/// to bincode finds it again.
struct DbcopHeader {
  // As the generator was asked for: transactions per session, events per transaction. Converted
  // files have totals here, or 0.
  std::uint64_t id = 0;
  std::uint64_t n_node = 0;
  std::uint64_t n_variable = 0;
  std::uint64_t n_transaction = 0;
  std::uint64_t n_event = 0;
  std::string info;
  std::string start;
  std::string end;

  bool operator==(const DbcopHeader&) const = default;
};

/// The header as an origin, all on one line:
///
///   dbcop {"id":3,"n_node":2,"n_variable":9,"n_transaction":30,"n_event":20,
///          "info":"Galera","start":"..","end":".."}
///
/// Numbers of 64 bits stand there as signed ones. The texts must be valid UTF-8.
std::string origin_of(const DbcopHeader& header);

/// The header an origin was made of; nothing for any other origin.
std::optional<DbcopHeader> header_from_origin(const std::string& origin);

}  // namespace isoscope::format
