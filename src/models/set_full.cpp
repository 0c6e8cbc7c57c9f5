#include <algorithm>

#include "models/model_checks.h"

// Clients add elements to a set, and read it all the time. An element is known once its add was
// acknowledged or a read that has it completed. It is lost if a read lacks it that began after it
// was known, and no read that began later has it again: it may come late, but it must come to stay.
//
//   lost         known before the last read that lacks it began, and that one began after all that
//                have it
//   stable       the last read, by its beginning, among those that can tell has it
//   duplicated   a read has it more than once
//   unexpected   a read has it that ended before anybody asked to add it, or every add failed
//
// A read can tell of an element if it ended after the add began. An element that is neither lost
// nor stable was never read, and says nothing. Without any stable element the answer is unknown,
// as in Jepsen. Unexpected elements are no matter to Jepsen, and of duplicates it only speaks.
//
// Reads are gone through from the last one to the first, with the elements that all of them so far
// had. Time: reads times elements at worst, which is what the reads of a growing set have in them.

namespace isoscope::models {

namespace {

using Operation = OperationLog::Operation;

struct Element {
  bool added = false;       ///< by an add that did not fail
  std::uint64_t asked = 0;  ///< the line at which the add began
  std::uint64_t known = OperationLog::never;
  std::optional<std::uint64_t> last_present = {};
  std::optional<std::uint64_t> last_absent = {};
  std::size_t add = 0;
  std::size_t absent = 0;  ///< the read that lacks it

  bool is_lost() const {
    return last_absent && known < *last_absent && (!last_present || *last_present < *last_absent);
  }
  bool is_stable() const { return last_present && (!last_absent || *last_absent < *last_present); }
};

class SetFull {
 public:
  explicit SetFull(const OperationLog& log) : log_(log) {}

  Result<ModelVerdict> run() {
    ISOSCOPE_TRY_STATUS(read_adds());
    if (twice_) {
      verdict_.reason = "an element was added more than once: " + *twice_;
      return std::move(verdict_);
    }
    ISOSCOPE_TRY_STATUS(read_reads());
    find_absences();
    judge();
    return std::move(verdict_);
  }

 private:
  Status read_adds() {
    for (std::size_t i = 0; i < log_.operations().size(); ++i) {
      const Operation& operation = log_.operations()[i];
      if (log_.f(operation) != "add") continue;
      ISOSCOPE_TRY(argument, argument_of(log_, operation));
      const std::size_t number = numbers_.number_of(argument);
      elements_.resize(numbers_.size());
      if (operation.outcome == Outcome::aborted) continue;
      Element& element = elements_[number];
      if (element.added && !twice_) twice_ = argument.text();
      element.added = true;
      element.asked = operation.invoked;
      element.add = i;
      if (is_ok(operation)) element.known = operation.completed;
    }
    return Done{};
  }

  Status read_reads() {
    for (std::size_t i = 0; i < log_.operations().size(); ++i) {
      const Operation& read = log_.operations()[i];
      if (log_.f(read) != "read" || !is_ok(read)) continue;
      ISOSCOPE_TRY(content, elements_of(log_, read));
      reads_.push_back(i);
      contents_.emplace_back();
      for (const LogValue element : content)
        contents_.back().push_back(numbers_.number_of(element));
      elements_.resize(numbers_.size());
      std::ranges::sort(contents_.back());
      note_presence(i, contents_.back());
    }
    return Done{};
  }

  void note_presence(std::size_t place, std::vector<std::size_t>& content) {
    const Operation& read = log_.operations()[place];
    const std::string name = operation_name(log_, read);
    const auto after_distinct = std::ranges::unique(content);
    if (after_distinct.begin() != content.end()) {
      ++duplicated_;
      add_error(verdict_, {"duplicated", {place}, name + " has an element more than once"});
    }
    content.erase(after_distinct.begin(), after_distinct.end());
    for (const std::size_t number : content) {
      Element& element = elements_[number];
      if (!element.added || element.asked > read.completed) {
        ++unexpected_;
        add_error(verdict_, {"unexpected",
                             {place},
                             name + " has " + numbers_.text(number) +
                                 ", but nobody can have added it by then"});
        continue;
      }
      element.known = std::min(element.known, read.completed);
      // A read whose beginning nobody logged may have begun as late as it ended.
      const std::uint64_t began = read.invoked != 0 ? read.invoked : read.completed;
      element.last_present = std::max(element.last_present.value_or(0), began);
    }
  }

  /// For each element, the last read by its beginning that lacks it and could tell.
  void find_absences() {
    std::vector<std::size_t> order(reads_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, std::greater<>(),
                      [&](std::size_t i) { return log_.operations()[reads_[i]].invoked; });
    std::vector<std::size_t> open;  // no read so far lacks them
    for (std::size_t number = 0; number < elements_.size(); ++number) {
      if (elements_[number].added) open.push_back(number);
    }
    for (const std::size_t i : order) {
      const Operation& read = log_.operations()[reads_[i]];
      std::erase_if(open, [&](std::size_t number) {
        Element& element = elements_[number];
        if (element.asked > read.completed) return false;
        if (std::ranges::binary_search(contents_[i], number)) return false;
        element.last_absent = read.invoked;
        element.absent = reads_[i];
        return true;
      });
    }
  }

  void judge() {
    std::int64_t attempts = 0;
    std::int64_t stable = 0;
    std::int64_t lost = 0;
    for (std::size_t number = 0; number < elements_.size(); ++number) {
      const Element& element = elements_[number];
      if (!element.added) continue;
      ++attempts;
      if (element.is_stable()) ++stable;
      if (!element.is_lost()) continue;
      ++lost;
      add_error(verdict_,
                {"lost",
                 {element.add, element.absent},
                 operation_name(log_, log_.operations()[element.absent]) + " lacks " +
                     numbers_.text(number) + ", which was known before, and no later read has it"});
    }
    verdict_.counts = {{"attempt-count", attempts},
                       {"stable-count", stable},
                       {"lost-count", lost},
                       {"never-read-count", attempts - stable - lost},
                       {"duplicated-count", duplicated_},
                       {"unexpected-count", unexpected_}};
    if (verdict_.answer == Answer::violated) return;
    if (stable > 0) {
      verdict_.answer = Answer::holds;
    } else {
      verdict_.reason = "no element was there to stay";
    }
  }

  const OperationLog& log_;
  ModelVerdict verdict_;
  ElementNumbers numbers_;
  std::vector<Element> elements_;
  std::optional<std::string> twice_;
  std::vector<std::size_t> reads_;
  std::vector<std::vector<std::size_t>> contents_;  // of the reads: distinct numbers, sorted
  std::int64_t duplicated_ = 0;
  std::int64_t unexpected_ = 0;
};

}  // namespace

Result<ModelVerdict> check_set_full(const OperationLog& log, const ModelOptions&) {
  ISOSCOPE_TRY_STATUS(expect_functions(log, {"add", "read"}));
  return SetFull(log).run();
}

}  // namespace isoscope::models
