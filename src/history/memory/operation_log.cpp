#include "isoscope/history/operation_log.h"

#include "isoscope/base/json_writer.h"

namespace isoscope {

LogValue::Kind LogValue::kind() const { return log_->nodes_[node_].kind; }

bool LogValue::is_nil() const { return kind() == Kind::scalar && scalar() == ValuePool::nil; }

bool LogValue::is_integer() const {
  return kind() == Kind::scalar && log_->values_.kind(scalar()) == ValueKind::integer;
}

ValueId LogValue::scalar() const {
  ISOSCOPE_REQUIRE(kind() == Kind::scalar);
  return log_->nodes_[node_].scalar;
}

std::int64_t LogValue::integer() const { return log_->values_.integer_of(scalar()); }

std::size_t LogValue::size() const {
  std::size_t count = 0;
  for (auto at = begin(); !(at == end()); ++at) ++count;
  return count;
}

LogValue::Iterator& LogValue::Iterator::operator++() {
  node_ = log_->nodes_[node_].end;
  return *this;
}

LogValue::Iterator LogValue::end() const { return {*log_, log_->nodes_[node_].end}; }

LogValue LogValue::operator[](std::size_t number) const {
  auto at = begin();
  while (number-- > 0) ++at;
  ISOSCOPE_REQUIRE(!(at == end()));
  return *at;
}

bool LogValue::operator==(const LogValue& other) const {
  ISOSCOPE_REQUIRE(log_ == other.log_);
  const auto& nodes = log_->nodes_;
  const std::uint32_t size = nodes[node_].end - node_;
  if (nodes[other.node_].end - other.node_ != size) return false;
  for (std::uint32_t i = 0; i < size; ++i) {
    const OperationLog::Node& mine = nodes[node_ + i];
    const OperationLog::Node& others = nodes[other.node_ + i];
    if (mine.kind != others.kind || mine.scalar != others.scalar) return false;
    if (mine.end - node_ != others.end - other.node_) return false;
  }
  return true;
}

std::string LogValue::text(std::size_t most) const {
  std::string text;
  append_text(text, most);
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most) + "...";
}

void LogValue::append_text(std::string& to, std::size_t most) const {
  if (to.size() > most) return;
  if (kind() != Kind::scalar) {
    to += is_map() ? '{' : '[';
    bool first = true;
    for (auto at = begin(); !(at == end()) && to.size() <= most; ++at) {
      if (!first) to += ' ';
      first = false;
      (*at).append_text(to, most);
    }
    to += is_map() ? '}' : ']';
    return;
  }
  const ValuePool& values = log_->values_;
  switch (values.kind(scalar())) {
    case ValueKind::integer:
      append_integer(to, integer());
      return;
    case ValueKind::string: {
      const std::string_view string = values.string_of(scalar());
      to += string.starts_with(':') ? std::string(string) : quoted_for_message(string);
      return;
    }
    default:
      to += "nil";
  }
}

}  // namespace isoscope
