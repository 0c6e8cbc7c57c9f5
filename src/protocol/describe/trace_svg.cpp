#include <optional>
#include <set>

#include "isoscope/draw/sequence_svg.h"
#include "isoscope/protocol/trace.h"

// A lane for every client and key; steps one below the other. In these models a message is a look
// at the other one's state. An arrow goes where one may have been sent: from a client's last step
// of a transaction to each step of it at a key, and from those to the client's next one.

namespace isoscope::protocol {

namespace {

enum Style : std::size_t { at_client, at_key, commits };

const std::vector<SequenceStyle>& styles() {
  static const std::vector<SequenceStyle> all = {
      {"#dcebfa", "#5b8dbf"}, {"#e3f3df", "#6aa25c"}, {"#fbe6cf", "#cf8f45"}};
  return all;
}

/// The lanes of clients come first, then those of keys.
std::vector<std::string> lanes_of(const Sizes& sizes) {
  std::vector<std::string> lanes;
  for (std::size_t client = 0; client < sizes.clients; ++client) {
    lanes.push_back(client_name(client));
  }
  for (std::size_t key = 0; key < sizes.keys; ++key) lanes.push_back("key " + key_name(key));
  return lanes;
}

SequenceStep drawn_step(const Model& model, const Trace& trace, const Trace::Step& step) {
  const Event& event = model.events[step.event];
  SequenceStep result;
  result.text = text_of(model, step);
  if (event.at) {
    const bool is_client = event.parameters[*event.at].sort == Sort::client;
    result.lane = step.parameters[*event.at] + (is_client ? 0 : trace.sizes.clients);
  }
  result.style = event.commits ? commits : result.lane < trace.sizes.clients ? at_client : at_key;
  return result;
}

/// The first transaction that the step names.
std::optional<std::uint8_t> transaction_of(const Model& model, const Trace::Step& step) {
  const Event& event = model.events[step.event];
  for (std::size_t p = 0; p < event.parameters.size(); ++p) {
    if (event.parameters[p].sort == Sort::transaction) return step.parameters[p];
  }
  return std::nullopt;
}

std::vector<SequenceMessage> messages_of(const Model& model, const Trace& trace,
                                         const std::vector<SequenceStep>& steps) {
  std::vector<SequenceMessage> result;
  for (std::size_t to = 0; to < steps.size(); ++to) {
    const auto transaction = transaction_of(model, trace.steps[to]);
    if (!transaction) continue;
    const bool to_client = steps[to].lane < trace.sizes.clients;
    std::set<std::size_t> senders;
    for (std::size_t from = to; from-- > 0;) {
      if (transaction_of(model, trace.steps[from]) != transaction) continue;
      const bool from_client = steps[from].lane < trace.sizes.clients;
      if (from_client != to_client && senders.insert(steps[from].lane).second) {
        result.push_back({from, to});
      }
      if (from_client) break;
    }
  }
  return result;
}

}  // namespace

std::string svg_of(const Model& model, const Trace& trace, std::string_view title,
                   const std::vector<std::string>& notes) {
  SequenceDiagram diagram{.title = std::string(title),
                          .notes = notes,
                          .lanes = lanes_of(trace.sizes),
                          .styles = styles(),
                          .steps = {},
                          .messages = {}};
  const std::string start = start_text(model, trace);
  for (std::size_t at = 0; at < start.size();) {
    const std::size_t end = start.find('\n', at);
    diagram.notes.push_back(start.substr(at, end - at));
    at = end + 1;
  }
  for (const Trace::Step& step : trace.steps) {
    diagram.steps.push_back(drawn_step(model, trace, step));
  }
  diagram.messages = messages_of(model, trace, diagram.steps);
  return svg_of(diagram);
}

}  // namespace isoscope::protocol
