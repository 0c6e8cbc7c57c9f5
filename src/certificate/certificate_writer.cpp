#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "certificate/certificate_text.h"
#include "isoscope/base/contract.h"

namespace isoscope {

using namespace certificate_text;

namespace {

constexpr std::size_t events_a_line = 20;

class Writer {
 public:
  explicit Writer(ByteSink& sink) : sink_(sink) {}

  Status run(const Certificate& certificate) {
    ISOSCOPE_REQUIRE(has_certificates(certificate.level.id));
    ISOSCOPE_REQUIRE(certificate.holds || certificate.order.empty());
    const bool cuts = certificate.indeterminate_cuts;
    text_.append(cuts ? first_line : first_line_of_2);
    text_.append("\nlevel ").append(name_of(certificate.level.id));
    text_.append("\nsession-order ").append(certificate.level.session_order ? "on" : "off");
    if (!cuts) text_.append("\nindeterminate-cuts off");
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
  Status write_order(const Certificate& certificate) {
    text_.append("committed");
    for (const std::uint32_t t : certificate.committed) blank().number(t);
    text_.append("\norder ");
    number(certificate.order.size()).line_end();
    for (std::size_t i = 0; i < certificate.order.size(); ++i) {
      if (i % events_a_line != 0) blank();
      event(certificate.order[i]);
      if (i % events_a_line != events_a_line - 1 && i + 1 != certificate.order.size()) continue;
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
    }
  }

  void lemma(const ProofStep& step) {
    for (const ProofLiteral& one : step.literals) blank().literal(one);
    text_.append(" :");
    for (const std::uint32_t hint : step.hints) blank().number(hint);
  }

  void literal(const ProofLiteral& literal) {
    if (literal.negated) text_.push_back('!');
    switch (literal.kind) {
      case ProofLiteral::Kind::order:
        event(literal.before).text_.push_back('<');
        event(literal.after);
        break;
      case ProofLiteral::Kind::selection:
        read(literal.read).text_.push_back('=');
        number(literal.writer);
        break;
      case ProofLiteral::Kind::committed:
        text_.push_back('+');
        number(literal.writer);
        break;
    }
  }

  Writer& event(Event event) {
    text_.push_back(event.is_commit ? 'c' : 'b');
    return number(event.transaction);
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
