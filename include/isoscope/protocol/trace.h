#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/protocol/instance.h"

namespace isoscope::protocol {

/// A run of a model: where it starts and what happens. It holds only the first state; an Instance
/// gives the others.
struct Trace {
  struct Step {
    std::uint32_t event = 0;
    std::vector<std::uint8_t> parameters;

    bool operator==(const Step&) const = default;
  };

  Sizes sizes;
  std::vector<std::vector<std::uint8_t>> orders;  ///< as an Instance takes them
  State start;
  std::vector<Step> steps;
};

/// The state after a step; one that is not possible is a broken contract.
State state_after(const Instance& instance, const Trace::Step& step, const State& state);

/// All states, the first one first. A step that is not possible is a broken contract.
std::vector<State> states_of(const Model& model, const Trace& trace);

/// Keys are x, y, z, x4...; clients c1, c2...; transactions T1, T2... and init.
std::string key_name(std::size_t key);
std::string client_name(std::size_t client);
std::string transaction_name(std::size_t transaction);

/// "lock-read(x, T1)"
std::string text_of(const Model& model, const Trace::Step& step);
/// Whose step it is: "c1", "x"; empty if the model does not say.
std::string actor_of(const Model& model, const Trace::Step& step);
/// The constants that are true, and the orders; a line each.
std::string start_text(const Model& model, const Trace& trace);

/// For people: the constants and orders, then a line for each step with what it changes.
///
///     constants: participant(x, T1), participant(x, T2)
///      1  c1  begin(c1, T1)      cst(T1) := prepared
std::string text_of(const Model& model, const Trace& trace);

/// A sequence diagram: a line of life for each client and key, time downwards, a box for each step
/// on the line of the client or key that does it. The same bytes on every machine. `notes` stand
/// under the title.
std::string svg_of(const Model& model, const Trace& trace, std::string_view title,
                   const std::vector<std::string>& notes = {});

}  // namespace isoscope::protocol
