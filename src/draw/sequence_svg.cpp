#include "isoscope/draw/sequence_svg.h"

#include <algorithm>

#include "draw/svg_text.h"
#include "isoscope/base/contract.h"
#include "isoscope/draw/text_width.h"

namespace isoscope {

namespace {

constexpr int margin = 24;
constexpr int title_size = 18;
constexpr int note_size = 12;
constexpr int label_size = 12;
constexpr int line_height = 17;
constexpr int row_height = 34;
constexpr int box_height = 22;
constexpr int box_padding = 8;
constexpr int least_box_width = 60;
constexpr int lane_gap = 24;
constexpr int number_width = 30;
/// Below the title, and below the last note.
constexpr int title_gap = 10;
constexpr int notes_gap = 16;

/// Where everything is drawn.
class Placed {
 public:
  explicit Placed(const SequenceDiagram& diagram)
      : top_(note_base(diagram.notes.size()) + notes_gap),
        bottom_(row(diagram.steps.size())),
        width_(text_width(diagram.title, title_size)) {
    int widest = least_box_width;
    for (const SequenceStep& step : diagram.steps) widest = std::max(widest, box_width(step));
    lane_width_ = widest + lane_gap;
    width_ = std::max(width_, number_width + static_cast<int>(diagram.lanes.size()) * lane_width_);
    for (const std::string& note : diagram.notes) {
      width_ = std::max(width_, text_width(note, note_size));
    }
  }

  int width() const { return width_ + 2 * margin; }
  int height() const { return bottom_ + margin; }
  /// The heads of lanes stand on this line.
  int top() const { return top_; }
  /// Lanes end here.
  int bottom() const { return bottom_; }
  int centre(std::size_t lane) const {
    return margin + number_width + static_cast<int>(lane) * lane_width_ + lane_width_ / 2;
  }
  /// The middle of the step's row.
  int row(std::size_t step) const {
    return top_ + row_height + static_cast<int>(step) * row_height;
  }
  /// The lower end of this many notes.
  static int note_base(std::size_t notes) {
    return margin + title_size + title_gap + static_cast<int>(notes) * line_height;
  }
  static int box_width(const SequenceStep& step) {
    return text_width(step.text, label_size) + 2 * box_padding;
  }

 private:
  int top_, bottom_;
  int width_;  ///< without margins
  int lane_width_ = 0;
};

std::string opening(const Placed& placed, std::string_view title) {
  const std::string width = svg_number(placed.width()), height = svg_number(placed.height());
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
         "\" viewBox=\"0 0 " + width + " " + height + "\" role=\"img\">\n<title>" +
         svg_escaped(title) +
         "</title>\n"
         "<style>\n" +
         std::string(svg_text_style) + ".title { font-size: " + svg_number(title_size) +
         "px; }\n.note { font-size: " + svg_number(note_size) +
         "px; fill: #4a5663; }\n.step { font-size: " + svg_number(label_size) +
         "px; text-anchor: middle; }\n.who { font-size: " + svg_number(label_size) +
         "px; font-weight: bold; text-anchor: middle; }\n"
         ".life { stroke: #9aa5b1; stroke-dasharray: 4 4; }\n"
         ".message { stroke: #8a95a1; fill: none; marker-end: url(#head); }\n"
         "</style>\n"
         "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
         "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">"
         "<path d=\"M0,0 L8,4 L0,8 z\" fill=\"#8a95a1\"/></marker></defs>\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
}

std::string lane(const Placed& placed, std::size_t number, std::string_view head) {
  const std::string x = svg_number(placed.centre(number));
  return "<line class=\"life\" x1=\"" + x + "\" y1=\"" + svg_number(placed.top() + 6) + "\" x2=\"" +
         x + "\" y2=\"" + svg_number(placed.bottom()) + "\"/>\n" +
         svg_text("who", placed.centre(number), placed.top(), head);
}

/// The arrow begins and ends at the sides of the two boxes that face each other.
std::string message(const Placed& placed, const SequenceDiagram& diagram,
                    const SequenceMessage& sent) {
  const SequenceStep &sender = diagram.steps[sent.from], &receiver = diagram.steps[sent.to];
  const int way = sender.lane < receiver.lane ? 1 : -1;
  return "<path class=\"message\" d=\"M" +
         svg_number(placed.centre(sender.lane) + way * Placed::box_width(sender) / 2) + "," +
         svg_number(placed.row(sent.from)) + " L" +
         svg_number(placed.centre(receiver.lane) - way * Placed::box_width(receiver) / 2) + "," +
         svg_number(placed.row(sent.to)) + "\"/>\n";
}

std::string step_box(const Placed& placed, const SequenceDiagram& diagram, std::size_t number) {
  const SequenceStep& step = diagram.steps[number];
  const SequenceStyle& style = diagram.styles[step.style];
  const int width = Placed::box_width(step), middle = placed.row(number);
  const DrawnBox box{placed.centre(step.lane) - width / 2, middle - box_height / 2, width,
                     box_height};
  return svg_text("note", margin, middle + 4, std::to_string(number + 1)) +
         svg_rectangle(box, 5, style.fill, style.stroke) +
         svg_text("step", placed.centre(step.lane), middle + 4, step.text);
}

}  // namespace

std::string svg_of(const SequenceDiagram& diagram) {
  for (const SequenceStep& step : diagram.steps) {
    ISOSCOPE_REQUIRE(step.lane < diagram.lanes.size() && step.style < diagram.styles.size());
  }
  for (const SequenceMessage& sent : diagram.messages) {
    ISOSCOPE_REQUIRE(sent.from < sent.to && sent.to < diagram.steps.size());
  }
  const Placed placed(diagram);
  std::string svg = opening(placed, diagram.title);
  svg += svg_text("title", margin, margin + title_size, diagram.title);
  for (std::size_t i = 0; i < diagram.notes.size(); ++i) {
    svg += svg_text("note", margin, Placed::note_base(i + 1) - 4, diagram.notes[i]);
  }
  for (std::size_t i = 0; i < diagram.lanes.size(); ++i) svg += lane(placed, i, diagram.lanes[i]);
  for (const SequenceMessage& sent : diagram.messages) svg += message(placed, diagram, sent);
  for (std::size_t i = 0; i < diagram.steps.size(); ++i) svg += step_box(placed, diagram, i);
  return svg + "</svg>\n";
}

}  // namespace isoscope
