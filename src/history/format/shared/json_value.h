#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isoscope/base/json_reader.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/history/value.h"

namespace isoscope::format {

/// Keys and values of histories as JSON has them, for every format that is JSON:
///
///   null, 7, "text"        nil, an integer of 64 bits, a string
///   {"a":1,"b":null}       a row: columns of distinct names, each null, an integer or a string
///   [1,2]                  a list of the above
///
/// Each function takes the next value of `json` into `values`. Where that is of another kind (a
/// fraction, a boolean, an integer of more than 64 bits) it returns nothing and `json` holds the
/// error; `expected` completes its message.

/// An integer or a string: what keys, sessions and transactions are named by.
std::optional<ValueId> read_json_name(JsonReader& json, ValuePool& values,
                                      std::string_view expected = "an integer or a string");

/// Such a name, for messages.
std::string name_for_message(const ValuePool& values, ValueId name);

/// The name of a transaction: "T12", the label of the integer 12, is that integer.
std::optional<ValueId> read_json_transaction_name(JsonReader& json, HistoryBuilder& builder);

/// Null, an integer or a string.
std::optional<ValueId> read_json_scalar(JsonReader& json, ValuePool& values,
                                        std::string_view expected = "null, an integer or a string");

/// A scalar or a row.
std::optional<ValueId> read_json_value(
    JsonReader& json, ValuePool& values,
    std::string_view expected = "null, an integer, a string or a row");

/// A list; its elements are scalars or rows.
std::optional<ValueId> read_json_list(JsonReader& json, ValuePool& values,
                                      std::string_view expected = "a list");

/// A value as above or a list.
std::optional<ValueId> read_json_value_or_list(
    JsonReader& json, ValuePool& values,
    std::string_view expected = "null, an integer, a string, a row or a list");

}  // namespace isoscope::format
