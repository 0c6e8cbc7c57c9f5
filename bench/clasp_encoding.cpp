#include "clasp_encoding.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <map>

namespace isoscope {

namespace {

constexpr std::uint32_t nobody = 0xFFFFFFFF;

/// Takes a history apart, one transaction at a time.
class Questioner {
 public:
  Questioner(const History& history, Level level) : history_(history), level_(level) {}

  std::optional<OrderQuestion> run() {
    // Without predicates repeatable read asks for the same as serializable.
    question_.begin_is_commit =
        level_.id == LevelId::serializable || level_.id == LevelId::repeatable_read;
    question_.writers_conflict = level_.id == LevelId::snapshot_isolation;
    const bool has_prefixes = level_.id == LevelId::prefix_consistency;
    if (!question_.begin_is_commit && !question_.writers_conflict && !has_prefixes) {
      return std::nullopt;
    }
    number_transactions();
    question_.writers.resize(history_.key_count());
    writes_.resize(history_.key_count());
    for (const TransactionId t : history_.transactions()) {
      if (number_[t.index()] == nobody) continue;
      if (!take_apart(t)) return std::nullopt;
    }
    find_candidates();
    return std::move(question_);
  }

 private:
  struct Write {
    std::uint32_t writer;
    ValueId value;
  };

  void number_transactions() {
    number_.assign(history_.transaction_count(), nobody);
    for (const SessionId session : history_.sessions()) {
      std::uint32_t before = nobody;
      for (const TransactionId t : history_.session(session)) {
        if (history_.outcome(t) == Outcome::aborted) continue;
        const auto number = static_cast<std::uint32_t>(question_.transactions++);
        number_[t.index()] = number;
        const bool open = history_.outcome(t) == Outcome::indeterminate;
        question_.open.push_back(open ? 1 : 0);
        if (level_.session_order && before != nobody) {
          question_.known.push_back({question_.commit(before), question_.begin(number)});
        }
        before = open ? nobody : number;  // a client that got no answer has connected again
      }
    }
  }

  /// The first read of each key before a write to it, and the last write.
  bool take_apart(TransactionId t) {
    const std::uint32_t number = number_[t.index()];
    std::map<std::uint32_t, ValueId> reads;
    std::map<std::uint32_t, ValueId> writes;
    for (const Operation& operation : history_.operations(t)) {
      switch (operation.kind()) {
        case OperationKind::read:
          if (operation.value() == ValuePool::unreported) continue;
          if (!writes.contains(operation.key().value)) {
            reads.try_emplace(operation.key().value, operation.value());
          }
          continue;
        case OperationKind::write:
        case OperationKind::insert:
        case OperationKind::remove:
          if (operation.value() == ValuePool::unreported) return false;
          writes.insert_or_assign(operation.key().value, operation.value());
          continue;
        default:
          return false;
      }
    }
    for (const auto& [key, value] : reads) {
      question_.reads.push_back({number, key, {}});
      read_values_.push_back(value);
    }
    for (const auto& [key, value] : writes) {
      question_.writers[key].push_back(number);
      writes_[key].push_back({number, value});
    }
    return true;
  }

  void find_candidates() {
    for (std::size_t i = 0; i < question_.reads.size(); ++i) {
      OrderQuestion::Read& read = question_.reads[i];
      if (history_.initial_value(KeyId(read.key)) == read_values_[i]) read.candidates.push_back(0);
      for (const Write& write : writes_[read.key]) {
        if (write.value == read_values_[i] && write.writer != read.reader) {
          read.candidates.push_back(write.writer);
        }
      }
    }
  }

  const History& history_;
  Level level_;
  OrderQuestion question_;
  std::vector<std::uint32_t> number_;       // by TransactionId
  std::vector<ValueId> read_values_;        // by read
  std::vector<std::vector<Write>> writes_;  // by key
};

class Encoder {
 public:
  explicit Encoder(const OrderQuestion& question) : q_(question) {
    committed_.assign(q_.transactions, 0);
  }

  AcyclicFormula run() {
    formula_.nodes = q_.node_count();
    for (const DirectedEdge& edge : q_.known) formula_.arcs.push_back({0, edge});
    if (!q_.begin_is_commit) {
      for (std::uint32_t t = 0; t < q_.transactions; ++t) {
        formula_.arcs.push_back({0, {q_.begin(t), q_.commit(t)}});
      }
    }
    for (std::uint32_t t = 0; t < q_.transactions; ++t) {
      if (q_.open[t] != 0) committed_[t] = formula_.new_variable();
    }
    std::vector<std::vector<const OrderQuestion::Read*>> reads_of(q_.writers.size());
    for (const OrderQuestion::Read& read : q_.reads) reads_of[read.key].push_back(&read);
    for (std::uint32_t key = 0; key < q_.writers.size(); ++key) {
      order_writers(key);
      for (const OrderQuestion::Read* read : reads_of[key]) encode_read(*read);
    }
    return std::move(formula_);
  }

