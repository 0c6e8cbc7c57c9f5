#include "verifier/reads.h"

#include <algorithm>
#include <string>

#include "isoscope/base/contract.h"
#include "verifier/rows.h"

namespace isoscope::verifier {

namespace {

template <class T>
bool has_repetition(std::vector<T> some) {
  std::ranges::sort(some);
  return std::ranges::adjacent_find(some) != some.end();
}

/// What a transaction did with one key, operation by operation.
struct Walk {
  const History& history;
  const KeyId key;
  const KeyUse use;

  bool wrote = false;
  ValueId own_row = ValuePool::nil;  ///< what it wrote last, as predicates see it
  std::vector<ValueId> appended = {};
  std::vector<ValueId> seen = {};  ///< what reads returned of what others had left
  bool contradiction = false;
  bool differs = false;
  std::size_t reads = 0;  ///< so far, but for those that say nothing
  // The following describe the last read.
  bool external = false;                 ///< of what others had left: seen.back(), or...
  const Predicate* predicate = nullptr;  ///< ... something that this one selected, or did not
  bool selected = false;

  void add(const Operation& operation) {
    if (operation.is_predicate()) return add_predicate(operation);
    if (operation.key() == key) add(operation.kind(), operation.value());
  }

 private:
  void add(OperationKind kind, ValueId value) {
    if (kind != OperationKind::read && kind != OperationKind::list_read) {
      const bool appends = kind == OperationKind::append;
      if (appends) appended.push_back(value);
      own_row = appends ? ValuePool::empty_list : register_value(value);
      wrote = true;
      return;
    }
    if (value == ValuePool::unreported) return;
    ++reads;
    predicate = nullptr;
    const bool list = use == KeyUse::list;
    ValueId rest = list ? list_value(history, key, value) : register_value(value);
    external = list ? take_end(history.values(), rest, appended) : !wrote;
    if (external) {
      seen.push_back(rest);
      differs |= rest != seen.front();
    } else {
      contradiction |= list || (own_row != ValuePool::unreported && own_row != rest);
    }
  }

  void add_predicate(const Operation& operation) {
    const PredicateAccess access = history.predicate_access(operation);
    if (!access.reported) return;
    const bool is_read = operation.kind() == OperationKind::predicate_read;
    const Predicate& condition = history.predicate(access.predicate);
    bool listed = false;
    for (const RowVersion& row : access.rows) {
      if (row.key != key) continue;
      if (is_read && row.value != ValuePool::unreported) {
        contradiction |= !selects(history, condition, key, row_of(history, key, use, row.value));
      } else if (!is_read && !listed) {
        look(condition, true);
      }
      add(is_read ? OperationKind::read : OperationKind::write, row.value);
      listed = true;
    }
    if (!listed && history.key_table(key) == access.table) look(condition, false);
  }

