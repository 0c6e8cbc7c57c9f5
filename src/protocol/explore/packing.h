#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "protocol/explore/roots.h"

namespace isoscope::protocol {

/// States as few bits: the number of the root, then every cell that can have more than one value in
/// as many bits as these need. A field never crosses a word's border, so packing is a shift and an
/// "or" for each.
class Packing {
 public:
  /// Cells that nothing looks at are left out, and unpacking gives them their initial values,
  /// unless `keep_unused` is set.
  Packing(const System& system, const std::vector<Renaming>& renamings, std::vector<Root> roots,
          bool keep_unused = false);

  /// With more than `most_words`, nothing may be packed.
  static constexpr std::size_t most_words = 64;
  std::size_t words() const { return words_; }
  std::size_t bits() const { return bits_; }
  const std::vector<Root>& roots() const { return roots_; }

  std::uint32_t root_of(const std::uint64_t* packed) const {
    return static_cast<std::uint32_t>(packed[0] & root_mask_);
  }
  void unpack(const std::uint64_t* packed, std::uint8_t* values) const;
  void pack(std::uint32_t root, Values values, std::uint64_t* packed) const;
  /// Packs the state and all its renamings that keep the root as it is, and gives the least of
  /// them.
  void pack_least(std::uint32_t root, Values values, std::uint64_t* packed) const;

 private:
  struct Field {
    std::uint32_t cell = 0;
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    std::uint32_t mask = 0;
    std::array<std::uint8_t, 64> decoded = {};
  };
  /// How a renaming packs: for each field the cell it comes from and what its values become.
  struct Source {
    std::uint32_t cell = 0;
    std::uint32_t codes = 0;  ///< where in codes_
  };

  void place_fields(const System& system, bool keep_unused);
  void pack_renamed(const Source* sources, std::uint32_t root, Values values,
                    std::uint64_t* packed) const;

  std::size_t cells_;
  std::vector<Root> roots_;
  std::uint64_t root_mask_ = 0;
  std::size_t words_ = 1;
  std::size_t bits_ = 0;
  std::vector<Field> fields_;
  std::vector<std::uint32_t> first_field_;  ///< by word, and the end
  std::vector<Source> sources_;             ///< by renaming and field
  std::vector<std::uint8_t> codes_;         ///< rows of 64
};

}  // namespace isoscope::protocol
