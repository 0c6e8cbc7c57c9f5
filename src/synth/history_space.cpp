#include "synth/history_space.h"

#include <algorithm>

namespace isoscope::synth {

// Bit i of the running count after each input says that more than i bits were true so far.
std::vector<Bit> counted(Circuit& circuit, const std::vector<Bit>& bits, std::size_t bound) {
  std::vector<Bit> count(bound + 1, no);
  for (const Bit bit : bits)
    for (std::size_t i = count.size(); i-- > 0;)
      count[i] = circuit.either(count[i], i == 0 ? bit : circuit.both(bit, count[i - 1]));
  return count;
}

HistorySpace::HistorySpace(Circuit& circuit, const Scope& scope, std::size_t transactions,
                           std::size_t keys, const Needs& needs)
    : circuit_(circuit) {
  const std::size_t n = transactions + 1;
  history_.transactions = n;
  history_.keys = keys;
  make_writes();
  make_reads();
  make_keys();
  make_session_order(scope.any_session_order, needs.sessions_ascend);
  history_.rt = BitRelation(n, n);
  for (std::size_t t = 1; t < n; ++t) history_.rt.at(0, t) = yes;
  if (needs.real_time) make_real_time();
  history_.seen_before.assign(keys, BitRelation(n, n));
  if (needs.seen_before) make_seen_before();
  bound_operations(scope);
}

void HistorySpace::make_writes() {
  history_.writes = BitRelation(history_.transactions, history_.keys);
  for (std::size_t t = 1; t < history_.transactions; ++t)
    for (std::size_t x = 0; x < history_.keys; ++x) history_.writes.at(t, x) = circuit_.variable();
}

// The initial transaction writes all keys that exist.
void HistorySpace::make_keys() {
  const std::size_t n = history_.transactions;
  for (std::size_t x = 0; x < history_.keys; ++x) {
    std::vector<Bit> uses;
    for (std::size_t t = 1; t < n; ++t) {
      uses.push_back(history_.writes.at(t, x));
      // A transaction that reads from another one reads what that one wrote, which counts already.
      uses.push_back(history_.wr[x].at(0, t));
    }
    history_.writes.at(0, x) = circuit_.any_of(std::move(uses));
  }
}

void HistorySpace::make_reads() {
  const std::size_t n = history_.transactions;
  history_.wr.assign(history_.keys, BitRelation(n, n));
  for (std::size_t x = 0; x < history_.keys; ++x) {
    for (std::size_t t = 1; t < n; ++t) {
      for (std::size_t s = 0; s < n; ++s) {
        if (s == t) continue;
        history_.wr[x].at(s, t) = circuit_.variable();
        if (s > 0)
          circuit_.require(circuit_.implies(history_.wr[x].at(s, t), history_.writes.at(s, x)));
        for (std::size_t r = 0; r < s; ++r)
          if (r != t)
            circuit_.require(!circuit_.both(history_.wr[x].at(s, t), history_.wr[x].at(r, t)));
      }
    }
  }
}

// Sessions are chains: two transactions before (or after) a third of their session are ordered.
void HistorySpace::make_session_order(bool any_order, bool ascending) {
  const std::size_t n = history_.transactions;
  BitRelation& so = history_.so;
  so = BitRelation(n, n);
  for (std::size_t i = 1; i < n; ++i) {
    so.at(0, i) = yes;
    for (std::size_t j = i + 1; j < n; ++j) {
      so.at(i, j) = circuit_.variable();
      if (ascending) continue;
      so.at(j, i) = circuit_.variable();
      circuit_.require(!circuit_.both(so.at(i, j), so.at(j, i)));
    }
  }
  for (std::size_t a = 1; a < n; ++a) {
    for (std::size_t b = 1; b < n; ++b) {
      for (std::size_t c = 1; c < n; ++c) {
        if (a == b || b == c || a == c) continue;
        circuit_.require(circuit_.any_of({!so.at(a, b), !so.at(b, c), so.at(a, c)}));
        if (any_order || a > b) continue;
        const Bit ordered = circuit_.either(so.at(a, b), so.at(b, a));
        circuit_.require(circuit_.any_of({!so.at(a, c), !so.at(b, c), ordered}));
        circuit_.require(circuit_.any_of({!so.at(c, a), !so.at(c, b), ordered}));
      }
    }
  }
}

// Begin and end times exist for `rt` if and only if it is an interval order: for any two pairs that
// are in it, the first of one is before the second of the other. A session runs one transaction
// after the other.
void HistorySpace::make_real_time() {
  const std::size_t n = history_.transactions;
  BitRelation& rt = history_.rt;
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 1; j < n; ++j)
      if (i != j) rt.at(i, j) = circuit_.variable();
  for (std::size_t a = 1; a < n; ++a) {
    for (std::size_t b = 1; b < n; ++b) {
      if (a == b) continue;
      circuit_.require(circuit_.implies(history_.so.at(a, b), rt.at(a, b)));
      for (std::size_t c = 1; c < n; ++c) {
        for (std::size_t d = 1; d < n; ++d) {
          if (c == d) continue;  // with b == c this is transitivity: rt(c, b) is "no" then
          circuit_.require(circuit_.any_of({!rt.at(a, b), !rt.at(c, d), rt.at(a, d), rt.at(c, b)}));
        }
      }
    }
  }
}