  void look(const Predicate& condition, bool is_selected) {
    ++reads;
    external = !wrote;
    predicate = &condition;
    selected = is_selected;
    if (external || own_row == ValuePool::unreported) return;
    contradiction |= selects(history, condition, key, own_row) != selected;
  }
};

}  // namespace

Result<const Read*> Reads::find(ReadNumber number) {
  if (!last_ || last_->number != number) {
    ISOSCOPE_TRY(read, interpret(number));
    last_ = std::move(read);
  }
  return &*last_;
}

/// The reads of an operation, which is counted from 1. A predicate operation looks at all keys of
/// its table.
std::vector<ReadNumber> Reads::numbers_at(TransactionId t, std::uint32_t operation) const {
  ISOSCOPE_REQUIRE(operation >= 1 && operation <= history_.operations(t).size());
  const Operation& its = history_.operations(t)[operation - 1];
  if (its.is_item_read() && its.value() != ValuePool::unreported)
    return {{number_of(t), operation}};
  if (!its.is_predicate() || !history_.predicate_access(its).reported) return {};
  const PredicateAccess access = history_.predicate_access(its);
  std::vector<KeyId> keys;
  for (const RowVersion& row : access.rows) keys.push_back(row.key);
  for (const KeyId key : history_.keys()) {
    if (history_.key_table(key) == access.table) keys.push_back(key);
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<ReadNumber> result;
  for (const KeyId key : keys)
    result.push_back({number_of(t), operation, key_numbers_.number(key)});
  return result;
}

Status Reads::for_each(TransactionId t, const std::function<Status(const Read&)>& visit) {
  ISOSCOPE_REQUIRE(t.index() < history_.transaction_count() && visit != nullptr);
  for (std::uint32_t i = 1; i <= history_.operations(t).size(); ++i) {
    const auto complain = [&](const std::string& what) {
      return Error{"transaction " + std::to_string(number_of(t)) + ", operation " +
                   std::to_string(i) + ": " + what};
    };
    const Operation& operation = history_.operations(t)[i - 1];
    if (operation.kind() == OperationKind::predicate_read) {
      std::vector<KeyId> keys;
      for (const RowVersion& row : history_.predicate_access(operation).rows) {
        keys.push_back(row.key);
      }
      if (has_repetition(keys)) return complain("a row was returned twice: not supported");
    }
    for (const ReadNumber number : numbers_at(t, i)) {
      const Result<const Read*> read = find(number);
      if (!read) return complain(read.error().what);
      if ((*read)->contradicts_itself) return complain("the read contradicts its transaction");
      if ((*read)->is_unclear) return complain((*read)->silent);
      if ((*read)->silent != nullptr) continue;
      if (const Status status = visit(**read); !status) return complain(status.error().what);
    }
  }
  return Done{};
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
  const bool is_item = number.key == 0;
  if (is_item && !last.is_item_read()) return Error{"the operation is no read of a key"};
  if (!is_item && !last.is_predicate()) return Error{"the operation has no predicate"};
  const std::optional<KeyId> key = is_item ? last.key() : key_numbers_.key(number.key);
  if (!key) return Error{"there is no such key"};
  const KeyUse use = writes_.use(*key);
  if (use == KeyUse::both) {
    return Error{"the key is both appended to and written: not supported"};
  }

  Read read = {.number = number, .reader = reader, .key = *key};
  Walk walk{history_, *key, use};
  std::size_t earlier_reads = 0;
  for (const Operation& operation : operations.first(number.operation)) {
    earlier_reads = walk.reads;
    walk.add(operation);
  }
  read.contradicts_itself = walk.contradiction;
  read.differs = walk.differs;
  if (walk.reads == earlier_reads) {
    read.silent = "nothing is known of such a read";
    read.is_blank = true;
    if (number.elements != ReadNumber::whole) return Error{read.silent};
    return read;
  }
  if (std::ranges::count(walk.appended, ValuePool::unreported) != 0) {
    return Error{"an own append is not known"};
  }
  if (!walk.external) {
    read.silent = "the read says nothing about other transactions";
  } else if (walk.predicate != nullptr) {
    read.is_item = false;
    read.predicate = walk.predicate;
    read.selected = walk.selected;
    find_candidates(read, *walk.predicate, walk.selected);
  } else if (use == KeyUse::list) {
    read.list = walk.seen.back();
    if (number.elements != ReadNumber::whole) {
      const ValuePool& values = history_.values();
      if (values.kind(*read.list) != ValueKind::list ||
          values.list_size(*read.list) < number.elements) {
        return Error{"the list is shorter"};
      }
      while (values.list_size(*read.list) > number.elements) {
        read.list = values.list_prefix(*read.list);
      }
    }
    take_apart(read, !walk.appended.empty());
  } else {
    read.value = walk.seen.back();
    find_candidates(read, read.value);
  }
  if (number.elements != ReadNumber::whole && !read.list) {
    return Error{"the operation read no list from others"};
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

/// The candidates are the versions that the predicate selects, or those that it does not select.
void Reads::find_candidates(Read& read, const Predicate& predicate, bool selected) const {
  const KeyUse use = writes_.use(read.key);
  const auto fits = [&](ValueId row) {
    return row == ValuePool::unreported || selects(history_, predicate, read.key, row) == selected;
  };
  if (fits(row_of(history_, read.key, use, history_.initial_value(read.key)))) {
    read.candidates.push_back(0);
  }
  for (const Writes::Origin& origin : writes_.origins(read.key)) {
    // Whatever was appended, the list is not empty then.
    const ValueId row = use == KeyUse::list ? ValuePool::empty_list : origin.value;
    if (origin.writer == read.reader || !fits(row)) continue;
    read.candidates.push_back(number_of(origin.writer));
  }
}

/// Takes the list apart, into the initial list and then the appends of whole transactions. The last
/// of these is the only candidate. If that is not possible there is none. Where elements were
/// appended twice there may be several ways, so only the last transaction is looked at.
void Reads::take_apart(Read& read, bool after_own_append) const {
  ISOSCOPE_REQUIRE(read.list && read.candidates.empty() && read.appenders.empty());
  const ValuePool& values = history_.values();
  const ValueId list = *read.list;
  std::vector<ValueId> initial;
  const auto initial_value = history_.initial_value(read.key);
  if (initial_value && values.kind(*initial_value) == ValueKind::list) {
    initial = values.list_elements(*initial_value);
  }
  const auto is_appended = [&](ValueId e) { return !writes_.origins(read.key, e).empty(); };
  if (is_appended(ValuePool::unreported)) {
    read.silent = "what was appended to the list is not known";
    read.is_unclear = true;
    return;
  }
  if (values.kind(list) != ValueKind::list) return;
  const std::vector<ValueId> elements = values.list_elements(list);
  const bool is_part = read.number.elements != ReadNumber::whole;
  const bool has_start = initial_value || after_own_append || is_part;
  if (is_part || writes_.repeats(read.key) || has_repetition(initial) ||
      std::ranges::any_of(initial, is_appended)) {
    if (elements == initial && has_start) read.candidates.push_back(0);
    read.has_too_often = has_too_often(read, elements, initial);
    return find_last_appenders(read, elements, initial.size());
  }
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
  } else if (has_start) {
    read.candidates = {0};
  }
  read.appenders = std::move(writers);
}

/// Finds the transactions whose appends, all of them, are the list's end. The `initial` first
/// elements belong to nobody. For a part of a list the reader need not be left out, because which
/// transaction left that part does not depend on which one read it.
void Reads::find_last_appenders(Read& read, std::span<const ValueId> elements,
                                std::size_t initial) const {
  ISOSCOPE_REQUIRE(read.appenders.empty());  // only the last transaction is known here
  if (elements.size() <= initial) return;
  for (const Writes::Origin& last : writes_.origins(read.key, elements.back())) {
    const std::uint32_t appends = writes_.find(last.writer, read.key)->appends;
    const bool own = last.writer == read.reader && read.number.elements == ReadNumber::whole;
    if (own || last.place + 1 != appends || appends > elements.size() - initial) continue;
    bool fits = true;
    for (std::uint32_t place = 0; place < appends && fits; ++place) {
      const ValueId element = elements[elements.size() - appends + place];
      const Writes::Origin wanted{read.key, element, last.writer, place};
      fits = std::ranges::binary_search(writes_.origins(read.key, element), wanted);
    }
    if (fits) read.candidates.push_back(number_of(last.writer));
  }
}

/// Whether the list has an element more often than it was there initially plus the times that
/// others appended it.
bool Reads::has_too_often(const Read& read, std::span<const ValueId> elements,
                          std::span<const ValueId> initial) const {
  std::vector<ValueId> sorted(elements.begin(), elements.end());
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size();) {
    const ValueId element = sorted[i];
    const auto others = [&](const Writes::Origin& origin) { return origin.writer != read.reader; };
    const auto there = std::ranges::count(initial, element) +
                       std::ranges::count_if(writes_.origins(read.key, element), others);
    std::ptrdiff_t times = 0;
    for (; i < sorted.size() && sorted[i] == element; ++i) ++times;
    if (times > there) return true;
  }
  return false;
}

}  // namespace isoscope::verifier
