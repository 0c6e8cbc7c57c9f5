#include "report/explain/update_words.h"

#include "isoscope/history/litmus_text.h"
#include "report/explain/shortened.h"

namespace isoscope::report {

std::optional<std::string> update_words(const History& history, TransactionId reader,
                                        std::size_t place) {
  const Update* const update = history.update_at(reader, place);
  if (update == nullptr || !update->has_read()) return std::nullopt;
  const std::string key = key_text(history, history.key_of(*update));
  const auto words = [&](ValueId value) { return shortened(value_text(history, value)); };
  const std::string base = key + " = " + words(history.operations(reader)[place].value());
  std::string text = history.label(reader);
  switch (update->function) {
    case Update::Function::add:
      text += " added " + words(update->argument) + " to " + key + " and got " +
              words(update->seen) + ", so it was applied to " + base;
      break;
    case Update::Function::compare_and_set:
      text += (update->is_refused() ? " did not set " : " set ") + key + " from " +
              words(update->argument) + " to " + words(update->replacement);
      text += (update->is_refused() ? ", since it saw " : ", so it was applied to ") + base;
      break;
    case Update::Function::swap:
      text += " swapped " + key + " for " + words(update->argument) + " and got " + base;
      break;
  }
  return text;
}

}  // namespace isoscope::report
