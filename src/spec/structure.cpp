#include "isoscope/spec/structure.h"

#include <algorithm>
#include <string_view>

#include "isoscope/base/contract.h"

namespace isoscope::spec {
namespace {

std::vector<std::string> default_key_names(std::size_t keys) {
  constexpr std::string_view letters = "xyzuvw";
  std::vector<std::string> names;
  for (std::size_t key = 0; key < keys; ++key) {
    names.push_back(keys <= letters.size() ? std::string(1, letters[key])
                                           : "k" + std::to_string(key + 1));
  }
  return names;
}

}  // namespace

bool Structure::reads(std::size_t transaction, std::size_t key) const {
  return std::ranges::any_of(wr[key].rows,
                             [&](std::uint64_t row) { return (row >> transaction & 1) != 0; });
}

bool Structure::has_non_repeatable_reads() const {
  return std::ranges::any_of(wr, [](const Matrix& of_key) {
    std::uint64_t readers = 0;
    for (const std::uint64_t row : of_key.rows) {
      if ((readers & row) != 0) return true;
      readers |= row;
    }
    return false;
  });
}

Structure empty_structure(std::size_t count, std::size_t keys) {
  ISOSCOPE_REQUIRE(count <= 63 && keys <= 64);
  Structure result;
  result.transactions = count + 1;
  result.keys = keys;
  const Matrix none{std::vector<std::uint64_t>(result.transactions, 0)};
  result.so = result.rt = result.writes = none;
  for (std::size_t t = 1; t <= count; ++t) {
    result.so.add(0, t);
    result.rt.add(0, t);
  }
  for (std::size_t key = 0; key < keys; ++key) result.writes.add(0, key);
  result.wr.assign(keys, none);
  result.seen_before.assign(keys, none);
  result.transaction_names.push_back("init");
  for (std::size_t t = 1; t <= count; ++t) {
    result.transaction_names.push_back("T" + std::to_string(t));
  }
  result.key_names = default_key_names(keys);
  return result;
}

}  // namespace isoscope::spec
