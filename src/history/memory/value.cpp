#include "isoscope/history/value.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "isoscope/base/byte_reader.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/prefetch.h"

namespace isoscope {

namespace {

constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;

/// Full avalanche: the index takes some bits in the middle, and real keys and values differ in only
/// a few low ones.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 32)) * multiplier;
  x = (x ^ (x >> 29)) * multiplier;
  return x ^ (x >> 32);
}

std::uint64_t seed_of(ValueKind kind) {
  return multiplier * (static_cast<std::uint64_t>(kind) + 1);
}

std::uint64_t hash_integer(std::int64_t value) {
  return mix(std::bit_cast<std::uint64_t>(value) + seed_of(ValueKind::integer));
}

/// Rows are hashed by what they hold, so that one can be looked for before its integers are.
class RowHash {
 public:
  explicit RowHash(std::size_t columns) : hash_(seed_of(ValueKind::row) + columns) {}

  /// An integer counts by itself, anything else by its id.
  void add(ValueId name, ValueKind kind, std::uint64_t content) {
    hash_ = mix((hash_ ^ content) + multiplier * name.value + static_cast<std::uint64_t>(kind));
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_;
};

std::uint64_t hash_list(std::uint64_t payload) { return mix(payload + seed_of(ValueKind::list)); }

// An entry of the index: the upper half of the value's hash, and its id + 1; 0 is free.
constexpr int id_bits = 32;
constexpr std::uint64_t id_mask = (std::uint64_t{1} << id_bits) - 1;

constexpr int size_bits = 28;  // of a string's or a row's payload; the rest is its offset
constexpr std::uint64_t size_mask = (std::uint64_t{1} << size_bits) - 1;
constexpr std::uint64_t has_own_integers = std::uint64_t{1} << 63;  // of a row's payload
static_assert(ByteReader::max_window <= size_mask, "no reader can see a longer string");

}  // namespace

ValuePool::ValuePool()
    : kinds_{ValueKind::nil, ValueKind::unreported, ValueKind::list},
      payloads_(3, 0),
      index_(1024, 0) {}

ValuePool ValuePool::draft() {
  ValuePool pool;
  pool.is_draft_ = true;
  return pool;
}

void ValuePool::reserve(std::size_t values, std::size_t text) {
  kinds_.reserve(values);
  payloads_.reserve(values);
  text_.reserve(text);
  const std::size_t index_size = std::bit_ceil(values + values / 3 + 1);  // 3/4 full, see fill_slot
  if (index_size > index_.size()) resize_index(index_size);
}

std::uint64_t ValuePool::string_hash(std::string_view text) {
  std::uint64_t hash = seed_of(ValueKind::string) + text.size();
  // Half of mix() is enough for each block: the other half and more comes in the end.
  const auto add = [&](std::size_t at, std::size_t size) {
    std::uint64_t block = 0;
    std::memcpy(&block, text.data() + at, size);
    hash = (hash ^ block) * multiplier;
    hash ^= hash >> 32;
  };
  if (text.size() >= 8) {
    for (std::size_t at = 0; at + 8 < text.size(); at += 8) add(at, 8);
    add(text.size() - 8, 8);  // may overlap the one before: loads of a fixed size are faster
  } else if (!text.empty()) {
    add(0, text.size());
  }
  return mix(hash);
}

template <class Same>
std::size_t ValuePool::find_slot(ValueKind kind, std::uint64_t hash, const Same& same) const {
  const std::size_t mask = index_.size() - 1;
  const std::uint64_t tag = hash >> id_bits;
  std::size_t slot = first_slot(hash);
  for (; index_[slot] != 0; slot = (slot + 1) & mask) {
    // The tag nearly always tells, so that what is in the way need not be fetched.
    if (index_[slot] >> id_bits != tag) continue;
    const std::size_t candidate = (index_[slot] & id_mask) - 1;
    if (kinds_[candidate] == kind && same(ValueId(candidate))) break;
  }
  return slot;
}

template <class Same, class MakePayload>
ValueId ValuePool::intern(ValueKind kind, std::uint64_t hash, const Same& same,
                          const MakePayload& payload) {
  ISOSCOPE_REQUIRE(!index_.empty());
  const std::size_t slot = find_slot(kind, hash, same);
  if (index_[slot] != 0) return id_in(slot);
  const ValueId id = add(kind, payload());
  fill_slot(slot, hash, id);
  return id;
}

ValueId ValuePool::id_in(std::size_t slot) const { return ValueId((index_[slot] & id_mask) - 1); }

void ValuePool::fill_slot(std::size_t slot, std::uint64_t hash, ValueId id) {
  index_[slot] = hash >> id_bits << id_bits | (id.value + 1);
  ++indexed_;
  if (indexed_ * 4 > index_.size() * 3) resize_index(index_.size() * 2);
}

ValueId ValuePool::add(ValueKind kind, std::uint64_t payload) {
  ISOSCOPE_ENSURE(kinds_.size() < 0xFFFFFFFE);
  payloads_.push_back(payload);
  kinds_.push_back(kind);
  return ValueId(kinds_.size() - 1);
}

void ValuePool::resize_index(std::size_t size) {
  std::vector<std::uint64_t> larger(size, 0);
  const std::size_t mask = larger.size() - 1;
  for (const std::uint64_t entry : index_) {
    if (entry == 0) continue;
    std::size_t slot = entry >> id_bits & mask;
    while (larger[slot] != 0) slot = (slot + 1) & mask;
    larger[slot] = entry;
  }
  index_ = std::move(larger);
}

void ValuePool::widen_small_integers(std::uint64_t integer) {
  small_integers_.widen_for(integer);
  // Those that were hashed before are found here from now on.
  for (std::size_t id = 0; id < kinds_.size(); id += 1 + own_integers(id)) {
    if (kinds_[id] == ValueKind::integer && small_integers_.covers(payloads_[id])) {
      small_integers_.set(payloads_[id], static_cast<std::uint32_t>(id));
    }
  }
}

/// It is not among the small integers that are known.
ValueId ValuePool::find_integer(std::int64_t value) {
  ISOSCOPE_REQUIRE(!index_.empty());
  const auto payload = std::bit_cast<std::uint64_t>(value);
  if (is_draft_) return add(ValueKind::integer, payload);
  std::uint64_t hash = 0;
  std::size_t slot = 0;
  const bool is_small = small_integers_.covers(payload);
  if (!is_small) {
    hash = hash_integer(value);
    slot = find_slot(ValueKind::integer, hash,
                     [&](ValueId other) { return payloads_[other.index()] == payload; });
    if (index_[slot] != 0) return id_in(slot);
  }
  const ValueId id = add(ValueKind::integer, payload);
  if (small_integers_.count(payload)) {
    widen_small_integers(payload);
  } else if (is_small) {
    small_integers_.set(payload, id.value);
  } else {
    fill_slot(slot, hash, id);
  }
  return id;
}

void ValuePool::prefetch_large_integer(std::int64_t value) const {
  prefetch(&index_[first_slot(hash_integer(value))]);
}

ValueId ValuePool::string(std::string_view text, std::uint64_t hash) {
  ISOSCOPE_REQUIRE(text.size() <= size_mask);
  const auto same = [&](ValueId other) { return text == string_of(other); };
  return intern(ValueKind::string, hash, same, [&] {
    const std::uint64_t payload = std::uint64_t{text_.size()} << size_bits | text.size();
    text_.insert(text_.end(), text.begin(), text.end());
    return payload;
  });
}

ValueId ValuePool::row(std::span<const Column> columns) {
  ISOSCOPE_REQUIRE(!index_.empty() && columns.size() <= size_mask);
  const auto name_of = [&](const Column& column) { return string_of(column.name); };
  std::vector<Column> sorted;
  if (!std::ranges::is_sorted(columns, {}, name_of)) {
    sorted.assign(columns.begin(), columns.end());
    std::ranges::sort(sorted, {}, name_of);
    columns = sorted;
  }
  RowHash hash(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto [name, value] = columns[i];
    ISOSCOPE_REQUIRE(is_scalar(value));
    ISOSCOPE_REQUIRE(i == 0 || name != columns[i - 1].name);
    const bool is_integer = kind(value) == ValueKind::integer;
    hash.add(name, kind(value), is_integer ? payloads_[value.index()] : value.value);
  }
  const auto same = [&](ValueId other) {
    return std::ranges::equal(columns, row_of(other), [&](const Column& a, const Column& b) {
      return a.name == b.name && is_same_scalar(a.value, b.value);
    });
  };
  const auto make = [&] {
    const std::uint64_t payload = std::uint64_t{columns_.size()} << size_bits | columns.size();
    columns_.insert(columns_.end(), columns.begin(), columns.end());
    return payload;
  };
  return is_draft_ ? add(ValueKind::row, make()) : intern(ValueKind::row, hash.value(), same, make);
}

std::size_t ValuePool::own_integers(std::size_t id) const {
  if (kinds_[id] != ValueKind::row) return 0;
  const std::uint64_t place = payload(ValueId(id));
  return (place & has_own_integers) != 0 ? place & size_mask : 0;
}

bool ValuePool::is_same_scalar(ValueId a, ValueId b) const {
  if (a == b) return true;
  return kind(a) == ValueKind::integer && kind(b) == ValueKind::integer &&
         payloads_[a.index()] == payloads_[b.index()];
}

RowShape ValuePool::row_shape(std::span<const ValueId> names) {
  const auto has_its_name = [&](const Column& c) { return names[c.value.index()] == c.name; };
  if (names.size() == latest_shape_.size() &&
      std::ranges::all_of(columns_of(latest_shape_), has_its_name)) {
    return latest_shape_;
  }
  latest_shape_ = {columns_.size(), names.size()};
  for (std::size_t place = 0; place < names.size(); ++place) {
    columns_.push_back({names[place], ValueId(place)});
  }
  const auto columns = std::span(columns_).last(names.size());
  std::ranges::sort(columns, {}, [&](const Column& column) { return string_of(column.name); });
  ISOSCOPE_REQUIRE(std::ranges::adjacent_find(columns, {}, &Column::name) == columns.end());
  return latest_shape_;
}

std::uint64_t ValuePool::row_hash(const RowShape& shape,
                                  std::span<const std::int64_t> integers) const {
  ISOSCOPE_REQUIRE(integers.size() == shape.size());
  if (is_draft_) return 0;  // it does not look
  RowHash hash(integers.size());
  for (const auto& [name, place] : columns_of(shape)) {
    hash.add(name, ValueKind::integer, std::bit_cast<std::uint64_t>(integers[place.index()]));
  }
  return hash.value();
}

ValueId ValuePool::row(const RowShape& shape, std::span<const std::int64_t> integers,
                       std::uint64_t hash) {
  ISOSCOPE_REQUIRE(!index_.empty() && integers.size() == shape.size());
  const std::uint64_t payload =
      has_own_integers | std::uint64_t{shape.first_column_} << size_bits | shape.size();
  const auto same = [&](ValueId other) {
    if (payloads_[other.index()] == payload) {
      const std::uint64_t* own = &payloads_[other.index()] + 1;
      return std::ranges::equal(integers, std::span(own, integers.size()), {},
                                std::bit_cast<std::uint64_t, std::int64_t>);
    }
    const RowColumns columns = row_of(other);
    return std::ranges::equal(columns_of(shape), columns, [&](const Column& a, const Column& b) {
      return a.name == b.name && kind(b.value) == ValueKind::integer &&
             integer_of(b.value) == integers[a.value.index()];
    });
  };
  std::size_t slot = 0;
  if (!is_draft_) {
    slot = find_slot(ValueKind::row, hash, same);
    if (index_[slot] != 0) return id_in(slot);
  }
  const ValueId id = add(ValueKind::row, payload);
  for (const std::int64_t integer : integers) {
    add(ValueKind::integer, std::bit_cast<std::uint64_t>(integer));
  }
  has_integers_of_rows_ = true;
  if (!is_draft_) fill_slot(slot, hash, id);
  return id;
}

void ValuePool::prefetch_row_content(std::uint64_t hash) const {
  const std::uint64_t entry = index_[first_slot(hash)];
  if (entry == 0 || entry >> id_bits != hash >> id_bits) return;
  const std::size_t candidate = (entry & id_mask) - 1;
  prefetch(&kinds_[candidate]);
  prefetch(&payloads_[candidate]);
}

ValueId ValuePool::list_with(ValueId prefix, ValueId element) {
  ISOSCOPE_REQUIRE(kind(prefix) == ValueKind::list);
  const std::uint64_t payload = std::uint64_t{prefix.value} << 32 | element.value;
  return intern(
      ValueKind::list, hash_list(payload),
      [&](ValueId other) { return payloads_[other.index()] == payload; }, [&] { return payload; });
}

std::vector<ValueId> ValuePool::add_all(const ValuePool& other) {
  // Far enough ahead that the memory has come when it is needed.
  constexpr std::size_t ahead = 16;
  std::vector<ValueId> here(other.size());
  here[unreported.index()] = unreported;
  here[empty_list.index()] = empty_list;
  std::vector<Column> columns;
  std::vector<ValueId> names;
  std::vector<std::int64_t> integers;
  for (std::size_t id = empty_list.index() + 1; id < other.size(); ++id) {
    if (id + ahead < other.size() && other.kinds_[id + ahead] == ValueKind::integer) {
      prefetch_integer(static_cast<std::int64_t>(other.payload(ValueId(id + ahead))));
    }
    // What a row or a list is made of came before it, except for a row's own integers.
    const ValueId there(id);
    switch (other.kind(there)) {
      case ValueKind::integer:
        here[id] = integer(other.integer_of(there));
        break;
      case ValueKind::string:
        here[id] = string(other.string_of(there));
        break;
      case ValueKind::row:
        if (const std::size_t own = other.own_integers(id); own != 0) {
          names.resize(own);
          integers.resize(own);
          for (const auto& [name, value] : other.row_of(there)) {
            const std::size_t place = value.index() - id - 1;
            names[place] = here[name.index()];
            integers[place] = other.integer_of(value);
          }
          here[id] = row(row_shape(names), integers);
          id += own;
          break;
        }
        columns.clear();
        for (const auto& [name, value] : other.row_of(there)) {
          columns.push_back({here[name.index()], here[value.index()]});
        }
        here[id] = row(columns);
        break;
      case ValueKind::list:
        here[id] =
            list_with(here[other.list_prefix(there).index()], here[other.list_last(there).index()]);
        break;
      case ValueKind::nil:
      case ValueKind::unreported:
        ISOSCOPE_ENSURE(false);  // there is one of each, and they are the first
    }
  }
  return here;
}

std::int64_t ValuePool::integer_of(ValueId value) const {
  ISOSCOPE_REQUIRE(kind(value) == ValueKind::integer);
  return std::bit_cast<std::int64_t>(payload(value));
}

std::string_view ValuePool::string_of(ValueId value) const {
  ISOSCOPE_REQUIRE(kind(value) == ValueKind::string);
  const std::uint64_t place = payload(value);
  return {text_.data() + (place >> size_bits), place & size_mask};
}

RowColumns ValuePool::row_of(ValueId value) const {
  ISOSCOPE_REQUIRE(kind(value) == ValueKind::row);
  const std::uint64_t place = payload(value);
  const std::size_t offset = (place & ~has_own_integers) >> size_bits;
  return {std::span(columns_).subspan(offset, place & size_mask),
          own_integers(value.index()) != 0 ? value.value + 1 : 0};
}

ValueId ValuePool::list_prefix(ValueId list) const {
  ISOSCOPE_REQUIRE(kind(list) == ValueKind::list && list != empty_list);
  return ValueId(payload(list) >> 32);
}

ValueId ValuePool::list_last(ValueId list) const {
  ISOSCOPE_REQUIRE(kind(list) == ValueKind::list && list != empty_list);
  return ValueId(payload(list) & 0xFFFFFFFF);
}

std::size_t ValuePool::list_size(ValueId list) const {
  std::size_t size = 0;
  for (; list != empty_list; list = list_prefix(list)) ++size;
  return size;
}

std::vector<ValueId> ValuePool::list_elements(ValueId list) const {
  std::vector<ValueId> elements;
  for (; list != empty_list; list = list_prefix(list)) elements.push_back(list_last(list));
  std::ranges::reverse(elements);
  return elements;
}

void ValuePool::freeze() {
  std::vector<std::uint64_t>().swap(index_);
  small_integers_ = SmallIntegers();
  constexpr std::uint64_t most = UINT32_MAX;
  if (std::ranges::any_of(payloads_, [](std::uint64_t payload) { return payload > most; })) return;
  narrow_payloads_.assign(payloads_.begin(), payloads_.end());
  std::vector<std::uint64_t>().swap(payloads_);
}

std::size_t ValuePool::memory() const {
  return kinds_.capacity() * sizeof(ValueKind) + payloads_.capacity() * sizeof(std::uint64_t) +
         narrow_payloads_.capacity() * sizeof(std::uint32_t) + text_.capacity() +
         columns_.capacity() * sizeof(Column) + index_.capacity() * sizeof(std::uint64_t) +
         small_integers_.memory();
}

}  // namespace isoscope
