#include "check/reads/list_reads.h"

#include <algorithm>

#include "check/reads/key_values.h"
#include "isoscope/base/contract.h"

namespace isoscope {

void ListReads::check(KeyId key) {
  ISOSCOPE_REQUIRE(round_.accesses.use(key) == KeyUse::list);
  key_ = key;
  accesses_ = round_.accesses.of(key);
  round_.work += accesses_.size();
  collect_appends();
  reads_.clear();
  std::uint32_t block = 0;
  for_each_run(accesses_, [&](std::span<const Access> run) {
    if (round_.counts(run[0].transaction)) check_run(run, ++block);
  });
  ISOSCOPE_ENSURE(block + 1 ==
                  blocks_.size());  // a block for each that counts, and the initial one
  if (reads_.empty()) return;
  if (every_element_once_) {
    build_tree();
    walk_tree();
  } else {
    search_each();
  }
}

void ListReads::collect_appends() {
  appends_.clear();
  blocks_.assign(1, {});
  aborted_indexed_ = false;
  uncertain_appends_ = false;

  const ValuePool& values = round_.history.values();
  const auto initial = round_.history.initial_value(key_);
  has_initial_ = initial.has_value();
  if (has_initial_ && values.kind(*initial) == ValueKind::list) {
    for (const ValueId element : values.list_elements(*initial))
      appends_.push_back({element, 0, {}});
  }
  blocks_[0].last = static_cast<std::uint32_t>(appends_.size());

  for_each_run(accesses_, [&](std::span<const Access> run) {
    const PresumedOutcome presumed = round_.presumed[run[0].transaction.index()];
    const bool appended =
        std::ranges::any_of(run, [](const Access& access) { return !access.is_read(); });
    if (appended && presumed != PresumedOutcome::committed) uncertain_appends_ = true;
    if (!isoscope::counts(presumed)) return;
    Block block{static_cast<std::uint32_t>(appends_.size()), 0};
    for (const Access& access : run) {
      if (access.is_read()) continue;
      appends_.push_back({access.value, static_cast<std::uint32_t>(blocks_.size()), access.ref()});
    }
    block.last = static_cast<std::uint32_t>(appends_.size());
    blocks_.push_back(block);
  });

  every_element_once_ = true;
  append_of_.reset(appends_.size());
  for (std::uint32_t i = 0; i < appends_.size(); ++i) {
    std::uint32_t& known = append_of_[appends_[i].element];
    if (known != 0) every_element_once_ = false;
    known = i + 1;
  }
}

void ListReads::check_run(std::span<const Access> run, std::uint32_t block) {
  ISOSCOPE_REQUIRE(!run.empty() && block < blocks_.size());
  const ValuePool& values = round_.history.values();
  const std::uint32_t first_own = blocks_[block].first;
  std::uint32_t own = 0;  // appends so far
  const Access* first = nullptr;
  ValueId first_prefix;
  // The last read that ended as it should. A later read with that list in front of newer appends
  // ends as it should, too.
  std::optional<ValueId> known_list;
  ValueId known_prefix;
  std::uint32_t known_own = 0;

  for (const Access& access : run) {
    if (!access.is_read()) {
      ++own;
      continue;
    }
    const std::optional<ValueId> list = list_value(round_.history, key_, access.value);
    if (!list && own == 0) {
      report({&access, block, false, access.value, none},
             {ReadFinding::thin_air_read, ReadProblem::never_written, access.value});
    }
    ValueId rest = list.value_or(access.value);
    std::uint32_t left = own;
    bool ends_right = list || own == 0;
    while (left > 0 && ends_right) {
      ++round_.work;
      if (known_list == rest && known_own == left) {
        rest = known_prefix;
        left = 0;
        break;
      }
      const ValueId element = appends_[first_own + left - 1].element;
      ends_right = rest != ValuePool::empty_list &&
                   (values.list_last(rest) == element || element == ValuePool::unreported);
      if (!ends_right) break;
      rest = values.list_prefix(rest);
      --left;
    }
    if (!ends_right) {
      wrong_end(access, appends_[first_own + left - 1]);
      continue;
    }
    if (list) {
      known_list = list;
      known_own = own;
      known_prefix = rest;
      reads_.push_back({&access, block, own > 0, rest, none});
    }
    if (first == nullptr) {
      first = &access;
      first_prefix = rest;
    } else if (rest != first_prefix) {
      round_.add_changed(access, *first, key_);
    }
  }
}

void ListReads::wrong_end(const Access& read, const Append& own) {
  ISOSCOPE_REQUIRE(own.at.transaction == read.transaction && own.at.operation < read.operation());
  if (round_.unreported.by_self(key_, read.transaction, -1, read.operation())) {
    round_.add_undecided(UndecidedRead::Why::unreported_write, read.ref(), key_,
                         ReadFinding::internal_inconsistency);
    return;
  }
  BadRead finding = round_.start(read, key_);
  finding.kind = ReadFinding::internal_inconsistency;
  finding.problem = ReadProblem::own_append;
  finding.element = own.element;
  finding.involve(own.at);
  round_.add(finding);
}

std::uint32_t ListReads::node_of(ValueId list) {
  const ValuePool& values = round_.history.values();
  path_.clear();
  std::uint32_t* known = nullptr;
  for (ValueId at = list; (known = node_of_.find(at)) == nullptr; at = values.list_prefix(at))
    path_.push_back(at);
  std::uint32_t node = *known - 1;
  for (std::size_t i = path_.size(); i > 0; --i) {
    Node child;
    child.list = path_[i - 1];
    child.parent = node;
    child.next_sibling = nodes_[node].first_child;
    nodes_[node].first_child = static_cast<std::uint32_t>(nodes_.size());
    node = nodes_[node].first_child;
    nodes_.push_back(child);
    node_of_[child.list] = node + 1;
  }
  round_.work += path_.size();
  ISOSCOPE_ENSURE(nodes_[node].list == list);
  return node;
}

void ListReads::build_tree() {
  nodes_.assign(1, {});
  nodes_[0].list = ValuePool::empty_list;
  node_of_.reset(reads_.size());
  node_of_[ValuePool::empty_list] = 1;
  for (std::uint32_t i = 0; i < reads_.size(); ++i) {
    const std::uint32_t node = node_of(reads_[i].prefix);
    reads_[i].next = nodes_[node].first_read;
    nodes_[node].first_read = i;
  }
}

void ListReads::walk_tree() {
  on_path_.assign(appends_.size(), false);
  block_on_path_.assign(blocks_.size(), 0);
  problems_.clear();
  for (std::uint32_t node = 0;;) {
    enter(node);
    for (std::uint32_t read = nodes_[node].first_read; read != none; read = reads_[read].next) {
      judge(reads_[read], node);
    }
    if (nodes_[node].first_child != none) {
      node = nodes_[node].first_child;
      continue;
    }
    while (node != 0 && nodes_[node].next_sibling == none) {
      leave(node);
      node = nodes_[node].parent;
    }
    if (node == 0) return;
    leave(node);
    node = nodes_[node].next_sibling;
  }
}

void ListReads::enter(std::uint32_t at) {
  Node& node = nodes_[at];
  if (at == 0) {
    node.expected = blocks_[0].is_empty() ? none : 0;
    return;
  }
  ISOSCOPE_ENSURE(node.parent < at);  // parents are made first, and entered first
  const Node& parent = nodes_[node.parent];
  node.problems = parent.problems;
  const ValueId element = round_.history.values().list_last(node.list);
  const std::uint32_t* known = append_of_.find(element);
  const std::uint32_t append = known == nullptr ? none : *known - 1;
  if (parent.expected != none && append != parent.expected)
    add_problem(at, cut_before(parent.expected));
  if (append == none) {
    add_problem(at, nobody_appended(element));
    return;
  }
  if (on_path_[append]) {
    add_problem(at, repeated(append));
    return;
  }
  node.append = append;
  on_path_[append] = true;
  ++block_on_path_[appends_[append].block];
  const Block& block = blocks_[appends_[append].block];
  if (append != block.first && append != parent.expected) add_problem(at, cut_before(append));
  node.expected = append + 1 < block.last ? append + 1 : none;
}

void ListReads::leave(std::uint32_t at) {
  const std::uint32_t append = nodes_[at].append;
  if (append == none) return;
  ISOSCOPE_ENSURE(on_path_[append] && block_on_path_[appends_[append].block] > 0);
  on_path_[append] = false;
  --block_on_path_[appends_[append].block];
}

/// The list has `append` without the one before it, or the one before it without `append`.
ListReads::Problem ListReads::cut_before(std::uint32_t append) const {
  ISOSCOPE_REQUIRE(append < appends_.size());
  if (is_initial(append)) {
    return {ReadFinding::thin_air_read, ReadProblem::lost_initial, appends_[append].element};
  }
  ISOSCOPE_REQUIRE(appends_[append - 1].block == appends_[append].block);
  return {ReadFinding::intermediate_read,
          ReadProblem::torn_appends,
          appends_[append].element,
          appends_[append].block,
          {appends_[append - 1].at, appends_[append].at}};
}

ListReads::Problem ListReads::nobody_appended(ValueId element) {
  if (const auto aborted = aborted_append(element)) {
    return {ReadFinding::aborted_read, ReadProblem::aborted_writer, element, none, {*aborted}};
  }
  return {ReadFinding::thin_air_read, ReadProblem::never_written, element};
}

/// The list has the element of `append` once more.
ListReads::Problem ListReads::repeated(std::uint32_t append) {
  Problem problem = nobody_appended(appends_[append].element);
  if (problem.kind == ReadFinding::thin_air_read) {
    problem.problem = ReadProblem::repeated_element;
    if (!is_initial(append)) problem.involved[0] = appends_[append].at;
  }
  return problem;
}

/// What others wrote has the reader's own `append` in it.
ListReads::Problem ListReads::own_append_seen(const Access& read, std::uint32_t append) {
  if (appends_[append].at.operation < read.operation()) return repeated(append);
  return {ReadFinding::future_read,
          ReadProblem::own_later_write,
          appends_[append].element,
          none,
          {appends_[append].at}};
}

std::optional<OperationRef> ListReads::aborted_append(ValueId element) {
  if (!aborted_indexed_) {
    aborted_indexed_ = true;
    aborted_appends_.clear();
    aborted_append_of_.reset(1);
    round_.work += accesses_.size();
    for (const Access& access : accesses_) {
      if (access.is_read() || round_.counts(access.transaction)) continue;
      std::uint32_t& known = aborted_append_of_[access.value];
      if (known != 0) continue;
      aborted_appends_.push_back(access.ref());
      known = static_cast<std::uint32_t>(aborted_appends_.size());
    }
  }
  const std::uint32_t* known = aborted_append_of_.find(element);
  return known == nullptr ? std::nullopt : std::optional(aborted_appends_[*known - 1]);
}

void ListReads::add_problem(std::uint32_t node, const Problem& problem) {
  const std::size_t kind = problem.kind == ReadFinding::aborted_read        ? 0
                           : problem.kind == ReadFinding::intermediate_read ? 1
                                                                            : 2;
  std::uint32_t& first = nodes_[node].problems[kind];
  if (first != none) return;
  first = static_cast<std::uint32_t>(problems_.size());
  problems_.push_back(problem);
}

void ListReads::judge(const ExternalRead& read, std::uint32_t at) {
  const Node& node = nodes_[at];
  for (const std::uint32_t problem : node.problems) {
    // Parts of what the reader itself appends later are reported below.
    if (problem != none && problems_[problem].block != read.block) report(read, problems_[problem]);
  }
  if (block_on_path_[read.block] > 0) {
    const Block& own = blocks_[read.block];
    std::uint32_t seen = own.first;
    while (!on_path_[seen]) ++seen;
    ISOSCOPE_ENSURE(seen < own.last);
    report(read, own_append_seen(*read.access, seen));
  }
  if (node.expected != none && appends_[node.expected].block != read.block) {
    report(read, cut_before(node.expected));
  }
  if (at == 0 && !has_initial_ && !read.after_own) {
    report(read, {ReadFinding::thin_air_read, ReadProblem::never_written, ValuePool::unreported});
  }
}

void ListReads::search_each() {
  search_.clear();
  search_block_.assign(blocks_.size(), ListSearch::no_block);
  for (std::size_t i = 1; i < blocks_.size(); ++i) {
    if (blocks_[i].is_empty()) continue;
    elements_.clear();
    for (std::uint32_t a = blocks_[i].first; a < blocks_[i].last; ++a)
      elements_.push_back(appends_[a].element);
    search_block_[i] = search_.add_block(elements_);
  }
  search_.prepare();
  for (const ExternalRead& read : reads_) judge_by_search(read);
}

void ListReads::judge_by_search(const ExternalRead& read) {
  ISOSCOPE_REQUIRE(read.block < search_block_.size());
  elements_ = round_.history.values().list_elements(read.prefix);
  round_.work += elements_.size();
  if (elements_.empty() && !has_initial_) {
    if (!read.after_own) {
      report(read, {ReadFinding::thin_air_read, ReadProblem::never_written, ValuePool::unreported});
    }
    return;
  }
  // Whether elements were appended at all is certain; how they fit together needs the search.
  bool all_appended = true;
  for (const ValueId element : elements_) {
    if (append_of_.find(element) != nullptr) continue;
    all_appended = false;
    report(read, nobody_appended(element));
    break;
  }
  if (!all_appended) return;
  std::span<const ValueId> rest = elements_;
  for (std::uint32_t a = 0; a < blocks_[0].last; ++a) {
    if (rest.empty() || rest[0] != appends_[a].element) {
      report(read, cut_before(a));
      return;
    }
    rest = rest.subspan(1);
  }
  switch (search_.explain(rest, search_block_[read.block], round_.work)) {
    case ListSearch::Explained::yes:
      break;
    case ListSearch::Explained::no:
      report(read,
             {ReadFinding::intermediate_read, ReadProblem::unexplained_list, ValuePool::unreported},
             {ReadFinding::aborted_read, ReadFinding::future_read, ReadFinding::thin_air_read});
      break;
    case ListSearch::Explained::gave_up:
      round_.add_undecided(UndecidedRead::Why::repeated_appends, read.access->ref(), key_,
                           ReadFinding::intermediate_read);
      break;
  }
}

void ListReads::report(const ExternalRead& read, const Problem& problem, ReadFindings possible) {
  const TransactionId reader = read.access->transaction;
  if (round_.unreported.by_other(key_, reader) ||
      round_.unreported.by_self(key_, reader, -1, INT64_MAX)) {
    round_.add_undecided(UndecidedRead::Why::unreported_write, read.access->ref(), key_,
                         problem.kind);
    return;
  }
  BadRead finding = round_.start(*read.access, key_);
  finding.kind = problem.kind;
  finding.problem = problem.problem;
  finding.possible = possible;
  finding.element = problem.element;
  // The element may also have come from a transaction that aborted.
  if (uncertain_appends_ && (problem.kind == ReadFinding::intermediate_read ||
                             problem.kind == ReadFinding::future_read)) {
    finding.possible.add(ReadFinding::aborted_read);
  }
  for (const auto& operation : problem.involved) {
    if (operation) finding.involve(*operation);
  }
  round_.add(finding);
}

}  // namespace isoscope
