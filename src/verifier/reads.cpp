#include "verifier/reads.h"

#include <algorithm>

namespace isoscope::verifier {

namespace {

template <class T>
bool has_repetition(std::vector<T> some) {
  std::ranges::sort(some);
  return std::ranges::adjacent_find(some) != some.end();
}

}  // namespace

Result<const Read*> Reads::find(ReadNumber number) {
  if (!last_ || last_->number != number) {
    ISOSCOPE_TRY(read, interpret(number));
    last_ = std::move(read);
  }
  return &*last_;
}

Result<Read> Reads::interpret(ReadNumber number) const {
  if (number.transaction == 0 || number.transaction > history_.transaction_count()) {
    return Error{"there is no such transaction"};
  }
  const TransactionId reader(number.transaction - 1);
  if (history_.outcome(reader) == Outcome::aborted) return Error{"the reader aborted"};
  const std::span<const Operation> operations = history_.operations(reader);
  if (number.operation == 0 || number.operation > operations.size()) {
    return Error{"there is no such operation"};
  }
  const Operation& last = operations[number.operation - 1];
  if (!last.is_item_read()) return Error{"the operation is no read of a key"};
  if (last.value() == ValuePool::unreported) return Error{"what was read is not known"};
  const KeyUse use = writes_.use(last.key());
  if (use == KeyUse::both) {
    return Error{"the key is both appended to and written: not supported by version 1"};
  }

  Read read = {.number = number, .reader = reader, .key = last.key()};
  std::optional<ValueId> written;      // by the transaction itself, so far
  std::vector<ValueId> appended;       // the same of a list
  std::optional<ValueId> external;     // what others had left, by the read looked at
  std::optional<ValueId> seen_before;  // the same by the first read of it
  bool seen_changing = false;          // and by a later one
  for (const Operation& operation : operations.first(number.operation)) {
    if (operation.is_predicate() || operation.key() != read.key) continue;
    const ValueId value = operation.value();
    if (operation.kind() == OperationKind::append) {
      if (value == ValuePool::unreported) return Error{"an own append is not known"};
      appended.push_back(value);
    } else if (operation.is_item_write()) {
      written = register_value(value);
    } else if (value != ValuePool::unreported) {
      external.reset();
      if (use == KeyUse::list) {
        ValueId list = list_value(history_, read.key, value);
        if (take_end(history_.values(), list, appended)) external = list;
      } else if (!written) {
        external = register_value(value);
      }
      if (!seen_before) seen_before = external;
      if (external && *external != *seen_before) seen_changing = true;
    }
  }
  if (external) {
    read.contradicts_itself = seen_changing;
    if (use == KeyUse::list) {
      take_apart(read, *external, !appended.empty());
    } else {
      find_candidates(read, *external);
    }
  } else {
    read.contradicts_itself = use == KeyUse::list || (*written != register_value(last.value()) &&
                                                      *written != ValuePool::unreported);
    read.silent = "the read says nothing about other transactions";
  }
  return read;
}

void Reads::find_candidates(Read& read, ValueId value) const {
  const auto initial = history_.initial_value(read.key);
  if (initial && register_value(*initial) == value) read.candidates.push_back(0);
  for (const ValueId left : {value, ValuePool::unreported}) {
    for (const Writes::Origin& origin : writes_.origins(read.key, left)) {
      if (origin.writer != read.reader) read.candidates.push_back(number_of(origin.writer));
    }
  }
}

/// Into the initial list and then whole transactions: the last one is the only candidate. If that
/// is not possible there is none.
void Reads::take_apart(Read& read, ValueId list, bool after_own_append) const {
  const ValuePool& values = history_.values();
  std::vector<ValueId> initial;
  const auto initial_value = history_.initial_value(read.key);
  if (initial_value && values.kind(*initial_value) == ValueKind::list) {
    initial = values.list_elements(*initial_value);
  }
  const auto is_appended = [&](ValueId e) { return !writes_.origins(read.key, e).empty(); };
  if (writes_.repeats(read.key) || has_repetition(initial) ||
      std::ranges::any_of(initial, is_appended)) {
    read.silent = "an element was appended twice: not supported by version 1";
    return;
  }
  if (values.kind(list) != ValueKind::list) return;
  const std::vector<ValueId> elements = values.list_elements(list);
  if (elements.size() < initial.size() ||
      !std::equal(initial.begin(), initial.end(), elements.begin())) {
    return;
  }
  std::vector<std::uint32_t> writers;
  for (std::size_t i = initial.size(); i < elements.size();) {
    if (!is_appended(elements[i])) return;
    const TransactionId writer = writes_.origins(read.key, elements[i])[0].writer;
    const std::uint32_t appends = writes_.find(writer, read.key)->appends;
    for (std::uint32_t place = 0; place < appends; ++place, ++i) {
      if (i == elements.size()) return;
      const auto here = writes_.origins(read.key, elements[i]);
      if (here.empty() || here[0].writer != writer || here[0].place != place) return;
    }
    writers.push_back(number_of(writer));
  }
  if (has_repetition(writers) || std::ranges::count(writers, read.number.transaction) != 0) return;
  if (!writers.empty()) {
    read.candidates = {writers.back()};
  } else if (initial_value || after_own_append) {
    read.candidates = {0};
  }
  read.appenders = std::move(writers);
}

}  // namespace isoscope::verifier
