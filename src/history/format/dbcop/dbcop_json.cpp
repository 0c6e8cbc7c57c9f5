#include <optional>

#include "history/format/dbcop/dbcop_header.h"
#include "history/format/dbcop/dbcop_versions.h"
#include "history/format/dbcop/formats.h"
#include "history/format/shared/json_value.h"
#include "history/format/shared/line_scanner.h"
#include "isoscope/base/json_reader.h"

/// dbcop's JSON since 2026, the whole object or only its "data", the sessions:
///
///   {"params":{"id":0,"n_node":2,...},"info":"..","start":"..","end":"..","data":[
///     [{"events":[{"Write":{"variable":0,"version":1}},{"Read":{"variable":1,"version":null}}],"committed":true}],
///     [{"events":[["r",0,1],["w",1,2]],"committed":false}]]}
///
/// The second transaction's events are in the compact form. docs/formats/dbcop.md
namespace isoscope::format {

namespace {

constexpr std::string_view expected_variable = "a variable, an integer or a string";

class Reader {
 public:
  Reader(ByteReader& input, const ReadOptions& options)
      : input_(input), options_(options), json_(input) {}

  Result<History> history();

 private:
  // Each returns false when json_ or stopped_ holds the error.
  bool whole_object();
  bool parameters();
  bool sessions();
  bool transaction();
  bool event();
  bool tagged_event();
  bool compact_event();
  std::optional<ValueId> version(OperationKind kind);
  bool text_into(std::string& to, std::string_view expected);
  /// An object has ended without a member.
  bool missing(std::string_view member) {
    return json_.fail_at(input_.offset() - 1,
                         "expected a member " + std::string(member) + ", found }");
  }
  bool next_element_of(std::string_view expected) {
    return json_.next_element() ||
           json_.fail_at(input_.offset() - 1, "expected " + std::string(expected) + ", found ]");
  }

