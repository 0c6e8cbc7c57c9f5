#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/spec/node.h"

namespace isoscope::spec {

/// A part of the execution that clients do not see: a level allows a history if some choice of its
/// witnesses makes its axioms true.
struct Witness {
  enum class Kind : std::uint8_t {
    total_order,      ///< strict, of all transactions, the initial one first
    relation,         ///< between transactions, irreflexive
    version_order,    ///< keyed: for each key a strict total order of its writers, initial first
    transaction_set,  ///< never has the initial transaction
    key_set,
  };

  std::string name;
  Kind kind = Kind::total_order;
  NodePtr at_least = {};  ///< null: the empty one. May use earlier witnesses.
  NodePtr at_most = {};   ///< null: everything
};

struct Axiom {
  std::string name;  ///< what reports print
  NodePtr formula;   ///< closed
};

/// Witnesses that fit if any do, built from the history and a total order (Base::given_order) that
/// comes from another level's execution. One expression per witness of the definition. Only speed
/// depends on them, never a verdict.
struct Canonical {
  std::vector<NodePtr> values;
};

/// An isolation level as a text file states it.
struct Definition {
  std::string name;                    ///< "cerone/SI", or the path of a user's file
  std::string title;                   ///< one line, for people
  std::string citation;                ///< may be empty in a user's file
  std::optional<std::string> defines;  ///< the name of the catalogue's level this is the text of
  std::vector<Witness> witnesses;
  std::vector<Axiom> axioms;
  std::vector<Canonical> canonical;
};

/// Does the definition (axioms, bounds of witnesses) mention this relation of the history?
bool mentions(const Definition& definition, Base base);

}  // namespace isoscope::spec