// Every transaction reads its keys in some order. An order of all keys does as well.
void HistorySpace::make_seen_before() {
  const std::size_t n = history_.transactions;
  const std::size_t keys = history_.keys;
  for (std::size_t t = 0; t < n; ++t) {
    BitRelation before(keys, keys);
    if (t > 0) {
      for (std::size_t x = 0; x < keys; ++x)
        for (std::size_t y = x + 1; y < keys; ++y) {
          before.at(x, y) = circuit_.variable();
          before.at(y, x) = !before.at(x, y);
        }
      circuit_.require(is_total_order(circuit_, before, BitRelation(1, keys, yes)));
    }
    read_order_.push_back(std::move(before));
  }
  for (std::size_t x = 0; x < keys; ++x) {
    for (std::size_t t = 1; t < n; ++t) {
      std::vector<Bit> reads_x;
      for (std::size_t s = 0; s < n; ++s) reads_x.push_back(history_.wr[x].at(s, t));
      const Bit reads = circuit_.any_of(std::move(reads_x));
      for (std::size_t s = 0; s < n; ++s) {
        std::vector<Bit> ways;
        for (std::size_t y = 0; y < keys; ++y)
          if (y != x)
            ways.push_back(
                circuit_.all_of({reads, history_.wr[y].at(s, t), read_order_[t].at(y, x)}));
        history_.seen_before[x].at(s, t) = circuit_.any_of(std::move(ways));
      }
    }
  }
}

void HistorySpace::bound_operations(const Scope& scope) {
  const std::size_t n = history_.transactions;
  for (std::size_t t = 1; t < n; ++t) {
    std::vector<Bit> own;
    for (std::size_t x = 0; x < history_.keys; ++x) {
      std::vector<Bit> any;
      for (std::size_t s = 0; s < n; ++s) any.push_back(history_.wr[x].at(s, t));
      const Bit reads = circuit_.any_of(std::move(any));
      if (!scope.blind_writes) circuit_.require(circuit_.implies(history_.writes.at(t, x), reads));
      own.push_back(reads);
      own.push_back(history_.writes.at(t, x));
    }
    circuit_.require(circuit_.any_of(own));
    if (scope.operations)
      circuit_.require(!counted(circuit_, own, *scope.operations)[*scope.operations]);
    operations_.insert(operations_.end(), own.begin(), own.end());
  }
  // The initial value is one of the values.
  const std::size_t values = scope.values.value_or(n);
  const std::size_t writers = values > 0 ? values - 1 : 0;
  for (std::size_t x = 0; x < history_.keys && writers + 1 < n; ++x) {
    std::vector<Bit> all;
    for (std::size_t t = 1; t < n; ++t) all.push_back(history_.writes.at(t, x));
    circuit_.require(!counted(circuit_, all, writers)[writers]);
  }
}

// A key's number has as its digits which transactions write the key, and which read it from which
// earlier one. These numbers do not increase from key to key.
void HistorySpace::order_keys() {
  const std::size_t n = history_.transactions;
  const auto digits = [&](std::size_t x) {
    std::vector<Bit> bits;
    for (std::size_t t = 1; t < n; ++t) bits.push_back(history_.writes.at(t, x));
    for (std::size_t t = 1; t < n; ++t)
      for (std::size_t s = 0; s < t; ++s) bits.push_back(history_.wr[x].at(s, t));
    return bits;
  };
  for (std::size_t x = 0; x + 1 < history_.keys; ++x) {
    const std::vector<Bit> left = digits(x), right = digits(x + 1);
    Bit same_so_far = yes;
    for (std::size_t i = 0; i < left.size(); ++i) {
      circuit_.require(circuit_.any_of({!same_so_far, left[i], !right[i]}));
      // Only this direction is needed: a copy that may be false too often would lose histories.
      const Bit same = circuit_.same(left[i], right[i]);
      same_so_far = circuit_.both(same_so_far, same);
    }
  }
}

// Every relation of the history beside the matrix of the structure that holds it.
template <class Structure, class Visit>
void HistorySpace::for_each_relation(Structure& structure, Visit visit) const {
  visit(history_.so, structure.so);
  visit(history_.rt, structure.rt);
  visit(history_.writes, structure.writes);
  for (std::size_t x = 0; x < history_.keys; ++x) {
    visit(history_.wr[x], structure.wr[x]);
    visit(history_.seen_before[x], structure.seen_before[x]);
  }
}

spec::Structure HistorySpace::structure() const {
  spec::Structure result = spec::empty_structure(history_.transactions - 1, history_.keys);
  result.writes.rows[0] = 0;  // not of keys that do not exist
  for_each_relation(result, [&](const BitRelation& bits, spec::Matrix& matrix) {
    for (std::size_t i = 0; i < bits.rows(); ++i)
      for (std::size_t j = 0; j < bits.columns(); ++j)
        if (circuit_.value(bits.at(i, j))) matrix.add(i, j);
  });
  return result;
}

std::vector<Bit> HistorySpace::facts(const spec::Structure& structure) const {
  std::vector<Bit> result;
  for_each_relation(structure, [&](const BitRelation& bits, const spec::Matrix& matrix) {
    for (std::size_t i = 0; i < bits.rows(); ++i)
      for (std::size_t j = 0; j < bits.columns(); ++j)
        result.push_back(matrix.has(i, j) ? bits.at(i, j) : !bits.at(i, j));
  });
  return result;
}

}  // namespace isoscope::synth
