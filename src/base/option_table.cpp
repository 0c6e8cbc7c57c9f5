#include "isoscope/base/option_table.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace isoscope {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

constexpr Unit duration_units[] = {{"ns", 1},
                                   {"us", 1'000},
                                   {"ms", 1'000'000},
                                   {"s", 1'000'000'000},
                                   {"m", 60'000'000'000},
                                   {"h", 3'600'000'000'000}};
constexpr Unit size_units[] = {{"", 1},
                               {"K", std::int64_t{1} << 10},
                               {"M", std::int64_t{1} << 20},
                               {"G", std::int64_t{1} << 30}};

/// A non-negative number, perhaps with a decimal fraction, followed by one of the units.
Result<std::int64_t> parse_with_unit(std::string_view text, std::span<const Unit> units,
                                     std::string_view expected) {
  const Error bad{"expected " + std::string(expected) + ", found '" + std::string(text) + "'"};
  double number = 0;
  const auto [end, problem] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (problem != std::errc() || number < 0) return bad;
  const std::string_view unit_name(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Unit& unit : units) {
    if (unit.name != unit_name) continue;
    const double value = number * static_cast<double>(unit.factor);
    if (!(value < 9e18)) return bad;
    return static_cast<std::int64_t>(value);
  }
  return bad;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "1", "1.5" or "1.25" in hundredths; never negative.
std::optional<std::int64_t> hundredths(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  std::string_view decimals = text.substr(std::min(point + 1, text.size()));
  const bool dangling = point + 1 == text.size();
  if (digits.empty() || dangling || decimals.size() > 2) return std::nullopt;
  digits += decimals;
  digits.append(2 - decimals.size(), '0');
  if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return whole_number(digits);
}

template <class Parse>
Result<std::int64_t> parse_in_range(std::string_view text, std::string_view range,
                                    std::string_view what, const Parse& parse) {
  const std::size_t dots = range.find("..");
  ISOSCOPE_REQUIRE(dots != std::string_view::npos);
  const auto low = parse(range.substr(0, dots));
  const auto high = parse(range.substr(dots + 2));
  ISOSCOPE_REQUIRE(low && high);
  const auto value = parse(text);
  if (value && *value >= *low && *value <= *high) return *value;
  return Error{"expected " + std::string(what) + " from " + std::string(range.substr(0, dots)) +
               " to " + std::string(range.substr(dots + 2)) + ", found '" + std::string(text) +
               "'"};
}

bool is_choice(std::string_view text, std::string_view range) {
  while (true) {
    const std::size_t bar = range.find('|');
    if (text == range.substr(0, bar)) return true;
    if (bar == std::string_view::npos) return false;
    range.remove_prefix(bar + 1);
  }
}

}  // namespace

Result<std::int64_t> parse_duration(std::string_view text) {
  return parse_with_unit(text, duration_units, "a duration such as 250ms, 10s, 5m or 1h");
}

Result<std::int64_t> parse_size(std::string_view text) {
  return parse_with_unit(text, size_units, "a size such as 512K, 100M or 2G");
}

Options::Options(std::span<const OptionSpec> table) : table_(table) {
  for (const OptionSpec& spec : table) {
    values_[spec.name].spec = &spec;
    if (spec.default_text.empty()) continue;
    const Status good = set(spec.name, spec.default_text);
    ISOSCOPE_REQUIRE(good);
    values_[spec.name].set = false;
  }
}

Status Options::set(std::string_view name, std::string_view text) {
  const auto found = values_.find(name);
  ISOSCOPE_REQUIRE(found != values_.end());
  Value& value = found->second;
  const auto located = [&](const Error& error) {
    return Error{"--" + std::string(name) + ": " + error.what};
  };
  Result<std::int64_t> number = std::int64_t{0};
  switch (value.spec->type) {
    case OptionType::flag:
    case OptionType::text:
      break;
    case OptionType::list:
      if (text.empty() || text.starts_with(',') || text.ends_with(',') ||
          text.find(",,") != std::string_view::npos) {
        number = Error{"expected names separated by commas, found '" + std::string(text) + "'"};
      }
      break;
    case OptionType::integer:
      number = parse_in_range(text, value.spec->range, "a whole number", whole_number);
      break;
    case OptionType::decimal:
      number =
          parse_in_range(text, value.spec->range, "a number with at most two decimals", hundredths);
      break;
    case OptionType::duration:
      number = parse_duration(text);
      break;
    case OptionType::size:
      number = parse_size(text);
      break;
    case OptionType::choice:
      if (!is_choice(text, value.spec->range)) {
        number = Error{"expected one of " + std::string(value.spec->range) + ", found '" +
                       std::string(text) + "'"};
      }
      break;
  }
  if (!number) return located(number.error());
  value.number = *number;
  if (value.spec->type == OptionType::list && value.set) {
    value.text += "," + std::string(text);
  } else {
    value.text = text;
  }
  value.set = true;
  return Done{};
}

const Options::Value& Options::value(std::string_view name) const {
  const auto found = values_.find(name);
  ISOSCOPE_REQUIRE(found != values_.end());
  return found->second;
}

bool Options::is_set(std::string_view name) const { return value(name).set; }
bool Options::flag(std::string_view name) const {
  ISOSCOPE_REQUIRE(value(name).spec->type == OptionType::flag);
  return value(name).set;
}
const std::string& Options::text(std::string_view name) const { return value(name).text; }
std::vector<std::string> Options::list(std::string_view name) const {
  ISOSCOPE_REQUIRE(value(name).spec->type == OptionType::list);
  std::vector<std::string> names;
  for (std::string_view rest = value(name).text; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    names.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return names;
}
std::int64_t Options::number(std::string_view name) const { return value(name).number; }

}  // namespace isoscope
