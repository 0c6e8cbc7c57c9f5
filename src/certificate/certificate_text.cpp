#include "certificate/certificate_text.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "isoscope/base/contract.h"

// Reads the text of certificates (docs/certificates.md). Whether a transaction exists, or a step is
// right, is the verifier's question. Numbers that announce a count are only compared with what
// follows, so a large one costs nothing.

namespace isoscope {

using namespace certificate_text;

namespace {

/// Reads word by word. The first thing that is wrong is kept as the error; from then on every line
/// is empty and every part is taken for there, so that only the loops have to ask.
class Reader {
 public:
  explicit Reader(ByteReader bytes) : bytes_(std::move(bytes)) {}

  Result<Certificate> run() {
    Certificate result;
    header(result);
    if (!error_) result.holds ? order(result) : steps(result);
    expect("end");
    if (!error_ && (has_more() || !bytes_.at_end())) {
      next_line();
      fail("expected nothing after 'end'");
    }
    if (error_) return *std::move(error_);
    ISOSCOPE_ENSURE(is_digest(result.history_digest));  // as the writer and the verifier want it
    ISOSCOPE_TRY_STATUS(bytes_.stream_status());
    return result;
  }

 private:
  void header(Certificate& result) {
    next_line();
    if (!error_ && line_.substr(0, line_.find(' ')) != "isoscope-certificate") {
      return fail("expected '" + std::string(first_lines[0]) + "': this is no certificate");
    }
    const auto first = std::ranges::find(first_lines, line_);
    if (first == first_lines.end()) {
      return fail("only versions 1, 2 and 3 of certificates are known here");
    }
    version_ = static_cast<std::uint32_t>(first - first_lines.begin()) + 1;
    at_ = line_.size();
    line("level");
    const std::string_view name = word("a level");
    const auto known = std::ranges::find(levels(), name, &LevelEntry::name);
    const bool is_recorded = name == name_of(LevelId::recorded);
    if (known == levels().end() && !is_recorded) return fail("expected a level");
    result.level.id = is_recorded ? LevelId::recorded : known->id;
    if (version_ < 3 && needs_version_3(result.level.id)) {
      return fail("certificates of this level have version 3");
    }
    line("session-order");
    result.level.session_order = one_of("on", "off");
    if (version_ > 1) {
      line("indeterminate-cuts");
      result.indeterminate_cuts = one_of("on", "off");
    }
    line("time");
    if (looks_at_time(result.level.id)) {
      expect("client");
      expect("skew");
      result.clock_skew = static_cast<std::int64_t>(
          number(word("nanoseconds"), std::numeric_limits<std::int64_t>::max()));
    } else {
      expect("ignored");
    }
    line("history");
    result.history_digest = digest_of(word("sha256:DIGITS"));
    line("answer");
    result.holds = one_of("holds", "violated");
  }

  void order(Certificate& result) {
    line("committed");
    while (!error_ && has_more()) result.committed.push_back(number(word("a transaction")));
    line("order");
    const std::string_view end = version_ < 3 ? "end" : "sources";
    words(end, " events", [&](std::string_view text) { result.order.push_back(event(text)); });
    if (version_ < 3) return;
    expect(end);
    words("end", " sources",
          [&](std::string_view text) { result.sources.push_back(source(text)); });
  }

  /// A count, and that number of words on the lines before the one that starts with `end`.
  template <class Take>
  void words(std::string_view end, const char* what, const Take& take) {
    const std::uint64_t announced = number(word(std::string("a number of") + what), max_count);
    std::uint64_t found = 0;
    next_line();
    while (!error_ && line_.substr(0, line_.find(' ')) != end) {
      for (; !error_ && has_more(); ++found) take(word(""));
      next_line();
    }
    require_count(found, announced, what);
  }

  void steps(Certificate& result) {
    line("steps");
    const std::uint64_t count = number(word("a number of steps"), max_count);
    next_line();
    while (!error_ && line_ != "end") {
      result.steps.push_back(step());
      next_line();
    }
    require_count(result.steps.size(), count, " steps");
  }

  void require_count(std::uint64_t found, std::uint64_t announced, const char* what) {
    if (found == announced) return;
    fail("expected " + std::to_string(announced) + what + " before this, there are " +
         std::to_string(found));
  }

