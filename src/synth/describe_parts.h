#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isoscope/base/json_writer.h"
#include "isoscope/base/words.h"
#include "isoscope/synth/compare.h"
#include "isoscope/synth/synthesize.h"

namespace isoscope::synth {

// What text, JSON and pictures say alike.

/// "some", "nothing", "everything" or "unknown"
std::string_view name_of(Extent extent);
/// "X allows no history up to 5 transactions, 3 keys.", or that X allows every one; empty for other
/// extents.
std::string extent_text(const spec::Definition& level, Extent extent, const Scope& scope);

/// The text in whole lines of at most 100 characters, if it has enough blanks. They start with
/// `indent`, and all except the first have two blanks more.
std::string wrapped_lines(std::string_view text, std::string_view indent);

/// Lines of two columns, the second aligned.
class Table {
 public:
  void add(std::string left, std::string right) {
    rows_.emplace_back(std::move(left), std::move(right));
  }
  std::string text(std::string_view indent) const;

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

/// These transactions, first to last. `order` is a strict total order of them, perhaps of more.
std::vector<std::size_t> in_order(const spec::Matrix& order,
                                  const std::vector<std::size_t>& members);
/// All transactions but the initial one; those that write the key.
std::vector<std::size_t> all_transactions(const spec::Structure& history);
std::vector<std::size_t> writers_of(const spec::Structure& history, std::size_t key);

/// The pairs of a relation, without those of the initial transaction.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of(const spec::Structure& history,
                                                          const spec::Matrix& relation);

/// "T1 < T2", "x: T1 < T2; y: T1", "T1 -> T2, T1 -> T3", "{T1, T2}"
std::string witness_text(const spec::Witness& witness, const spec::Structure& history,
                         const spec::WitnessValue& value);

/// The witnesses by name; the demands, each with what its variables stand for.
void write_execution(JsonWriter& json, const spec::Definition& level,
                     const spec::Structure& history, const spec::Execution& execution);
void write_reasons(JsonWriter& json, const spec::Structure& history,
                   const std::vector<Demand>& reasons);

}  // namespace isoscope::synth
