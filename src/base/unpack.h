#pragma once

#include <memory>

#include "isoscope/base/byte_reader.h"

namespace isoscope {

/// The bytes of the stream, unpacked if they are compressed with zstd, gzip, xz or bzip2, which is
/// recognised by their first bytes. Data that is corrupt, or ends before it should, is a failure of
/// the stream, never an early end: a history cut short would be a wrong verdict.
std::unique_ptr<ByteStream> unpack_if_packed(std::unique_ptr<ByteStream> stream);

}  // namespace isoscope
