#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace isoscope {

/// The colours of a kind of step (any SVG colour).
struct SequenceStyle {
  std::string fill;
  std::string stroke;
};

/// A box on a lane. Each step is below the one before it.
struct SequenceStep {
  std::string text;  ///< one line
  std::size_t lane = 0;
  std::size_t style = 0;
};

/// An arrow from one step to a later one on another lane.
struct SequenceMessage {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// A sequence diagram: lanes side by side, numbered steps one below the other, and messages between
/// them. All texts are UTF-8 without control characters.
struct SequenceDiagram {
  std::string title;
  std::vector<std::string> notes;  ///< lines under the title
  std::vector<std::string> lanes;  ///< what is at the head of each
  std::vector<SequenceStyle> styles;
  std::vector<SequenceStep> steps;
  std::vector<SequenceMessage> messages;
};

/// The picture as an SVG document, the same bytes on every machine. It needs no fonts or files
/// besides. All lanes are as wide as the widest step needs.
std::string svg_of(const SequenceDiagram& diagram);

}  // namespace isoscope
