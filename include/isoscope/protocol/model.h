#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/protocol/formula.h"

namespace isoscope::protocol {

struct Enumeration {
  std::string name;
  std::vector<std::string> values;  ///< at most 64
};

/// A part of the state: a value for every tuple of parameters.
struct Component {
  enum class Kind : std::uint8_t {
    relation,     ///< true or false
    enumeration,  ///< one value of an enumeration
    reference,    ///< a transaction; or none, unless it is total
  };

  std::string name;  ///< "st", "log.last"
  Kind kind = Kind::relation;
  std::vector<Sort> parameters;
  std::uint32_t enumeration = 0;  ///< number of it
  bool is_total = false;          ///< of a reference
  bool is_constant = false;       ///< no event changes it: every value is possible from the start
  bool is_history = false;        ///< events' guards do not read it
  /// At the start; variables 0... are the parameters. Not for constants.
  FormulaPtr initially = {};        ///< of a relation
  std::uint32_t initial_value = 0;  ///< of an enumeration
  bool initially_initial = false;   ///< of a reference: the initial transaction, or none
};

/// What a component becomes at `index`. The index is made of the event's variables and of bound
/// ones, which follow the event's parameters: `for u: seen(t, u) := committed(u)`.
struct Update {
  /// What a reference can become.
  struct Reference {
    enum class Kind : std::uint8_t { none, term, copy };
    Kind kind = Kind::none;
    Term term = {};               ///< Kind::term
    std::uint32_t component = 0;  ///< Kind::copy: another reference, at `at`
    std::vector<Term> at = {};
  };
  /// The first case whose condition is true counts; without any, nothing changes there. A null
  /// condition is true.
  struct Case {
    FormulaPtr condition = {};
    FormulaPtr formula = {};  ///< of a relation
    std::uint32_t value = 0;  ///< of an enumeration
    Reference reference = {};
  };

  std::uint32_t component = 0;
  std::vector<Sort> bound = {};
  std::vector<Term> index = {};
  std::vector<Case> cases = {};
  Position where = {};
};

struct Variable {
  std::string name;
  Sort sort = Sort::transaction;
};

/// One step of one client or of one key's server. All updates look at the state before the event.
/// If two updates are of the same place, the later one counts.
struct Event {
  std::string name;
  std::vector<Variable> parameters;
  /// Whose step it is: one of the parameters, of sort client or key.
  std::optional<std::uint32_t> at = {};
  FormulaPtr guard;
  std::vector<Update> updates;
  /// Numbers of parameters: the transaction that begins, takes effect (commits), or whose client
  /// gets its answer here.
  std::optional<std::uint32_t> begins = {}, commits = {}, answers = {};
  Position where = {};
};

/// A formula with names for its first variables.
struct Named {
  std::vector<Variable> variables;
  FormulaPtr formula;  ///< null: not given
};

/// What clients see of a transaction; variable 0 is it.
struct Observation {
  Named committed;  ///< t
  Named reads;      ///< t, k, w: it read the version of k that w wrote
  Named writes;     ///< t, k
};

/// The abstract store that a refinement maps states to: for every key a list of versions, named by
/// their writers, with their readers.
struct Refinement {
  Named installed;  ///< k, x: x has a version of k
  Named before;     ///< k, x, y: that of x is earlier than that of y
  Named reader;     ///< k, w, x: x has read the version of w
  Named sees;       ///< c, x: client c's view has the versions of x; default: the initial one only
  /// At a commit event: what is in the view that the transaction reads from (variables: the event's
  /// parameters, then x). Null: all that is installed.
  std::vector<std::pair<std::uint32_t, FormulaPtr>> view;  ///< by number of the event
  /// In the same way, the read-only transactions that the view's closure may pass through
  /// (canCommit). Null: none.
  std::vector<std::pair<std::uint32_t, FormulaPtr>> auxiliary;
};

/// Instead of a refinement: orders on committed transactions that show the level.
struct OrderWitness {
  Named before;  ///< t, u: arbitration
  Named sees;    ///< t, u: u sees t; null: as `before`
};

struct Model;

/// What a part of another model's state is in a state of this one. Variables: its parameters.
struct ComponentMap {
  /// A relation has one formula. An enumeration has one for every value: that it has this value. A
  /// reference has one that says that it refers to an additional variable, and, if it is not total,
  /// one that says that it is none. Empty: the component is left out, as history variables can be.
  std::vector<FormulaPtr> formulas = {};
  std::optional<Term> term = {};  ///< of a total reference: it is this
  bool is_chosen = false;         ///< a reference to that of which a formula is true: needs a proof
  Position where = {};
};

/// What another model does at an event of this one; arguments are terms of its parameters.
struct EventMap {
  std::uint32_t event = 0;
  std::vector<Term> arguments = {};
};

/// How a model refines another one: every step is a step of the other one, or changes nothing
/// there.
struct ModelMap {
  std::string name;  ///< "atomic"
  std::shared_ptr<const Model> model;
  std::vector<std::uint32_t> orders = {};       ///< the other one's: their numbers here
  std::vector<ComponentMap> components = {};    ///< by number there
  std::vector<std::optional<EventMap>> events;  ///< by number here; nothing: changes nothing there
  Position where = {};
};

struct Invariant {
  std::string name;
  FormulaPtr formula;  ///< closed
};

/// A protocol as a text file states it.
struct Model {
  std::string name;
  std::string title;
  std::string citation;
  std::vector<std::string> claims;  ///< levels, strongest first: "SSER"
  std::vector<Enumeration> enumerations;
  std::vector<std::string> orders;  ///< total orders of transactions; the initial one is first
  std::vector<Component> components;
  std::vector<Event> events;
  Observation observation;
  std::optional<Refinement> refinement;
  std::optional<OrderWitness> witness;
  std::optional<ModelMap> refines;
  std::vector<Invariant> invariants;  ///< the author's, to be proved like all others
};

}  // namespace isoscope::protocol