  ByteReader& input_;
  const ReadOptions& options_;
  JsonReader json_;
  DbcopVersions versions_;
  DbcopHeader header_;
  std::optional<Error> stopped_;
};

std::optional<ValueId> Reader::version(OperationKind kind) {
  const bool may_be_null = kind == OperationKind::read;
  if (may_be_null && json_.peek() == JsonReader::Kind::null) {
    json_.null();
    return ValuePool::nil;
  }
  const std::optional<std::int64_t> number =
      json_.integer(may_be_null ? "a version or null" : "a version");
  if (!number) return std::nullopt;
  if (*number < 0) {
    json_.fail("expected a version of at least 0, found " + std::to_string(*number));
    return std::nullopt;
  }
  return versions_.values().integer(*number);
}

bool Reader::tagged_event() {
  if (!json_.begin_object()) return false;
  const std::optional<std::string_view> tag = json_.next_member();
  if (!tag) return json_.failed() ? false : missing("\"Read\" or \"Write\"");
  const OperationKind kind = *tag == "Write" ? OperationKind::write : OperationKind::read;
  if (*tag != "Write" && *tag != "Read") return json_.fail_found("\"Read\" or \"Write\"", *tag);
  if (!json_.begin_object("an object with \"variable\" and \"version\"")) return false;
  std::optional<ValueId> variable;
  std::optional<ValueId> seen;
  while (const std::optional<std::string_view> member = json_.next_member()) {
    if (*member == "variable") {
      variable = read_json_name(json_, versions_.values(), expected_variable);
    } else if (*member == "version") {
      seen = version(kind);
    } else {
      json_.skip_value();
    }
  }
  if (json_.failed()) return false;
  if (!variable) return missing("\"variable\"");
  if (!seen) return missing("\"version\"");
  if (json_.next_member())
    return json_.fail("expected one of Read and Write, found another member");
  versions_.add(kind, *variable, *seen);
  return !json_.failed();
}

bool Reader::compact_event() {
  constexpr std::string_view expected_tag = "\"r\" or \"w\"";
  json_.begin_array();
  if (!next_element_of(expected_tag)) return false;
  const std::optional<std::string_view> tag = json_.string(expected_tag);
  if (!tag) return false;
  const OperationKind kind = *tag == "w" ? OperationKind::write : OperationKind::read;
  if (*tag != "w" && *tag != "r") return json_.fail_found(expected_tag, *tag);
  if (!next_element_of("a variable")) return false;
  const std::optional<ValueId> variable =
      read_json_name(json_, versions_.values(), expected_variable);
  if (!variable || !next_element_of("a version")) return false;
  const std::optional<ValueId> seen = version(kind);
  if (!seen) return false;
  if (json_.next_element()) return json_.fail_expected("']' after the version");
  versions_.add(kind, *variable, *seen);
  return !json_.failed();
}

bool Reader::event() {
  switch (json_.peek()) {
    case JsonReader::Kind::object:
      return tagged_event();
    case JsonReader::Kind::array:
      return compact_event();
    default:
      return json_.fail_expected(
          "an event: {\"Read\":..}, {\"Write\":..}, [\"r\",..] or [\"w\",..]");
  }
}

bool Reader::transaction() {
  if (Status going = keep_going(options_, input_); !going) {
    stopped_ = going.error();
    return false;
  }
  if (!json_.begin_object("a transaction, an object")) return false;
  versions_.begin_transaction();
  bool has_events = false;
  std::optional<bool> committed;
  while (const std::optional<std::string_view> member = json_.next_member()) {
    if (*member == "events") {
      if (has_events) return json_.fail("expected \"events\" once, found it again");
      has_events = true;
      if (!json_.begin_array("an array of events")) return false;
      while (json_.next_element()) {
        if (!event()) return false;
      }
    } else if (*member == "committed") {
      committed = json_.boolean();
    } else {
      json_.skip_value();
    }
  }
  if (json_.failed()) return false;
  if (!has_events) return missing("\"events\"");
  if (!committed) return missing("\"committed\"");
  if (!*committed) versions_.set_aborted();
  return true;
}

bool Reader::sessions() {
  if (!json_.begin_array("an array of sessions")) return false;
  while (json_.next_element()) {
    if (!json_.begin_array("a session, an array of transactions")) return false;
    versions_.begin_session();
    while (json_.next_element()) {
      if (!transaction()) return false;
    }
  }
  return !json_.failed();
}

bool Reader::parameters() {
  if (!json_.begin_object()) return false;
  while (const std::optional<std::string_view> member = json_.next_member()) {
    std::uint64_t* const field = *member == "id"              ? &header_.id
                                 : *member == "n_node"        ? &header_.n_node
                                 : *member == "n_variable"    ? &header_.n_variable
                                 : *member == "n_transaction" ? &header_.n_transaction
                                 : *member == "n_event"       ? &header_.n_event
                                                              : nullptr;
    if (field == nullptr) {
      json_.skip_value();
    } else if (const std::optional<std::int64_t> number = json_.integer()) {
      *field = static_cast<std::uint64_t>(*number);
    }
  }
  return !json_.failed();
}

bool Reader::text_into(std::string& to, std::string_view expected) {
  const std::optional<std::string_view> text = json_.string(expected);
  if (text) to = *text;
  return text.has_value();
}

bool Reader::whole_object() {
  json_.begin_object();
  bool has_data = false;
  while (const std::optional<std::string_view> member = json_.next_member()) {
    if (*member == "params") {
      parameters();
    } else if (*member == "info") {
      text_into(header_.info, "a description");
    } else if (*member == "start") {
      text_into(header_.start, "a start time");
    } else if (*member == "end") {
      text_into(header_.end, "an end time");
    } else if (*member == "data") {
      if (has_data) return json_.fail("expected \"data\" once, found it again");
      has_data = true;
      if (!sessions()) return false;
    } else {
      json_.skip_value();
    }
  }
  if (json_.failed()) return false;
  if (!has_data) return missing("\"data\"");
  versions_.builder().set_origin(origin_of(header_));
  return true;
}

Result<History> Reader::history() {
  skip_byte_order_mark(input_);
  switch (json_.peek()) {
    case JsonReader::Kind::object:
      whole_object();
      break;
    case JsonReader::Kind::array:
      sessions();
      break;
    default:
      json_.fail_expected("an object with \"data\", or an array of sessions");
  }
  if (stopped_) return *stopped_;
  if (!json_.expect_end()) return json_.error();
  return std::move(versions_).finish();
}

}  // namespace

bool looks_like_dbcop_json(const Head& head) {
  const std::string_view text = head.text();
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  if (text.starts_with('{')) {
    return (has("\"params\"") && has("\"n_variable\"")) ||
           (has("\"data\"") && has("\"committed\""));
  }
  if (!text.starts_with('[')) return false;
  // Other JSON histories are arrays of objects: an array of arrays can only be this.
  const std::size_t second = text.find_first_not_of(" \t\r\n", 1);
  return second != std::string_view::npos && text[second] == '[' &&
         (has("\"events\"") || has("\"committed\""));
}

Result<History> read_dbcop_json(const Source& source, const ReadOptions& options) {
  ISOSCOPE_TRY(input, open_single_file(source));
  return Reader(input, options).history();
}

}  // namespace isoscope::format
