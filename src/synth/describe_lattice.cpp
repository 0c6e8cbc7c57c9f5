#include <algorithm>

#include "isoscope/draw/layered_svg.h"
#include "isoscope/synth/describe.h"
#include "synth/describe_parts.h"

namespace isoscope::synth {
namespace {

/// More pairs of undecided levels are for JSON.
constexpr std::size_t most_undecided = 20;

std::string group_text(const Lattice& lattice, const Lattice::Group& group) {
  std::vector<std::string> names;
  for (const std::size_t i : group) names.push_back(lattice.levels[i]->name);
  return joined(names, " = ");
}

std::string first_name(const Lattice& lattice, std::size_t group) {
  return lattice.levels[lattice.groups[group][0]]->name;
}

std::string label_of(std::size_t separator) { return "H" + std::to_string(separator + 1); }

/// The strongest groups that allow the history, or the weakest that forbid it: all else follows
/// from these.
std::vector<std::string> extreme(const Lattice& lattice, const std::vector<bool>& allowed,
                                 bool allowing) {
  const auto is_chosen = [&](const Lattice::Group& group) { return allowed[group[0]] == allowing; };
  std::vector<std::string> names;
  for (std::size_t g = 0; g < lattice.groups.size(); ++g) {
    if (!is_chosen(lattice.groups[g])) continue;
    const bool is_extreme = std::ranges::none_of(lattice.covers, [&](const Lattice::Cover& cover) {
      return allowing ? cover.lower == g && is_chosen(lattice.groups[cover.upper])
                      : cover.upper == g && is_chosen(lattice.groups[cover.lower]);
    });
    if (is_extreme) names.push_back(first_name(lattice, g));
  }
  return names;
}

std::string one_line(const Lattice::Separator& separator) {
  std::string text = history_text(separator.example);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;)
    text.replace(at, 1, "  |  ");
  return text;
}

/// What a reader must know of levels that are not placed, and of all that is missing.
std::vector<std::string> remarks(const Lattice& lattice, const Scope& scope) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < lattice.levels.size(); ++i) {
    std::string text = extent_text(*lattice.levels[i], lattice.extents[i], scope);
    if (text.empty()) continue;
    const bool nothing = lattice.extents[i] == Extent::nothing;
    all.push_back(std::move(text) + (nothing ? " It is not placed." : ""));
  }
  if (!lattice.is_complete) {
    all.push_back("A limit was reached: " + std::to_string(lattice.undecided.size()) +
                  " pairs of levels are undecided, and histories need not be the smallest.");
  }
  return all;
}

}  // namespace

std::string lattice_text(const Lattice& lattice, const Scope& scope) {
  std::string text =
      "The order among " + std::to_string(lattice.levels.size()) + " levels, " + scope_text(scope) +
      ".\nUnder each stand those directly below it, with a history that only the lower one "
      "allows.\n";
  for (const std::string& remark : remarks(lattice, scope)) text += wrapped_lines(remark, "");
  text += "\n";
  for (std::size_t g = 0; g < lattice.groups.size(); ++g) {
    text += group_text(lattice, lattice.groups[g]) + "\n";
    for (const Lattice::Cover& cover : lattice.covers) {
      if (cover.upper != g) continue;
      text += "    " + first_name(lattice, cover.lower) + "  (" + label_of(cover.separator) + ")\n";
    }
  }
  if (!lattice.separators.empty()) {
    text += lattice.undecided.empty()
                ? "\nEvery pair that has no arrow is told apart by one of these histories:\n"
                : "\nHistories that tell levels apart:\n";
  }
  for (std::size_t i = 0; i < lattice.separators.size(); ++i) {
    const Lattice::Separator& separator = lattice.separators[i];
    text += "\n" + label_of(i) + "  " + one_line(separator) + "\n";
    const auto add = [&](const std::string& verb, bool allowing, const std::string& rest) {
      text += wrapped_lines(
          verb + joined(extreme(lattice, separator.allowed, allowing), ", ") + rest, "    ");
    };
    add("allowed by ", true, " and all below");
    add("forbidden by ", false, " and all above");
  }
  const std::vector<Lattice::Pair>& open = lattice.undecided;
  if (!open.empty()) text += "\nNot decided is whether\n";
  for (std::size_t i = 0; i < std::min(open.size(), most_undecided); ++i) {
    text += "    " + lattice.levels[open[i].first]->name + " implies " +
            lattice.levels[open[i].second]->name + "\n";
  }
  if (open.size() > most_undecided)
    text += "    (and " + std::to_string(open.size() - most_undecided) + " more)\n";
  return text;
}

std::string lattice_svg(const Lattice& lattice, const Scope& scope) {
  LayeredDrawing drawing;
  drawing.title = "The order among " + std::to_string(lattice.levels.size()) + " levels";
  drawing.notes = {"Histories " + scope_text(scope) +
                       ". An arrow: what the upper level allows, the lower one allows.",
                   "On each arrow a history that only the lower one allows; it shows when the "
                   "pointer rests on it."};
  for (std::string& remark : remarks(lattice, scope)) drawing.notes.push_back(std::move(remark));
  drawing.styles = {{"levels", "#dcebfa", "#5b8dbf"}, {"histories", "#ffffff", "#c3ccd4"}};
  for (const Lattice::Group& group : lattice.groups) {
    std::vector<std::string> titles;
    for (const std::size_t i : group) titles.push_back(lattice.levels[i]->title);
    drawing.nodes.push_back({group_text(lattice, group), joined(titles, "; "), 0});
  }
  for (const Lattice::Cover& cover : lattice.covers) {
    const std::size_t label = drawing.nodes.size();
    drawing.nodes.push_back(
        {label_of(cover.separator), one_line(lattice.separators[cover.separator]), 1});
    drawing.edges.push_back({cover.upper, label});
    drawing.edges.push_back({label, cover.lower});
  }
  return svg_of(drawing);
}

}  // namespace isoscope::synth