  ProofStep step() {
    const auto form = std::ranges::find(step_forms, word("a step"), &StepForm::word);
    if (form == step_forms.end() || (version_ < 3 && is_of_version_3(form->kind))) {
      fail("expected a step or 'end'");
      return {};
    }
    ProofStep step;
    step.kind = form->kind;
    for (const char part : form->parts) {
      if (part == 'r') step.read = read(word("a read"));
      if (part == 'w') step.writer = number(word("a transaction"));
      if (part == 'o') step.other = number(word("a transaction"));
      if (part == 't') step.third = number(word("a transaction"));
      if (part == 'e') events(step);
      if (part == 'l') lemma(step);
      if (part == 'h') hops(step);
    }
    return step;
  }

  void hops(ProofStep& step) {
    expect("via");
    do {
      step.hops.push_back(hop(word("a hop")));
    } while (!error_ && has_more());
  }

  Hop hop(std::string_view text) {
    const std::size_t letter = text.empty() ? text.npos : hop_letters.find(text.front());
    if (letter == text.npos) {
      fail("expected a hop: s5, r5.2, r5.2.7, w5, a5:4.2=3 or o5");
      return {};
    }
    text.remove_prefix(1);
    const auto kind = static_cast<Hop::Kind>(letter);
    if (kind == Hop::Kind::read) return Hop::by_read(read(text));
    const std::size_t colon = kind == Hop::Kind::antidependency ? text.find(':') : text.npos;
    Hop result{.kind = kind, .transaction = number(text.substr(0, colon))};
    if (kind != Hop::Kind::antidependency) return result;
    const ReadSource on = source(colon == text.npos ? "" : text.substr(colon + 1));
    result.read = on.read;
    result.writer = on.writer;
    return result;
  }

  void events(ProofStep& step) {
    while (!error_ && has_more()) step.events.push_back(event(word("an event")));
    if (step.events.size() < 2) fail("expected two events");
    if (step.kind == Step::order && step.events.size() > 2) fail("expected two events only");
  }

  void lemma(ProofStep& step) {
    for (std::string_view next = word("literals and ':'"); !error_ && next != ":";
         next = word("literals and ':'")) {
      step.literals.push_back(literal(next));
    }
    while (!error_ && has_more()) step.hints.push_back(number(word("a step's number")));
  }

  ProofLiteral literal(std::string_view text) {
    const bool negated = text.starts_with('!');
    if (negated) text.remove_prefix(1);
    ProofLiteral result;
    if (text.starts_with('+')) {
      result = ProofLiteral::committed(number(text.substr(1)));
    } else if (text.find('=') != text.npos) {
      const ReadSource its = source(text);
      result = ProofLiteral::selection(its.read, its.writer);
    } else if (const std::size_t less = text.find('<'); less != text.npos && !negated) {
      return ProofLiteral::order(event(text.substr(0, less)), event(text.substr(less + 1)));
    } else {
      fail("expected a literal: b1<c2, 1.2=3, 1.2.5=3, 1.2@4=3, !1.2=3, +4 or !+4");
    }
    result.negated = negated;
    return result;
  }

  Event event(std::string_view text) {
    if (text.starts_with('b')) return Event::begin(number(text.substr(1)));
    if (text.starts_with('c')) return Event::commit(number(text.substr(1)));
    if (version_ == 3 && text.starts_with('v')) return version(text.substr(1));
    fail(version_ < 3 ? "expected an event: b or c and a number"
                      : "expected an event: b5, c5 or v5.3");
    return {};
  }

  Event version(std::string_view text) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    const std::uint32_t transaction = number(text.substr(0, dot));
    const std::uint32_t key = number(dot == text.size() ? "" : text.substr(dot + 1));
    if (key == 0) fail("keys are numbered from 1");
    return Event::version(transaction, key);
  }

  ReadSource source(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos) {
      fail("expected a read and what it returned: 1.2=3 or 1.2.5=3");
      return {};
    }
    return {read(text.substr(0, equals)), number(text.substr(equals + 1))};
  }

