#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/contract.h"

namespace isoscope::format {

/// The language a term was written in; only messages and the spelling of names differ.
enum class Notation : std::uint8_t { edn, json };

enum class TermKind : std::uint8_t {
  nil,
  boolean,
  integer,    ///< of 64 bits
  number,     ///< any other number, as its text: a fraction, a larger integer
  string,     ///< its content, valid UTF-8
  character,  ///< as written, without the backslash
  keyword,    ///< without the colon
  symbol,
  list,
  vector,
  map,  ///< children: key, value, key, value, ...
  set,
  tagged,  ///< a tag (its text) and the one child it stands before
};

class Term;

/// One term with everything inside it: a form of an EDN file, or a value of a JSON file.
///
/// All terms lie in one vector, each followed by its children, so a tree costs 24 bytes a term and
/// two allocations, which clear() keeps: readers fill one tree again and again.
///
///   {:f 1}    map(2 children, ends at 3)  keyword "f"  integer 1
class TermTree {
 public:
  /// What one tree may hold. An operation of a real history has some dozen terms; one with this
  /// many (100 MB of memory) is no operation.
  static constexpr std::size_t max_terms = std::size_t{1} << 22;
  static constexpr std::size_t max_text = std::size_t{16} << 20;

  void clear() {
    nodes_.clear();
    text_.clear();
  }
  bool full() const { return nodes_.size() >= max_terms || text_.size() > max_text; }
  bool empty() const { return nodes_.empty(); }
  Term root() const;

  // Each adds a term that starts at `offset` of the input.
  void add_nil(std::uint64_t offset) { add(TermKind::nil, offset, 0); }
  void add_boolean(std::uint64_t offset, bool value) { add(TermKind::boolean, offset, value); }
  void add_integer(std::uint64_t offset, std::int64_t value) {
    add(TermKind::integer, offset, static_cast<std::uint64_t>(value));
  }
  void add_text(TermKind kind, std::uint64_t offset, std::string_view text) {
    const std::size_t start = text_.size();
    text_.append(text);
    add_text_from(kind, offset, start);
  }
  /// The same where the text was already appended to text(), from `start` on.
  void add_text_from(TermKind kind, std::uint64_t offset, std::size_t start) {
    add(kind, offset, std::uint64_t{start} << 32 | (text_.size() - start));
  }
  std::string& text() { return text_; }

  /// A collection: what is added until close() is in it.
  std::size_t open(TermKind kind, std::uint64_t offset) {
    add(kind, offset, 0);
    return nodes_.size() - 1;
  }
  void close(std::size_t opened, std::size_t children) {
    nodes_[opened].payload = children;
    nodes_[opened].end = static_cast<std::uint32_t>(nodes_.size());
  }
  /// The child of the tag added last was added.
  void close_tag(std::size_t tag) { nodes_[tag].end = static_cast<std::uint32_t>(nodes_.size()); }

  /// A place to go back to: drops what was added since.
  struct Mark {
    std::size_t nodes;
    std::size_t text;
  };
  Mark mark() const { return {nodes_.size(), text_.size()}; }
  void rewind(Mark mark) {
    nodes_.resize(mark.nodes);
    text_.resize(mark.text);
  }

  std::size_t size() const { return nodes_.size(); }

 private:
  friend class Term;

  struct Node {
    std::uint64_t offset = 0;
    std::uint64_t payload =
        0;                  // the value, the number of children, or start << 32 | size of the text
    std::uint32_t end = 0;  // index after the last term inside
    TermKind kind = TermKind::nil;
  };

  void add(TermKind kind, std::uint64_t offset, std::uint64_t payload) {
    nodes_.push_back({offset, payload, static_cast<std::uint32_t>(nodes_.size() + 1), kind});
  }

  std::vector<Node> nodes_;
  std::string text_;
};

/// A look at one term of a tree; valid until the tree changes.
class Term {
 public:
  Term(const TermTree& tree, std::size_t index) : tree_(&tree), index_(index) {}

  TermKind kind() const { return node().kind; }
  bool is(TermKind kind) const { return node().kind == kind; }
  /// A vector or a list: Clojure prints the same sequence as either.
  bool is_sequence() const { return is(TermKind::vector) || is(TermKind::list); }
  /// Where it starts in the input.
  std::uint64_t offset() const { return node().offset; }

  // Each may be asked only of a term that has it.
  std::int64_t integer() const {
    ISOSCOPE_REQUIRE(is(TermKind::integer));
    return static_cast<std::int64_t>(node().payload);
  }
  bool boolean() const {
    ISOSCOPE_REQUIRE(is(TermKind::boolean));
    return node().payload != 0;
  }
  std::string_view text() const {
    const std::uint64_t payload = node().payload;
    return std::string_view(tree_->text_).substr(payload >> 32, payload & 0xFFFFFFFF);
  }

  /// The number of children of a collection.
  std::size_t size() const { return static_cast<std::size_t>(node().payload); }

  class Iterator {
   public:
    Iterator(const TermTree& tree, std::size_t index) : tree_(&tree), index_(index) {}
    Term operator*() const { return Term(*tree_, index_); }
    Iterator& operator++() {
      index_ = tree_->nodes_[index_].end;
      return *this;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const TermTree* tree_;
    std::size_t index_;
  };
  /// The children of a collection or a tag.
  Iterator begin() const { return Iterator(*tree_, index_ + 1); }
  Iterator end() const { return Iterator(*tree_, node().end); }

 private:
  const TermTree::Node& node() const { return tree_->nodes_[index_]; }

  const TermTree* tree_;
  std::size_t index_;
};

inline Term TermTree::root() const {
  ISOSCOPE_REQUIRE(!nodes_.empty());
  return Term(*this, 0);
}

/// A name (a keyword of EDN, a string of JSON) as the notation writes it: `:type`, `"type"`.
std::string spelled(std::string_view name, Notation notation);

/// The term for messages, always one short line: `:append`, `nil`, `"n1"`, `a map`.
std::string describe(Term term, Notation notation);

/// Text as an EDN string literal, quotes included.
void append_edn_string(std::string& to, std::string_view text);

/// The one EDN text of a term made of nil, integers, strings, keywords and sequences (all written
/// as vectors), whatever the white space it was read with: `[1 :a]`. False if there is anything
/// else in it, or the text gets longer than `limit`.
bool append_canonical_edn(std::string& to, Term term, std::size_t limit);

}  // namespace isoscope::format
