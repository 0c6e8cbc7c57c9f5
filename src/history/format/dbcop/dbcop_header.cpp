#include "history/format/dbcop/dbcop_header.h"

#include <bit>

#include "isoscope/base/json_reader.h"
#include "isoscope/base/json_writer.h"
#include "isoscope/base/source.h"

namespace isoscope::format {

namespace {

constexpr std::string_view origin_start = "dbcop {";

struct NumberField {
  std::string_view name;
  std::uint64_t DbcopHeader::*field;
};
struct TextField {
  std::string_view name;
  std::string DbcopHeader::*field;
};

constexpr NumberField number_fields[] = {
    {"id", &DbcopHeader::id},
    {"n_node", &DbcopHeader::n_node},
    {"n_variable", &DbcopHeader::n_variable},
    {"n_transaction", &DbcopHeader::n_transaction},
    {"n_event", &DbcopHeader::n_event},
};
constexpr TextField text_fields[] = {
    {"info", &DbcopHeader::info},
    {"start", &DbcopHeader::start},
    {"end", &DbcopHeader::end},
};

}  // namespace

std::string origin_of(const DbcopHeader& header) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object();
  for (const NumberField& number : number_fields) {
    json.member(number.name).integer(std::bit_cast<std::int64_t>(header.*number.field));
  }
  for (const TextField& text : text_fields) json.member(text.name).string(header.*text.field);
  json.end_object();
  return "dbcop " + json.take();
}

std::optional<DbcopHeader> header_from_origin(const std::string& origin) {
  if (!origin.starts_with(origin_start)) return std::nullopt;
  const Source source = Source::from_memory({}, origin.substr(origin_start.size() - 1));
  Result<ByteReader> input = source.open_file(0);
  if (!input) return std::nullopt;
  JsonReader json(*input);
  DbcopHeader header;
  json.begin_object();
  // The members must come in the order in which they are written: a text in another order was not
  // made here.
  for (const NumberField& number : number_fields) {
    if (json.next_member() != number.name) return std::nullopt;
    header.*number.field = std::bit_cast<std::uint64_t>(json.integer().value_or(0));
  }
  for (const TextField& text : text_fields) {
    if (json.next_member() != text.name) return std::nullopt;
    header.*text.field = json.string().value_or("");
  }
  if (json.next_member() || !json.expect_end()) return std::nullopt;
  return header;
}

}  // namespace isoscope::format
