#include "isoscope/record/completion.h"

#include <iterator>

namespace isoscope::record {

namespace {

constexpr std::string_view names[] = {
    "no trouble", "serialization failure", "deadlock", "lock timeout", "row existed",
    "refused",    "disconnected",
};
static_assert(std::size(names) == trouble_count);

}  // namespace

std::string_view name_of(Trouble trouble) { return names[static_cast<std::size_t>(trouble)]; }

}  // namespace isoscope::record
