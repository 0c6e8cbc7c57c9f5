#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "isoscope/draw/text_width.h"
#include "isoscope/protocol/trace.h"

// A line of life for every client and key; steps one below the other. In these models a message is
// a look at the other one's state. An arrow goes where one may have been sent: from a client's last
// step of a transaction to each step of it at a key, and from those to the client's next one.

namespace isoscope::protocol {

namespace {

constexpr int margin = 24;
constexpr int title_size = 18;
constexpr int note_size = 12;
constexpr int label_size = 12;
constexpr int line_height = 17;
constexpr int row_height = 34;
constexpr int box_height = 22;
constexpr int box_padding = 8;
constexpr int number_width = 30;

struct Box {
  int column = 0;
  int middle = 0;  ///< y
  int width = 0;
  std::string text;
  std::optional<std::uint8_t> transaction;  ///< the first that the step names
  std::string_view fill, stroke;
};

std::string number(int value) { return std::to_string(value); }

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string text_at(std::string_view css_class, int x, int y, std::string_view text) {
  return "<text class=\"" + std::string(css_class) + "\" x=\"" + number(x) + "\" y=\"" + number(y) +
         "\">" + escaped(text) + "</text>\n";
}

std::vector<std::pair<std::size_t, std::size_t>> messages(const std::vector<Box>& boxes,
                                                          int clients) {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t to = 0; to < boxes.size(); ++to) {
    const bool to_client = boxes[to].column < clients;
    std::set<int> senders;
    for (std::size_t from = to; from-- > 0;) {
      if (!boxes[to].transaction || boxes[from].transaction != boxes[to].transaction) continue;
      const bool from_client = boxes[from].column < clients;
      if (from_client != to_client && senders.insert(boxes[from].column).second) {
        result.emplace_back(from, to);
      }
      if (from_client) break;
    }
  }
  return result;
}

}  // namespace

std::string svg_of(const Model& model, const Trace& trace, std::string_view title,
                   const std::vector<std::string>& notes) {
  const auto columns = static_cast<int>(trace.sizes.clients + trace.sizes.keys);
  const auto heading = [&](int column) {
    const auto c = static_cast<std::size_t>(column);
    return c < trace.sizes.clients ? client_name(c) : "key " + key_name(c - trace.sizes.clients);
  };

  std::vector<std::string> lines = notes;
  const std::string start = start_text(model, trace);
  for (std::size_t at = 0; at < start.size();) {
    const std::size_t end = start.find('\n', at);
    lines.push_back(start.substr(at, end - at));
    at = end + 1;
  }
  const int top = margin + title_size + 10 + static_cast<int>(lines.size()) * line_height + 16;

  std::vector<Box> boxes;
  int box_width = 60;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Trace::Step& step = trace.steps[i];
    const Event& event = model.events[step.event];
    Box box;
    if (event.at) {
      const int who = step.parameters[*event.at];
      box.column = event.parameters[*event.at].sort == Sort::client
                       ? who
                       : static_cast<int>(trace.sizes.clients) + who;
    }
    box.middle = top + row_height + static_cast<int>(i) * row_height;
    box.text = text_of(model, step);
    box.width = text_width(box.text, label_size) + 2 * box_padding;
    box_width = std::max(box_width, box.width);
    for (std::size_t p = event.parameters.size(); p-- > 0;) {
      if (event.parameters[p].sort == Sort::transaction) box.transaction = step.parameters[p];
    }
    box.fill = event.commits                                        ? "#fbe6cf"
               : box.column < static_cast<int>(trace.sizes.clients) ? "#dcebfa"
                                                                    : "#e3f3df";
    box.stroke = event.commits                                        ? "#cf8f45"
                 : box.column < static_cast<int>(trace.sizes.clients) ? "#5b8dbf"
                                                                      : "#6aa25c";
    boxes.push_back(std::move(box));
  }

  const int column_width = box_width + 24;
  const auto centre = [&](int column) {
    return margin + number_width + column * column_width + column_width / 2;
  };
  int width = 2 * margin + number_width + columns * column_width;
  width = std::max(width, 2 * margin + text_width(title, title_size));
  for (const std::string& line : lines) {
    width = std::max(width, 2 * margin + text_width(line, note_size));
  }
  const int bottom = top + row_height * static_cast<int>(boxes.size() + 1);
  const int height = bottom + margin;

  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) +
                    "\" height=\"" + number(height) + "\" viewBox=\"0 0 " + number(width) + " " +
                    number(height) + "\" role=\"img\">\n<title>" + escaped(title) +
                    "</title>\n"
                    "<style>\n"
                    "text { font-family: 'DejaVu Sans', Verdana, Arial, Helvetica, sans-serif; "
                    "fill: #1c2733; }\n"
                    ".title { font-size: " +
                    number(title_size) + "px; }\n.note { font-size: " + number(note_size) +
                    "px; fill: #4a5663; }\n.step { font-size: " + number(label_size) +
                    "px; text-anchor: middle; }\n.who { font-size: " + number(label_size) +
                    "px; font-weight: bold; text-anchor: middle; }\n"
                    ".life { stroke: #9aa5b1; stroke-dasharray: 4 4; }\n"
                    ".message { stroke: #8a95a1; fill: none; marker-end: url(#head); }\n"
                    "</style>\n"
                    "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
                    "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">"
                    "<path d=\"M0,0 L8,4 L0,8 z\" fill=\"#8a95a1\"/></marker></defs>\n";
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  svg += text_at("title", margin, margin + title_size, title);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    svg += text_at("note", margin,
                   margin + title_size + 10 + static_cast<int>(i + 1) * line_height - 4, lines[i]);
  }
  for (int column = 0; column < columns; ++column) {
    const std::string x = number(centre(column));
    svg += "<line class=\"life\" x1=\"" + x + "\" y1=\"" + number(top + 6) + "\" x2=\"" + x +
           "\" y2=\"" + number(bottom) + "\"/>\n";
    svg += text_at("who", centre(column), top, heading(column));
  }

  for (const auto& [from, to] : messages(boxes, static_cast<int>(trace.sizes.clients))) {
    const Box &sender = boxes[from], &receiver = boxes[to];
    const int way = sender.column < receiver.column ? 1 : -1;
    svg += "<path class=\"message\" d=\"M" +
           number(centre(sender.column) + way * sender.width / 2) + "," + number(sender.middle) +
           " L" + number(centre(receiver.column) - way * receiver.width / 2) + "," +
           number(receiver.middle) + "\"/>\n";
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& box = boxes[i];
    svg += text_at("note", margin, box.middle + 4, std::to_string(i + 1));
    svg += "<rect x=\"" + number(centre(box.column) - box.width / 2) + "\" y=\"" +
           number(box.middle - box_height / 2) + "\" width=\"" + number(box.width) +
           "\" height=\"" + number(box_height) + "\" rx=\"5\" fill=\"" + std::string(box.fill) +
           "\" stroke=\"" + std::string(box.stroke) + "\"/>\n";
    svg += text_at("step", centre(box.column), box.middle + 4, box.text);
  }
  return svg + "</svg>\n";
}

}  // namespace isoscope::protocol
