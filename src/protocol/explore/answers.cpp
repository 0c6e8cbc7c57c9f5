#include "protocol/explore/answers.h"

#include <algorithm>
#include <bit>

#include "isoscope/protocol/trace.h"

namespace isoscope::protocol {

Answers::Answers(const System& system, const Packing& packing,
                 const std::vector<Renaming>& renamings)
    : system_(system), packing_(packing), renamings_(renamings) {
  const bool are_apart = std::ranges::any_of(
      system.model().events, [](const Event& event) { return event.answers && !event.commits; });
  if (are_apart) by_root_.resize(packing.roots().size());
}

bool Answers::is_new(const Step& step) const {
  const Known& known = by_root_[step.root];
  for (std::size_t kind = 0; kind < step.committed.size(); ++kind) {
    if ((step.committed[kind] & ~known.committed[kind]) != 0 ||
        (step.answered[kind] & ~known.answered[kind]) != 0)
      return true;
  }
  return false;
}

void Answers::add(std::span<const Step> steps) {
  for (const Step& step : steps) {
    Known& known = by_root_[step.root];
    for (std::size_t kind = 0; kind < step.committed.size(); ++kind) {
      known.committed[kind] |= step.committed[kind];
      known.answered[kind] |= step.answered[kind];
    }
  }
}

Bits Answers::renamed(Bits transactions, const Root& root) const {
  Bits result = transactions;
  for (const std::uint32_t number : root.symmetry) {
    for (Bits left = transactions; left != 0; left &= left - 1)
      result |=
          bit(renamings_[number].transactions[static_cast<std::size_t>(std::countr_zero(left))]);
  }
  return result;
}

std::string Answers::never_answered() const {
  static constexpr std::string_view does[] = {"", " that reads", " that writes",
                                              " that reads and writes"};
  for (std::size_t i = 0; i < by_root_.size(); ++i) {
    const Root& root = packing_.roots()[i];
    for (std::size_t kind = 0; kind < std::size(does); ++kind) {
      const Bits missing =
          renamed(by_root_[i].committed[kind], root) & ~renamed(by_root_[i].answered[kind], root);
      if (missing == 0) continue;
      Trace start;
      start.sizes = system_.cells().instance().sizes();
      start.start = system_.cells().state(root.values.data());
      const std::string text = start_text(system_.model(), start);
      const bool has_constants = text.starts_with("constants: ");
      return "some transactions are answered, but one" + std::string(does[kind]) +
             " commits and never is: " +
             transaction_name(static_cast<std::size_t>(std::countr_zero(missing))) +
             (has_constants ? ", with the " + text.substr(0, text.find('\n')) : "");
    }
  }
  return "";
}

}  // namespace isoscope::protocol
