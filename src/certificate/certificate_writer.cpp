#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "certificate/certificate_text.h"
#include "isoscope/base/contract.h"

namespace isoscope {

using namespace certificate_text;

namespace {

constexpr std::size_t words_a_line = 20;

class Writer {
 public:
  explicit Writer(ByteSink& sink) : sink_(sink) {}

  Status run(const Certificate& certificate) {
    ISOSCOPE_REQUIRE(certificate.holds || certificate.order.empty());
    ISOSCOPE_REQUIRE(certificate.holds || certificate.sources.empty());
    ISOSCOPE_REQUIRE(!certificate.holds || certificate.steps.empty());
    ISOSCOPE_REQUIRE(certificate.holds || certificate.committed.empty());
    ISOSCOPE_REQUIRE(certificate.clock_skew >= 0);
    // The text would not say it, so that it would be another certificate when it is read.
    ISOSCOPE_REQUIRE(certificate.clock_skew == 0 || looks_at_time(certificate.level.id));
    version_ = version_of(certificate);
    text_.append(first_lines[version_ - 1]);
    text_.append("\nlevel ").append(name_of(certificate.level.id));
    text_.append("\nsession-order ").append(certificate.level.session_order ? "on" : "off");
    if (version_ > 1) {
      text_.append("\nindeterminate-cuts ").append(certificate.indeterminate_cuts ? "on" : "off");
    }
    text_.append("\ntime ");
    if (looks_at_time(certificate.level.id)) {
      text_.append("client skew ").append(std::to_string(certificate.clock_skew));
    } else {
      text_.append("ignored");
    }
    text_.append("\nhistory sha256:").append(certificate.history_digest);
    text_.append("\nanswer ").append(certificate.holds ? "holds\n" : "violated\n");
    ISOSCOPE_TRY_STATUS(certificate.holds ? write_order(certificate) : write_steps(certificate));
    text_.append("end\n");
    return sink_.write(text_);
  }

 private:
  /// The oldest version that can say it.
  static std::uint32_t version_of(const Certificate& certificate) {
    const auto is_new = [](const ProofStep& step) { return is_of_version_3(step.kind); };
    if (needs_version_3(certificate.level.id) || !certificate.sources.empty() ||
        std::ranges::any_of(certificate.steps, is_new)) {
      return 3;
    }
    return certificate.indeterminate_cuts ? 1 : 2;
  }

  Status write_order(const Certificate& certificate) {
    text_.append("committed");
    for (const std::uint32_t t : certificate.committed) blank().number(t);
    text_.append("\norder ");
    ISOSCOPE_TRY_STATUS(write_words(certificate.order, [&](Event one) { event(one); }));
    if (version_ < 3) return Done{};
    text_.append("sources ");
    return write_words(certificate.sources, [&](const ReadSource& one) { source(one); });
  }

  /// Their number, and then a number of them on each line.
  template <class T, class Write>
  Status write_words(const std::vector<T>& words, const Write& write) {
    number(words.size()).line_end();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i % words_a_line != 0) blank();
      write(words[i]);
      if (i % words_a_line != words_a_line - 1 && i + 1 != words.size()) continue;
      line_end();
      ISOSCOPE_TRY_STATUS(flush());
    }
    return Done{};
  }

  Status write_steps(const Certificate& certificate) {
    text_.append("steps ");
    number(certificate.steps.size()).line_end();
    for (const ProofStep& one : certificate.steps) {
      step(one);
      line_end();
      ISOSCOPE_TRY_STATUS(flush());
    }
    return Done{};
  }

  void step(const ProofStep& step) {
    const auto form = std::ranges::find(step_forms, step.kind, &StepForm::kind);
    ISOSCOPE_REQUIRE(form != std::ranges::end(step_forms));
    text_.append(form->word);
    for (const char part : form->parts) {
      if (part == 'r') blank().read(step.read);
      if (part == 'w') blank().number(step.writer);
      if (part == 'o') blank().number(step.other);
      if (part == 't') blank().number(step.third);
      if (part == 'e') {
        for (const Event& one : step.events) blank().event(one);
      }
      if (part == 'l') lemma(step);
      if (part == 'h') hops(step);
    }
  }

  void hops(const ProofStep& step) {
    text_.append(" via");
    for (const Hop& hop : step.hops) {
      // Only the read is written, so it must be the reader's own.
      ISOSCOPE_REQUIRE(hop.kind != Hop::Kind::read || hop.read.transaction == hop.transaction);
      blank().text_.push_back(hop_letters[static_cast<std::size_t>(hop.kind)]);
      if (hop.kind == Hop::Kind::read) {
        read(hop.read);
        continue;
      }
      number(hop.transaction);
      if (hop.kind != Hop::Kind::antidependency) continue;
      text_.push_back(':');
      source({hop.read, hop.writer});
    }
  }

  void lemma(const ProofStep& step) {
    for (const ProofLiteral& one : step.literals) blank().literal(one);
    text_.append(" :");
    for (const std::uint32_t hint : step.hints) blank().number(hint);
  }

  void literal(const ProofLiteral& literal) {
    // An order is negated by turning it round; the reader refuses a mark of negation there.
    ISOSCOPE_REQUIRE(literal.kind != ProofLiteral::Kind::order || !literal.negated);
    if (literal.negated) text_.push_back('!');
    switch (literal.kind) {
      case ProofLiteral::Kind::order:
        event(literal.before).text_.push_back('<');
        event(literal.after);
        break;
      case ProofLiteral::Kind::selection:
        source({literal.read, literal.writer});
        break;
      case ProofLiteral::Kind::committed:
        text_.push_back('+');
        number(literal.writer);
        break;
    }
  }

  Writer& event(Event event) {
    ISOSCOPE_REQUIRE(!event.is_version() || !event.is_commit);
    text_.push_back(event.is_version() ? 'v' : event.is_commit ? 'c' : 'b');
    number(event.transaction);
    if (!event.is_version()) return *this;
    text_.push_back('.');
    return number(event.key);
  }
  void source(const ReadSource& source) {
    read(source.read).text_.push_back('=');
    number(source.writer);
  }
  Writer& read(ReadNumber read) {
    number(read.transaction).text_.push_back('.');
    number(read.operation);
    if (read.key != 0) {
      text_.push_back('.');
      number(read.key);
    }
    if (read.elements == ReadNumber::whole) return *this;
    text_.push_back('@');
    return number(read.elements);
  }
  Writer& number(std::uint64_t number) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text_.append(digits.data(), end);
    return *this;
  }
  Writer& blank() {
    text_.push_back(' ');
    return *this;
  }
  void line_end() { text_.push_back('\n'); }

  Status flush() {
    if (text_.size() < flush_size) return Done{};
    ISOSCOPE_TRY_STATUS(sink_.write(text_));
    text_.clear();
    return Done{};
  }

  static constexpr std::size_t flush_size = std::size_t{1} << 16;

  ByteSink& sink_;
  std::uint32_t version_ = 0;
  std::string text_;
};

}  // namespace

Status write_certificate(const Certificate& certificate, ByteSink& sink) {
  if (!certificate_text::is_digest(certificate.history_digest)) {
    return Error{.what = "the certificate has no digest of its history, so it cannot be written",
                 .kind = ErrorKind::usage};
  }
  return Writer(sink).run(certificate);
}

}  // namespace isoscope
