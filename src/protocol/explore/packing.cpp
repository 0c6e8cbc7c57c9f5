#include "protocol/explore/packing.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "isoscope/base/contract.h"

namespace isoscope::protocol {

namespace {

constexpr std::uint8_t no_code = 255;

}  // namespace

Packing::Packing(const System& system, const std::vector<Renaming>& renamings,
                 std::vector<Root> roots, bool keep_unused)
    : cells_(system.cells().size()), roots_(std::move(roots)) {
  ISOSCOPE_REQUIRE(!roots_.empty());
  place_fields(system, keep_unused);

  // Equal rows of codes are one.
  std::map<std::array<std::uint8_t, 64>, std::uint32_t> known;
  for (const Renaming& renaming : renamings) {
    for (const Field& field : fields_) {
      std::array<std::uint8_t, 64> codes;
      codes.fill(no_code);
      for (std::size_t code = 0; code <= field.mask; ++code) {
        codes[field.decoded[code]] =
            std::min(codes[field.decoded[code]], static_cast<std::uint8_t>(code));
      }
      const std::uint32_t from = renaming.source[field.cell];
      if (system.cells().holds_transaction(field.cell)) {
        const auto plain = codes;
        for (std::size_t value = 0; value < 64; ++value) {
          codes[value] = plain[renaming.transactions[value]];
        }
      }
      for (Bits values = system.possible()[from]; values != 0; values &= values - 1) {
        ISOSCOPE_ENSURE(codes[static_cast<std::size_t>(std::countr_zero(values))] != no_code);
      }
      const auto [row, is_new] =
          known.try_emplace(codes, static_cast<std::uint32_t>(codes_.size()));
      if (is_new) codes_.insert(codes_.end(), codes.begin(), codes.end());
      sources_.push_back({from, row->second});
    }
  }
}

void Packing::place_fields(const System& system, bool keep_unused) {
  const auto root_bits = static_cast<std::uint32_t>(std::bit_width(roots_.size() - 1));
  root_mask_ = (std::uint64_t{1} << root_bits) - 1;
  std::uint32_t used = root_bits;
  bits_ = root_bits;
  first_field_ = {0};
  for (std::uint32_t cell = 0; cell < cells_; ++cell) {
    Bits values = system.possible()[cell];
    const auto count = static_cast<std::size_t>(std::popcount(values));
    if (system.cells().is_fixed(cell) || count < 2) continue;
    if (!system.is_used(cell) && !keep_unused) continue;
    const auto bits = static_cast<std::uint32_t>(std::bit_width(count - 1));
    if (used + bits > 64) {
      ++words_;
      used = 0;
      first_field_.push_back(static_cast<std::uint32_t>(fields_.size()));
    }
    Field field{cell, static_cast<std::uint32_t>(words_ - 1), used, (1u << bits) - 1, {}};
    const auto first = static_cast<std::uint8_t>(std::countr_zero(values));
    field.decoded.fill(first);
    for (std::size_t code = 0; code < count; ++code, values &= values - 1) {
      field.decoded[code] = static_cast<std::uint8_t>(std::countr_zero(values));
    }
    fields_.push_back(field);
    used += bits;
    bits_ += bits;
  }
  first_field_.push_back(static_cast<std::uint32_t>(fields_.size()));
}

void Packing::unpack(const std::uint64_t* packed, std::uint8_t* values) const {
  std::memcpy(values, roots_[root_of(packed)].values.data(), cells_);
  for (const Field& field : fields_) {
    values[field.cell] = field.decoded[packed[field.word] >> field.shift & field.mask];
  }
}

void Packing::pack_renamed(const Source* sources, std::uint32_t root, Values values,
                           std::uint64_t* packed) const {
  for (std::size_t word = 0; word < words_; ++word) packed[word] = 0;
  packed[0] = root;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const Field& field = fields_[i];
    const std::uint8_t code = codes_[sources[i].codes + values[sources[i].cell]];
    packed[field.word] |= std::uint64_t{code} << field.shift;
  }
}

void Packing::pack(std::uint32_t root, Values values, std::uint64_t* packed) const {
  pack_renamed(sources_.data(), root, values, packed);
}

void Packing::pack_least(std::uint32_t root, Values values, std::uint64_t* packed) const {
  const std::vector<std::uint32_t>& symmetry = roots_[root].symmetry;
  pack(root, values, packed);
  for (std::size_t i = 1; i < symmetry.size(); ++i) {
    const Source* sources = sources_.data() + symmetry[i] * fields_.size();
    std::array<std::uint64_t, Packing::most_words> other;
    // Word by word; most renamings are already out after the first.
    bool is_less = false;
    for (std::size_t word = 0; word < words_; ++word) {
      std::uint64_t bits = word == 0 ? root : 0;
      for (std::uint32_t f = first_field_[word]; f < first_field_[word + 1]; ++f) {
        const std::uint8_t code = codes_[sources[f].codes + values[sources[f].cell]];
        bits |= std::uint64_t{code} << fields_[f].shift;
      }
      if (!is_less && bits > packed[word]) break;
      if (bits < packed[word]) is_less = true;
      other[word] = bits;
      if (word + 1 == words_ && is_less) std::copy_n(other.begin(), words_, packed);
    }
  }
}

}  // namespace isoscope::protocol
