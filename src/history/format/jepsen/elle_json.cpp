#include <charconv>

#include "history/format/jepsen/formats.h"
#include "history/format/jepsen/jepsen.h"
#include "history/format/jepsen/locate.h"
#include "history/format/jepsen/operation_log_reader.h"
#include "isoscope/base/json_reader.h"

namespace isoscope::format {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Adds the next number: an integer if it is one of 64 bits, its text otherwise.
bool add_number(JsonReader& json, TermTree& tree, std::uint64_t offset) {
  const std::string_view window = json.input().window(64);
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(window.data(), window.data() + window.size(), value);
  const auto length = static_cast<std::size_t>(end - window.data());
  const char after = length < window.size() ? window[length] : ' ';
  if (problem == std::errc() && after != '.' && after != 'e' && after != 'E') {
    const std::optional<std::int64_t> integer = json.integer();
    if (integer) tree.add_integer(offset, *integer);
    return integer.has_value();
  }
  const std::string text(window.substr(0, window.find_first_not_of("+-.0123456789eE")));
  if (!json.skip_value()) return false;
  tree.add_text(TermKind::number, offset, text);
  return true;
}

/// Adds the next value with all that is in it. On false, `json` has the error.
bool add_value(JsonReader& json, TermTree& tree) {
  const std::uint64_t offset = json.next_offset();
  const auto within_limits = [&] {
    return !tree.full() ||
           json.fail_at(offset,
                        "expected an operation of at most 4194304 values and 16 MiB "
                        "of text, found a larger one");
  };
  if (!within_limits()) return false;
  const JsonReader::Kind kind = json.peek();
  switch (kind) {
    case JsonReader::Kind::object:
    case JsonReader::Kind::array: {
      const bool object = kind == JsonReader::Kind::object;
      const std::size_t opened = tree.open(object ? TermKind::map : TermKind::vector, offset);
      std::size_t children = 0;
      if (object) {
        if (!json.begin_object()) return false;
        while (const std::optional<std::string_view> name = json.next_member()) {
          tree.add_text(TermKind::string, json.last_offset(), *name);
          if (!add_value(json, tree)) return false;
          children += 2;
        }
      } else {
        if (!json.begin_array()) return false;
        for (; json.next_element(); ++children) {
          if (!add_value(json, tree)) return false;
        }
      }
      tree.close(opened, children);
      return !json.failed();
    }
    case JsonReader::Kind::string: {
      const std::optional<std::string_view> text = json.string();
      if (text) tree.add_text(TermKind::string, offset, *text);
      return text.has_value() && within_limits();
    }
    case JsonReader::Kind::number:
      return add_number(json, tree, offset);
    case JsonReader::Kind::boolean: {
      const std::optional<bool> value = json.boolean();
      if (value) tree.add_boolean(offset, *value);
      return value.has_value();
    }
    case JsonReader::Kind::null:
      tree.add_nil(offset);
      return json.null();
    default:
      return json.fail_expected("a value");
  }
}

}  // namespace

/// Its first operation has a "type", or a "value" together with something else that operations
/// have. (Viper's objects have a "value" and nothing of that.)
bool looks_like_elle_json(const Head& head) {
  const std::string_view text = head.text();
  if (!text.starts_with('[') && !text.starts_with('{')) return false;
  const Source memory = Source::from_memory("head", std::string(text));
  Result<ByteReader> input = memory.open_file(0);
  if (!input) return false;
  JsonReader json(*input);
  if (json.peek() == JsonReader::Kind::array) {
    json.begin_array();
    if (!json.next_element())
      return !json.failed() && json.expect_end();  // []: no operations at all
  }
  if (!json.begin_object()) return false;
  bool value = false;
  bool other = false;
  while (const std::optional<std::string_view> name = json.next_member()) {
    if (*name == "type") return true;
    if (*name == "value") value = true;
    if (*name == "process" || *name == "f" || *name == "index") other = true;
    json.skip_value();
  }
  return value && other;
}

namespace {

/// Gives each value of the file to a reader of logs.
template <class Reader>
auto read_values(const Source& source, const ReadOptions& options)
    -> decltype(std::declval<Reader>().finish()) {
  ISOSCOPE_TRY(input, open_single_file(source));
  if (input.window(byte_order_mark.size()).starts_with(byte_order_mark))
    input.skip(byte_order_mark.size());
  JsonReader json(input);
  Reader reader(source, input.name(), Notation::json, options.time_from);
  const bool is_array = json.peek() == JsonReader::Kind::array;
  if (is_array) json.begin_array();
  TermTree tree;
  while (is_array ? json.next_element() : json.peek() != JsonReader::Kind::end && !json.failed()) {
    tree.clear();
    if (!add_value(json, tree)) break;
    if (Status status = reader.add(tree.root()); !status)
      return located(source, std::move(status).error());
    ISOSCOPE_TRY_STATUS(keep_going(options, input));
  }
  if (!json.failed()) json.expect_end();
  if (json.failed()) return json.error();
  auto result = std::move(reader).finish();
  if (!result) return located(source, std::move(result).error());
  return result;
}

}  // namespace

Result<History> read_elle_json(const Source& source, const ReadOptions& options) {
  return read_values<JepsenReader>(source, options);
}

Result<OperationLog> read_elle_json_log(const Source& source, const ReadOptions& options) {
  return read_values<OperationLogReader>(source, options);
}

}  // namespace isoscope::format
