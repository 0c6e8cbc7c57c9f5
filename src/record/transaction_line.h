#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/history/history_builder.h"
#include "isoscope/history/native_text.h"
#include "isoscope/workload/workload.h"

namespace isoscope::record {

/// The line of one transaction at a time, written while it runs:
///
///   {"session":3,"begin":1200,"outcome":"indeterminate","ops":[["r",1,7],["w",1,8]]}
///
/// The outcome stands in a field of fixed width, so that it can be replaced inside the file. A time
/// of 19 digits is as long as "indeterminate", so that costs nothing.
class TransactionLine {
 public:
  /// Both must outlive it; `tables` are all that requests name.
  TransactionLine(const HistoryBuilder& names, std::span<const TableShape> tables);

  void begin(std::string_view session, std::int64_t time);
  void add(const Request& request, const Reply& reply);
  /// The last request, to which no answer came.
  void add_unanswered(const Request& request);
  bool is_empty() const { return operations_ == 0; }

  /// The whole line, with its end.
  std::string_view finish(std::string_view outcome_field);
  /// Where the field is in the line.
  std::size_t field_offset() const { return field_; }

  static std::string indeterminate() { return "\"outcome\":\"indeterminate\""; }
  // What it is replaced by, as wide; there is no room for the time of an abort.
  static std::string committed(std::int64_t end);
  static std::string aborted();
  /// For a line that is not written yet.
  static std::string aborted_at(std::int64_t end);

  /// What the format cannot say, if there was such a thing.
  const std::optional<std::string>& problem() const { return native_.problem(); }

 private:
  void start(const Request& request);
  void add_rows(std::span<const RowVersion> rows);
  void end();
  std::string_view table_of(KeyId key) const { return tables_[names_.key_table(key).index()]; }

  const HistoryBuilder& names_;
  std::vector<std::string> tables_;  // names, by id
  std::string text_;
  NativeText native_{names_.values(), text_};
  std::size_t field_ = 0;
  std::size_t operations_ = 0;
};

}  // namespace isoscope::record
