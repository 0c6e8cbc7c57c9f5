#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isoscope/base/json_reader.h"
#include "isoscope/history/predicate.h"

namespace isoscope {

/// The JSON form of predicates, used by the native format (docs/formats/native.md has the grammar):
///
///   true                               ["=","v1",5]         ["<>","v1","a"]      ["<","v1",5]
///   ["between","v1",1,9]               ["in","v1",[1,2]]    ["is-null","v1"]
///   ["prefix","name","ab"]
///   ["mod","v1",3,0]                   ["and",P,...]        ["or",P,...]         ["not",P]
///
/// and <=, >, >= like <. Equal predicates have equal texts.
void append_predicate_json(std::string& to, const Predicate& predicate);

/// An integer, a string in quotes, or the word that the notation has for no value.
void append_constant(std::string& to, const Constant& constant, std::string_view nil);

/// The next value of `json` as a predicate; nothing when it is none, and `json` then holds the
/// error.
std::optional<Predicate> read_predicate_json(JsonReader& json);

}  // namespace isoscope
