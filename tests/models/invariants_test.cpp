// The models that are invariants of what was read, each against its definition, quantifier by
// quantifier, on random logs.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "isoscope/models/check_model.h"
#include "models/random_log.h"
#include "test_scale.h"

namespace isoscope::models {
namespace {

using Operations = std::vector<PlainOperation>;

struct Tally {
  int holds = 0;
  int violated = 0;
  int unknown = 0;
};

/// A model, how its logs are made and written, and what it means.
struct Case {
  Model model;
  std::function<PlainOperation(RandomLog&)> ask = {};
  std::function<void(RandomLog&, PlainOperation&, const Operations&)> answer = {};
  Spell spell = {};
  std::function<Answer(const Operations&)> definition = {};
  ModelOptions options = {};
};

Tally compare(const Case& one, std::uint64_t seed, int rounds) {
  Random random(seed);
  Tally tally;
  for (int round = 0; round < rounds * test_scale(); ++round) {
    RandomLog log(random);
    const Operations all = log.make(
        2 + log.number(8), [&] { return one.ask(log); },
        [&](PlainOperation& operation, const Operations& so_far) {
          one.answer(log, operation, so_far);
        });
    if (all.empty()) continue;
    const std::string text = RandomLog::edn(all, one.spell);
    const auto read = RandomLog::read(text);
    EXPECT_TRUE(read) << read.error().text() << "\n" << text;
    if (!read) return tally;
    const auto verdict = check_model(one.model, *read, one.options);
    EXPECT_TRUE(verdict) << verdict.error().text() << "\n" << text;
    if (!verdict) return tally;
    const Answer expected = one.definition(all);
    EXPECT_EQ(verdict->answer, expected)
        << name_of(verdict->answer) << " instead of " << name_of(expected) << " " << verdict->reason
        << (verdict->errors.empty() ? "" : verdict->errors[0].text) << "\n"
        << text;
    if (verdict->answer != expected) return tally;
    EXPECT_EQ(verdict->answer == Answer::violated, !verdict->errors.empty());
    EXPECT_EQ(verdict->answer == Answer::unknown, !verdict->reason.empty());
    if (expected == Answer::holds) ++tally.holds;
    if (expected == Answer::violated) ++tally.violated;
    if (expected == Answer::unknown) ++tally.unknown;
  }
  return tally;
}

Answer holds_if(bool good) { return good ? Answer::holds : Answer::violated; }

Operations ok_reads(const Operations& all) {
  Operations reads;
  for (const PlainOperation& one : all) {
    if (one.f == "read" && one.is_ok()) reads.push_back(one);
  }
  return reads;
}

bool has(const std::vector<int>& numbers, int number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

TEST(Invariants, BanksAgreeWithTheDefinition) {
  for (const bool negative : {false, true}) {
    for (const bool given : {false, true}) {
      Case bank{.model = Model::bank};
      bank.options.allow_negative_balances = negative;
      if (given) bank.options.total_amount = 10;
      bank.ask = [](RandomLog& log) -> PlainOperation {
        return {.f = log.chance(70) ? "read" : "transfer"};
      };
      bank.answer = [](RandomLog& log, PlainOperation& one, const Operations&) {
        if (one.f != "read") return;
        const int first = log.number(14) - 2;
        one.result = {first, 10 - first - (log.chance(10) ? 1 : 0)};
      };
      bank.spell = [](const PlainOperation& one, bool completed) -> std::string {
        if (one.f == "transfer") return "{:from 0, :to 1, :amount 5}";
        if (!completed || !one.is_ok()) return "nil";
        return "{0 " + std::to_string(one.result[0]) + ", 1 " + std::to_string(one.result[1]) + "}";
      };
      bank.definition = [=](const Operations& all) {
        const Operations reads = ok_reads(all);
        if (reads.empty()) return Answer::unknown;
        std::set<int> totals;
        if (given) totals.insert(10);
        bool below_zero = false;
        for (const PlainOperation& read : reads) {
          totals.insert(read.result[0] + read.result[1]);
          below_zero = below_zero || std::ranges::min(read.result) < 0;
        }
        return holds_if(totals.size() == 1 && (negative || !below_zero));
      };
      const Tally tally = compare(bank, 31, 1'500);
      EXPECT_GT(tally.holds, 200);
      EXPECT_GT(tally.violated, 200);
    }
  }
}

TEST(Invariants, CountersAgreeWithTheDefinition) {
  for (const int lowest : {0, -2}) {
    Case counter{.model = Model::counter};
    counter.ask = [=](RandomLog& log) -> PlainOperation {
      if (log.chance(40)) return {.f = "read"};
      return {.f = "add", .argument = {lowest + log.number(4)}};
    };
    counter.answer = [](RandomLog& log, PlainOperation& one, const Operations& so_far) {
      if (one.f != "read") return;
      int sum = 0;
      for (const PlainOperation& other : so_far) {
        if (other.f == "add" && (other.is_ok() || log.chance(50))) sum += other.argument[0];
      }
      one.result = {sum + (log.chance(25) ? log.number(3) - 1 : 0)};
    };
    counter.spell = [](const PlainOperation& one, bool completed) -> std::string {
      if (one.f == "add") return std::to_string(one.argument[0]);
      return completed && one.is_ok() ? std::to_string(one.result[0]) : "nil";
    };
    // Every choice of the adds that may have happened, with all that certainly had.
    counter.definition = [](const Operations& all) {
      const Operations reads = ok_reads(all);
      if (reads.empty()) return Answer::unknown;
      for (const PlainOperation& read : reads) {
        std::set<int> sums = {0};
        for (const PlainOperation& add : all) {
          if (add.f != "add" || add.failed() || add.invoked >= read.completed) continue;
          const bool certain = add.is_ok() && add.completed < read.invoked;
          std::set<int> next = certain ? std::set<int>() : sums;
          for (const int sum : sums) next.insert(sum + add.argument[0]);
          sums = std::move(next);
        }
        if (read.result[0] < *sums.begin() || read.result[0] > *sums.rbegin())
          return Answer::violated;
      }
      return Answer::holds;
    };
    const Tally tally = compare(counter, 32, 3'000);
    EXPECT_GT(tally.holds, 300);
    EXPECT_GT(tally.violated, 300);
  }
}

/// Adds of numbers and reads that return most of what was asked for.
Case set_case(Model model, bool unique) {
  Case set{.model = model};
  set.ask = [unique, next = 0](RandomLog& log) mutable -> PlainOperation {
    if (log.chance(50)) return {.f = "read"};
    return {.f = "add", .argument = {unique && !log.chance(1) ? next++ % 50 : log.number(5)}};
  };
  set.answer = [](RandomLog& log, PlainOperation& one, const Operations& so_far) {
    if (one.f != "read") return;
    for (const PlainOperation& other : so_far) {
      if (other.f != "add" || has(one.result, other.argument[0])) continue;
      const unsigned share = other.is_ok() ? 95 : other.failed() ? 3 : 50;
      if (log.chance(share)) one.result.push_back(other.argument[0]);
    }
    if (log.chance(2)) one.result.push_back(log.number(60));
    if (!one.result.empty() && log.chance(1)) one.result.push_back(one.result[0]);
  };
  set.spell = [](const PlainOperation& one, bool completed) -> std::string {
    if (one.f == "add") return std::to_string(one.argument[0]);
    return completed && one.is_ok() ? in_brackets(one.result) : "nil";
  };
  return set;
}

TEST(Invariants, SetsAgreeWithTheDefinition) {
  Case set = set_case(Model::set, false);
  set.definition = [](const Operations& all) {
    const Operations reads = ok_reads(all);
    if (reads.empty()) return Answer::unknown;
    const PlainOperation& last = *std::ranges::max_element(reads, {}, &PlainOperation::completed);
    bool good = true;
    for (const PlainOperation& add : all) {
      if (add.f == "add" && add.is_ok() && add.completed < last.invoked)
        good = good && has(last.result, add.argument[0]);
    }
    for (const int element : last.result) {
      good = good && std::ranges::any_of(all, [&](const PlainOperation& add) {
               return add.f == "add" && !add.failed() && add.argument[0] == element &&
                      add.invoked < last.completed;
             });
    }
    return holds_if(good);
  };
  const Tally tally = compare(set, 33, 6'000);
  EXPECT_GT(tally.holds, 1'000);
  EXPECT_GT(tally.violated, 300);
  EXPECT_GT(tally.unknown, 50);
}

/// Whether there is a read that proves the element lost.
bool is_lost(const PlainOperation& add, const Operations& reads) {
  const int element = add.argument[0];
  int known = add.is_ok() ? add.completed : 1'000;
  for (const PlainOperation& read : reads) {
    if (has(read.result, element)) known = std::min(known, read.completed);
  }
  for (const PlainOperation& lacking : reads) {
    if (has(lacking.result, element) || lacking.invoked <= known) continue;
    const bool seen_later = std::ranges::any_of(reads, [&](const PlainOperation& read) {
      const int began = read.invoked != 0 ? read.invoked : read.completed;
      return has(read.result, element) && began > lacking.invoked;
    });
    if (!seen_later) return true;
  }
  return false;
}

/// Whether some read has the element, and all that began later and end after the add began have it.
bool is_stable(const PlainOperation& add, const Operations& reads) {
  const int element = add.argument[0];
  return std::ranges::any_of(reads, [&](const PlainOperation& read) {
    if (!has(read.result, element)) return false;
    const int began = read.invoked != 0 ? read.invoked : read.completed;
    return std::ranges::all_of(reads, [&](const PlainOperation& other) {
      return has(other.result, element) || other.invoked < began || other.completed < add.invoked;
    });
  });
}

TEST(Invariants, FullSetsAgreeWithTheDefinition) {
  Case set = set_case(Model::set_full, true);
  set.definition = [](const Operations& all) {
    const Operations reads = ok_reads(all);
    Operations adds;
    std::set<int> elements;
    for (const PlainOperation& one : all) {
      if (one.f != "add" || one.failed()) continue;
      adds.push_back(one);
      if (!elements.insert(one.argument[0]).second) return Answer::unknown;
    }
    bool good = true;
    bool any_stable = false;
    for (const PlainOperation& read : reads) {
      for (const int element : read.result) {
        good = good && std::ranges::count(read.result, element) == 1;
        good = good && std::ranges::any_of(adds, [&](const PlainOperation& add) {
                 return add.argument[0] == element && add.invoked < read.completed;
               });
      }
    }
    for (const PlainOperation& add : adds) {
      good = good && !is_lost(add, reads);
      any_stable = any_stable || is_stable(add, reads);
    }
    if (good && !any_stable) return Answer::unknown;
    return holds_if(good);
  };
  const Tally tally = compare(set, 34, 8'000);
  EXPECT_GT(tally.holds, 1'000);
  EXPECT_GT(tally.violated, 300);
  EXPECT_GT(tally.unknown, 300);
}

TEST(Invariants, LongForksAgreeWithTheDefinition) {
  Case fork{.model = Model::long_fork};
  fork.ask = [](RandomLog& log) -> PlainOperation {
    if (log.chance(30)) return {.f = "write", .argument = {log.number(40)}};
    if (log.chance(20)) return {.f = "read", .argument = {2, 0}};
    return {.f = "read", .argument = log.chance(50) ? std::vector{0, 1, 2} : std::vector{1, 2, 0}};
  };
  fork.answer = [](RandomLog& log, PlainOperation& one, const Operations&) {
    const int first_missing = log.number(4);
    for (const int key : one.argument) {
      const bool seen = log.chance(15) ? log.chance(50) : key < first_missing;
      one.result.push_back(seen ? (log.chance(1) ? 2 : 1) : 0);
    }
  };
  fork.spell = [](const PlainOperation& one, bool completed) {
    if (one.f == "write") return "[[:w " + std::to_string(one.argument[0]) + " 1]]";
    std::string text = "[";
    for (std::size_t i = 0; i < one.argument.size(); ++i) {
      const int value = completed && one.is_ok() ? one.result[i] : 0;
      text += "[:r " + std::to_string(one.argument[i]) + " " +
              (value == 0 ? "nil" : std::to_string(value)) + "]";
    }
    return text + "]";
  };
  fork.definition = [](const Operations& all) {
    std::multiset<int> written;
    for (const PlainOperation& one : all) {
      if (one.f == "write" && !one.failed()) written.insert(one.argument[0]);
    }
    const auto value = [](const PlainOperation& read, int key) {
      const auto at = std::ranges::find(read.argument, key) - read.argument.begin();
      return read.result[static_cast<std::size_t>(at)];
    };
    const Operations reads = ok_reads(all);
    bool two_values = std::ranges::any_of(written, [&](int key) { return written.count(key) > 1; });
    bool forked = false;
    for (const PlainOperation& a : reads) {
      for (const PlainOperation& b : reads) {
        bool a_ahead = false;
        bool b_ahead = false;
        for (const int key : a.argument) {
          if (!has(b.argument, key)) continue;
          const int mine = value(a, key);
          const int others = value(b, key);
          two_values = two_values || (mine != 0 && others != 0 && mine != others);
          a_ahead = a_ahead || (mine != 0 && others == 0);
          b_ahead = b_ahead || (mine == 0 && others != 0);
        }
        forked = forked || (a.argument.size() == b.argument.size() && a_ahead && b_ahead);
      }
    }
    if (two_values || reads.empty()) return Answer::unknown;
    return holds_if(!forked);
  };
  const Tally tally = compare(fork, 35, 6'000);
  EXPECT_GT(tally.holds, 1'000);
  EXPECT_GT(tally.violated, 300);
  EXPECT_GT(tally.unknown, 100);
}

TEST(Invariants, CommentsAgreeWithTheDefinition) {
  Case comments = set_case(Model::comments, false);
  const auto ask = comments.ask;
  comments.ask = [ask](RandomLog& log) {
    PlainOperation one = ask(log);
    if (one.f == "add") one.f = "write";
    return one;
  };
  comments.answer = [](RandomLog& log, PlainOperation& one, const Operations& so_far) {
    if (one.f != "read") return;
    for (const PlainOperation& other : so_far) {
      if (other.f == "write" && !has(one.result, other.argument[0]) && log.chance(70))
        one.result.push_back(other.argument[0]);
    }
  };
  comments.spell = [](const PlainOperation& one, bool completed) -> std::string {
    if (one.f == "write") return std::to_string(one.argument[0]);
    if (!completed || !one.is_ok()) return "nil";
    const std::string elements = in_brackets(one.result);
    return "#{" + elements.substr(1, elements.size() - 2) + "}";
  };
  comments.definition = [](const Operations& all) {
    const Operations reads = ok_reads(all);
    if (reads.empty()) return Answer::unknown;
    for (const PlainOperation& read : reads) {
      for (const int seen : read.result) {
        int began = 1'000;
        for (const PlainOperation& write : all) {
          if (write.f == "write" && !write.failed() && write.argument[0] == seen)
            began = std::min(began, write.invoked);
        }
        if (began == 1'000) continue;  // only failed writes: nothing is known
        for (const PlainOperation& earlier : all) {
          if (earlier.f == "write" && earlier.is_ok() && earlier.completed < began &&
              !has(read.result, earlier.argument[0]))
            return Answer::violated;
        }
      }
    }
    return Answer::holds;
  };
  const Tally tally = compare(comments, 36, 6'000);
  EXPECT_GT(tally.holds, 1'000);
  EXPECT_GT(tally.violated, 300);
}

TEST(Invariants, SequentialReadsAgreeWithTheDefinition) {
  Case sequential{.model = Model::sequential};
  sequential.ask = [](RandomLog& log) -> PlainOperation {
    return {.f = log.chance(70) ? "read" : "add"};
  };
  sequential.answer = [](RandomLog& log, PlainOperation& one, const Operations&) {
    const int first = log.number(5);
    for (int subkey = 0; subkey < 4; ++subkey)
      one.result.push_back(log.chance(5) ? log.number(2) : subkey >= first ? 1 : 0);
  };
  sequential.spell = [](const PlainOperation& one, bool completed) -> std::string {
    if (one.f == "add") return "[0 \"0_0\"]";
    if (!completed || !one.is_ok()) return "[0 nil]";
    std::string text = "[0 [";
    for (const int found : one.result) text += found == 1 ? "\"k\" " : "nil ";
    return text + "]]";
  };
  sequential.definition = [](const Operations& all) {
    const Operations reads = ok_reads(all);
    if (reads.empty()) return Answer::unknown;
    return holds_if(std::ranges::all_of(
        reads, [](const PlainOperation& read) { return std::ranges::is_sorted(read.result); }));
  };
  const Tally tally = compare(sequential, 37, 3'000);
  EXPECT_GT(tally.holds, 500);
  EXPECT_GT(tally.violated, 300);
}

}  // namespace
}  // namespace isoscope::models
