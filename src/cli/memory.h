#pragma once

#include <cstddef>

namespace isoscope::cli {

/// From now on a large allocation that would take the process beyond this number of bytes fails
/// with std::bad_alloc. So the limit is kept even where one array takes most of it.
void limit_memory(std::size_t bytes);

}  // namespace isoscope::cli
