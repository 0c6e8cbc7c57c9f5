#pragma once

#include <cstddef>

namespace isoscope::cli {

/// From now on a large allocation that would take the process beyond so many bytes fails with
/// std::bad_alloc, so that a limit is kept also where one array is most of it.
void limit_memory(std::size_t bytes);

}  // namespace isoscope::cli
