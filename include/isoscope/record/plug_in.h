#pragma once

#include <cstdint>

#include "isoscope/record/sql_client.h"

namespace isoscope::record {

/// Changes with everything that sql_client.h and the headers under it say.
inline constexpr std::uint32_t plug_in_version = 1;

/// What the program finds in a driver's shared object, under the name isoscope_plug_in:
///
///   static MyDriver driver;
///   extern "C" ISOSCOPE_EXPORT const isoscope::record::PlugIn isoscope_plug_in{
///       isoscope::record::plug_in_version, &driver};
struct PlugIn {
  std::uint32_t version;  ///< first, so that it can be read whatever the rest is
  SqlDriver* sql;         ///< lives as long as the shared object
};

}  // namespace isoscope::record

/// The only thing that a driver shows: all else is compiled hidden.
#define ISOSCOPE_EXPORT __attribute__((visibility("default")))
