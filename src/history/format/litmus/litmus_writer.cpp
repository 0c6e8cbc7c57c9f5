#include <algorithm>
#include <unordered_set>

#include "history/format/litmus/formats.h"
#include "history/format/litmus/litmus_text.h"
#include "isoscope/base/json_writer.h"

namespace isoscope::format {

namespace {

/// A history that fits in a line is one line; a session that does is one; otherwise each
/// transaction is.
constexpr std::size_t line_width = 100;
constexpr std::string_view between_sessions = "  |  ";
constexpr std::string_view between_transactions = " ; ";

class LitmusWriter {
 public:
  LitmusWriter(const History& history, ByteSink& sink) : history_(history), sink_(sink) {}

  Status write() {
    std::string text;
    directives(text);
    if (!one_line(text)) {
      for (const SessionId session : history_.sessions()) {
        one_session(text, session);
        ISOSCOPE_TRY_STATUS(flush(text));
      }
    }
    return flush(text);
  }

 private:
  Status flush(std::string& text) {
    if (!parts_.problem().empty())
      return Error{"cannot write this history in litmus notation: " + parts_.problem()};
    ISOSCOPE_TRY_STATUS(sink_.write(text));
    text.clear();
    return Done{};
  }

  void directives(std::string& to) {
    if (!history_.origin().empty()) {
      to += "origin ";
      append_json_string(to, history_.origin());
      to.push_back('\n');
    }
    if (!history_.indeterminate_cuts()) to += "cuts off\n";
    const auto initial = history_.initial_default();
    // Without an operation nothing else says that this is litmus notation, or a history at all.
    const bool needed = initial != std::optional(ValuePool::nil) ||
                        !history_.initial_rows().empty() || history_.operation_count() == 0;
    if (!needed) return;
    to += "initial ";
    if (initial) {
      parts_.value(to, *initial);
    } else {
      to += "none";
    }
    std::unordered_set<KeyId> listed;
    for (const RowVersion& row : history_.initial_rows()) {
      if (!listed.insert(row.key).second) continue;
      to.push_back(' ');
      parts_.key(to, row.key);
      to.push_back('=');
      parts_.value(to, *history_.initial_value(row.key));
    }
    to.push_back('\n');
  }

  /// False, and nothing written, when the sessions do not fit in a line.
  bool one_line(std::string& to) {
    const std::size_t start = to.size();
    for (const SessionId session : history_.sessions()) {
      if (session.index() != 0) to += between_sessions;
      if (!session_line(to, session, start)) {
        to.resize(start);
        return false;
      }
    }
    if (to.size() != start) to.push_back('\n');
    return true;
  }

  /// False when the line that began at `start` gets too long; `to` then has a part of the session.
  bool session_line(std::string& to, SessionId session, std::size_t start) {
    parts_.name(to, history_.session_name(session));
    to.push_back(':');
    bool first = true;
    for (const TransactionId t : history_.session(session)) {
      to += first ? " " : between_transactions;
      first = false;
      parts_.transaction(to, t);
      if (to.size() - start > line_width) return false;
    }
    return to.size() - start <= line_width;
  }

  void one_session(std::string& to, SessionId session) {
    const std::size_t start = to.size();
    if (!session_line(to, session, start)) {
      to.resize(start);
      parts_.name(to, history_.session_name(session));
      to.push_back(':');
      bool first = true;
      for (const TransactionId t : history_.session(session)) {
        to += first ? " " : " ;\n   ";
        first = false;
        parts_.transaction(to, t);
      }
    }
    to.push_back('\n');
  }

  const History& history_;
  ByteSink& sink_;
  LitmusText parts_{history_};
};

}  // namespace

Status write_litmus(const History& history, ByteSink& sink) {
  return LitmusWriter(history, sink).write();
}

}  // namespace isoscope::format