 private:
  /// A literal, or what is known already.
  static constexpr std::int32_t always = 0x7FFFFFFF;
  static constexpr std::int32_t never = -always;

  bool certainly(std::uint32_t from, std::uint32_t to) const {
    return q_.certainly && q_.certainly(from, to);
  }
  bool certainly_earlier(std::uint32_t a, std::uint32_t b) const {
    return certainly(q_.commit(a), q_.held_from(b));
  }

  void arc(std::int32_t literal, std::uint32_t from, std::uint32_t to) {
    formula_.arcs.push_back({literal, {from, to}});
  }

  void order_writers(std::uint32_t key) {
    writers_ = q_.writers[key];
    std::ranges::sort(writers_);
    earlier_.assign(writers_.size() * writers_.size(), 0);
    for (std::size_t a = 0; a < writers_.size(); ++a) {
      for (std::size_t b = a + 1; b < writers_.size(); ++b) {
        std::int32_t literal = 0;
        if (certainly_earlier(writers_[a], writers_[b])) {
          literal = always;
        } else if (certainly_earlier(writers_[b], writers_[a])) {
          literal = never;
        } else {
          literal = formula_.new_variable();
          arc(literal, q_.commit(writers_[a]), q_.held_from(writers_[b]));
          arc(-literal, q_.commit(writers_[b]), q_.held_from(writers_[a]));
        }
        earlier_[a * writers_.size() + b] = literal;
        earlier_[b * writers_.size() + a] = -literal;
      }
    }
  }

  std::int32_t earlier(std::uint32_t first, std::size_t second) const {
    if (first == 0) return always;
    const auto at =
        static_cast<std::size_t>(std::ranges::lower_bound(writers_, first) - writers_.begin());
    return earlier_[at * writers_.size() + second];
  }

  void encode_read(const OrderQuestion::Read& read) {
    const std::int32_t reader_counts = committed_[read.reader];
    const bool source_known = read.candidates.size() == 1 && reader_counts == 0;
    before_.assign(writers_.size(), 0);
    std::vector<std::int32_t> one_of;
    if (reader_counts != 0) one_of.push_back(-reader_counts);
    for (const std::uint32_t source : read.candidates) {
      std::int32_t chosen = 0;
      if (!source_known) one_of.push_back(chosen = formula_.new_variable());
      if (source != 0) arc(chosen, q_.commit(source), q_.begin(read.reader));
      if (committed_[source] != 0) {
        if (chosen == 0) {
          formula_.add_clause({committed_[source]});
        } else {
          formula_.add_clause({-chosen, committed_[source]});
        }
      }
      for (std::size_t w = 0; w < writers_.size(); ++w) {
        if (writers_[w] != source && writers_[w] != read.reader) {
          order_reader(read.reader, chosen, earlier(source, w), w);
        }
      }
    }
    if (!source_known) formula_.add_clause(one_of);  // empty: nobody wrote what was read
  }

  /// If the source is chosen and earlier than the writer, the reader begins before that commits.
  void order_reader(std::uint32_t reader, std::int32_t chosen, std::int32_t earlier,
                    std::size_t writer) {
    const std::uint32_t from = q_.begin(reader);
    const std::uint32_t to = q_.commit(writers_[writer]);
    if (earlier == never || certainly(from, to)) return;
    if (chosen == 0) {
      arc(earlier == always ? 0 : earlier, from, to);
    } else if (earlier == always) {
      arc(chosen, from, to);
    } else {
      if (before_[writer] == 0) arc(before_[writer] = formula_.new_variable(), from, to);
      formula_.add_clause({-chosen, -earlier, before_[writer]});
    }
  }

  const OrderQuestion& q_;
  AcyclicFormula formula_;
  std::vector<std::int32_t> committed_;  // by transaction; 0: certainly
  std::vector<std::uint32_t> writers_;   // of the present key
  std::vector<std::int32_t> earlier_;    // of two of them
  std::vector<std::int32_t> before_;     // by writer: the present reader is before it
};

void append(std::string& text, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number);
  text.append(digits, end.ptr);
}

}  // namespace

std::optional<OrderQuestion> order_question(const History& history, Level level) {
  return Questioner(history, level).run();
}