  ReadNumber read(std::string_view text) {
    const std::size_t at = text.find('@');
    ReadNumber result = whole_read(text.substr(0, at));
    if (at == text.npos) return result;
    result.elements = static_cast<std::uint32_t>(
        number(text.substr(at + 1), std::uint64_t{ReadNumber::whole} - 1));
    return result;
  }

  ReadNumber whole_read(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == text.npos) {
      fail("expected a read: TRANSACTION.OPERATION or TRANSACTION.OPERATION.KEY");
      return {};
    }
    const std::uint32_t transaction = number(text.substr(0, dot));
    text.remove_prefix(dot + 1);
    const std::size_t second = text.find('.');
    if (second == text.npos) return {transaction, number(text)};
    const std::uint32_t key = number(text.substr(second + 1));
    if (key == 0) fail("keys are numbered from 1");
    return {transaction, number(text.substr(0, second)), key};
  }

  std::string digest_of(std::string_view text) {
    constexpr std::string_view kind = "sha256:";
    if (!text.starts_with(kind) || !is_digest(text.substr(kind.size()))) {
      fail("expected sha256: and 64 hexadecimal digits");
      return {};
    }
    return std::string(text.substr(kind.size()));
  }

  std::uint64_t number(std::string_view text, std::uint64_t most) {
    std::uint64_t result = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (text.empty() || text.front() < '0' || text.front() > '9' ||
        end != text.data() + text.size() || (text.size() > 1 && text.front() == '0')) {
      fail("expected a number");
    } else if (problem != std::errc() || result > most) {
      fail("the number is too large");
    }
    return result;
  }
  std::uint32_t number(std::string_view text) {
    return static_cast<std::uint32_t>(number(text, std::numeric_limits<std::uint32_t>::max()));
  }

  bool one_of(std::string_view yes, std::string_view no) {
    const std::string_view found = word(yes);
    if (found != yes && found != no) {
      fail("expected '" + std::string(yes) + "' or '" + std::string(no) + "'");
    }
    return found == yes;
  }

  void expect(std::string_view wanted) {
    if (word(wanted) != wanted) fail("expected '" + std::string(wanted) + "'");
  }

  /// Goes to the next line, which must start with this word.
  void line(std::string_view first) {
    next_line();
    expect(first);
  }

  /// The current line must have been read to its end.
  void next_line() {
    if (!error_ && has_more()) {
      word("");
      fail("expected the end of the line");
    }
    const std::uint64_t start = bytes_.offset();
    auto next = bytes_.next_line();
    line_ = {};
    at_ = word_at_ = 0;
    ++line_number_;
    line_start_ = start;
    if (error_) return;
    if (!next) {
      error_ = std::move(next).error();
    } else if (!*next) {
      fail("expected 'end' before the end of the file");
    } else {
      line_ = **next;
    }
  }

  bool has_more() {
    at_ = std::min(line_.find_first_not_of(" \t", at_), line_.size());
    return at_ < line_.size();
  }

  /// The next word of the line. Complains that `what` was expected when there is none.
  std::string_view word(std::string_view what) {
    const bool there = has_more();
    word_at_ = at_;
    if (!there) {
      fail("expected " + std::string(what) + ", the line ends");
      return {};
    }
    at_ = std::min(line_.find_first_of(" \t", at_), line_.size());
    return line_.substr(word_at_, at_ - word_at_);
  }

  void fail(std::string what) {
    if (error_) return;
    const Position position{line_start_ + word_at_, line_number_,
                            static_cast<std::uint32_t>(word_at_ + 1)};
    error_ = bytes_.error_at(position, std::move(what));
    line_ = {};
  }

  static constexpr std::uint64_t max_count = std::numeric_limits<std::uint64_t>::max();

  ByteReader bytes_;
  std::uint32_t version_ = 0;
  std::string_view line_;
  std::size_t at_ = 0;       // in the line: what comes after the last word
  std::size_t word_at_ = 0;  // the last word
  std::uint32_t line_number_ = 0;
  std::uint64_t line_start_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<Certificate> read_certificate(const Source& source) {
  if (source.is_folder() || source.file_count() != 1) {
    return Error{"expected a file with a certificate, not a folder", source.name()};
  }
  ISOSCOPE_TRY(bytes, source.open_file(0));
  return Reader(std::move(bytes)).run();
}

}  // namespace isoscope