AcyclicFormula encode(const OrderQuestion& question) { return Encoder(question).run(); }

std::string clasp_text(const AcyclicFormula& formula) {
  const std::int32_t always = formula.variables + 1;
  const std::int32_t other = always + 1;
  std::vector<std::uint8_t> owns(static_cast<std::size_t>(always), 0);
  std::string arcs;
  for (const AcyclicFormula::Arc& arc : formula.arcs) {
    const std::int32_t literal = arc.literal == 0 ? always : arc.literal;
    owns[static_cast<std::size_t>(std::abs(literal) - 1)] = 1;
    arcs += "c arc ";
    append(arcs, literal);
    arcs += ' ';
    append(arcs, std::int64_t{arc.edge.from} + 1);
    arcs += ' ';
    append(arcs, std::int64_t{arc.edge.to} + 1);
    arcs += '\n';
  }
  // clasp gives a literal that clauses have with one sign only the value that suits them, before it
  // looks at the arcs. So every variable with arcs is put into two clauses that say nothing.
  //
  // Besides, clasp 3.3.5 goes wrong (it crashes, or denies what has a solution) once an arc is
  // there at decision level 0, where there is nothing to decide. So nothing is settled there: that
  // `always` is true is assumed, not said, and all clauses hold only if it is. `other` says
  // nothing, only that `always` has both signs, too.
  owns.pop_back();
  const auto guards = 2 * std::ranges::count(owns, 1);
  std::string text = "p cnf ";
  append(text, other);
  text += ' ';
  append(text, static_cast<std::int64_t>(formula.clauses) + guards + 2);
  text += "\nc graph ";
  append(text, static_cast<std::int64_t>(formula.nodes));
  text += '\n' + arcs + "c endgraph\nc assume ";
  append(text, always);
  text += '\n';
  bool starts = true;
  for (const std::int32_t literal : formula.literals) {
    if (starts) {
      append(text, -always);
      text += ' ';
    }
    append(text, literal);
    text += literal == 0 ? '\n' : ' ';
    starts = literal == 0;
  }
  for (std::int32_t variable = 1; variable < always; ++variable) {
    if (owns[static_cast<std::size_t>(variable - 1)] == 0) continue;
    for (const std::int32_t literal : {variable, -variable}) {
      append(text, literal);
      text += ' ';
      append(text, always);
      text += " 0\n";
    }
  }
  for (const std::int32_t sign : {1, -1}) {
    append(text, sign * always);
    text += ' ';
    append(text, sign * other);
    text += " 0\n";
  }
  return text;
}

std::string dimacs_text(const AcyclicFormula& formula) {
  std::string text = "p cnf ";
  append(text, formula.variables);
  text += ' ';
  append(text, static_cast<std::int64_t>(formula.clauses));
  text += '\n';
  for (const std::int32_t literal : formula.literals) {
    append(text, literal);
    text += literal == 0 ? '\n' : ' ';
  }
  return text;
}

AcyclicFormula without_graph(const AcyclicFormula& formula) {
  AcyclicFormula result = formula;
  result.arcs.clear();
  const auto bits = static_cast<std::int32_t>(std::bit_width(formula.nodes));
  const std::int32_t first_bit = result.variables + 1;
  result.variables += bits * static_cast<std::int32_t>(formula.nodes);
  const auto bit = [&](std::uint32_t node, std::int32_t i) {
    return first_bit + static_cast<std::int32_t>(node) * bits + i;
  };
  for (const AcyclicFormula::Arc& arc : formula.arcs) {
    // From the highest bit down, while all above are equal: not (1, 0); (0, 1) decides.
    std::vector<std::int32_t> clause;
    std::int32_t equal_so_far = 0;  // 0: certainly
    for (std::int32_t i = bits - 1; i >= 0; --i) {
      const std::int32_t a = bit(arc.edge.from, i);
      const std::int32_t b = bit(arc.edge.to, i);
      const std::int32_t still_equal = i > 0 ? result.new_variable() : 0;
      const auto add = [&](std::initializer_list<std::int32_t> rest) {
        clause.clear();
        if (arc.literal != 0) clause.push_back(-arc.literal);
        if (equal_so_far != 0) clause.push_back(-equal_so_far);
        clause.insert(clause.end(), rest);
        result.add_clause(clause);
      };
      if (i > 0) {
        add({-a, b});
        add({a, b, still_equal});
        add({-a, -b, still_equal});
      } else {
        add({-a});
        add({b});
      }
      equal_so_far = still_equal;
    }
  }
  return result;
}

}  // namespace isoscope
