#include <algorithm>
#include <array>
#include <limits>

#include "history/format/checkers/formats.h"
#include "history/format/checkers/plume_line.h"
#include "history/format/shared/integer_names.h"
#include "history/format/shared/integer_registers.h"
#include "history/format/shared/line_scanner.h"
#include "history/format/shared/operation_buffer.h"
#include "isoscope/history/history_builder.h"

/// The text that PolySI, Plume, IsoVista and AWDIT share, one operation a line:
///
///   w(0,1,1,1)      session 1, transaction 1 writes 1 to key 0
///   r(0,1,2,2)      session 2, transaction 2 reads it
///   w(0,9,2,-1)     session 2 wrote 9 and aborted
///
/// Operations of different sessions may interleave. docs/formats/plume.md says how the dialects are
/// reconciled.
namespace isoscope::format {

namespace {

constexpr std::uint64_t largest_id = std::numeric_limits<std::int64_t>::max();

struct Line {
  OperationKind kind;
  std::uint64_t key;
  std::uint64_t value;
  std::uint64_t session;
  std::size_t session_place;
  std::optional<std::uint64_t> transaction;  // nothing: aborted
  std::size_t transaction_place;
};

Result<Line> parse(LineScanner& line) {
  Line result{};
  if (line.take("r(")) {
    result.kind = OperationKind::read;
  } else if (line.take("w(")) {
    result.kind = OperationKind::write;
  } else {
    return line.expected("r(key,value,session,transaction) or w(...)");
  }
  ISOSCOPE_TRY(key, line.number("a key"));
  ISOSCOPE_TRY_STATUS(line.expect(','));
  ISOSCOPE_TRY(value, line.number("a value"));
  ISOSCOPE_TRY_STATUS(line.expect(','));
  line.skip_spaces();
  result.session_place = line.place();
  ISOSCOPE_TRY(session, line.number("a session", largest_id));
  ISOSCOPE_TRY_STATUS(line.expect(','));
  line.skip_spaces();
  result.transaction_place = line.place();
  if (!line.take("-1")) {
    ISOSCOPE_TRY(transaction, line.number("a transaction, or -1 for an aborted one", largest_id));
    result.transaction = transaction;
  }
  ISOSCOPE_TRY_STATUS(line.expect(')'));
  ISOSCOPE_TRY_STATUS(line.expect_end());
  result.key = key;
  result.value = value;
  result.session = session;
  return result;
}

class Reader {
 public:
  Reader(ByteReader& input, const ReadOptions& options)
      : input_(input), options_(options), line_(input) {}

  Result<History> history();

 private:
  struct Session {
    std::uint64_t name;
    std::optional<std::size_t> transaction;  // the latest one, by its number in the buffer
  };

  /// Adds lines while they are plain and right. What comes next is one that is not, or the end.
  Status add_plain_lines();
  /// Adds plain lines that were found at the front of the input and moves past them. False if one
  /// of them is wrong: then it moves only past those before it.
  bool add(std::span<const PlainPlumeLine> lines);
  std::size_t session_of(std::uint64_t name);
  /// The transaction that an operation belongs to, by its number in the buffer, begun if it is new.
  /// Nothing if its session has gone on, or is another one.
  std::optional<std::size_t> transaction_of(std::uint64_t session_name,
                                            std::optional<std::uint64_t> name);
  Error reappears(const Line& line);
  void leave_out_initial_transaction();
  void name_sessions();

  ByteReader& input_;
  const ReadOptions& options_;
  LineScanner line_;
  HistoryBuilder builder_;
  OperationBuffer buffer_{
      builder_};  // its sessions are indices into sessions_ until name_sessions()
  std::vector<Session> sessions_;
  IntegerNames session_by_name_;
  IntegerNames transaction_by_name_;
};

std::size_t Reader::session_of(std::uint64_t name) {
  const auto [number, is_new] = session_by_name_.try_add(name, sessions_.size());
  if (is_new) sessions_.push_back({name, std::nullopt});
  return number;
}

Error Reader::reappears(const Line& line) {
  const std::string name = "transaction " + std::to_string(*line.transaction);
  const std::size_t known = *transaction_by_name_.find(*line.transaction);
  const std::uint64_t session = sessions_[buffer_.transaction(known).session.index()].name;
  if (session != line.session) {
    return line_.error_at(line.session_place, "expected session " + std::to_string(session) +
                                                  ", where " + name + " began, found " +
                                                  std::to_string(line.session));
  }
  return line_.error_at(line.transaction_place,
                        "expected another transaction, found " + name +
                            " again, after the next transaction of its session has begun");
}

std::optional<std::size_t> Reader::transaction_of(std::uint64_t session_name,
                                                  std::optional<std::uint64_t> name) {
  const std::size_t session = session_of(session_name);
  std::optional<std::size_t>& latest = sessions_[session].transaction;
  if (!name) {
    // Aborted operations have no transaction to tell them apart: those in a row are one.
    if (!latest || buffer_.transaction(*latest).outcome != Outcome::aborted) {
      latest = buffer_.begin_transaction(SessionId(session));
      buffer_.transaction(*latest).outcome = Outcome::aborted;
    }
    return *latest;
  }
  const auto [number, is_new] = transaction_by_name_.try_add(*name, buffer_.transaction_count());
  if (is_new) {
    latest =
        buffer_.begin_transaction(SessionId(session), builder_.values().integer(signed_of(*name)));
  }
  return latest == number ? latest : std::nullopt;
}

bool Reader::add(std::span<const PlainPlumeLine> lines) {
  std::size_t transaction = 0;
  std::size_t length = 0;
  bool good = true;
  for (const PlainPlumeLine& line : lines) {
    if (!line.goes_on) {
      const auto found = transaction_of(line.session, line.transaction);
      good = found.has_value();
      if (!good) break;
      transaction = *found;
    }
    buffer_.add(transaction, line.is_write ? OperationKind::write : OperationKind::read,
                builder_.key(signed_of(line.key)),
                builder_.values().integer(signed_of(line.value)));
    length += line.length;
  }
  input_.skip(length);
  return good;
}

Status Reader::add_plain_lines() {
  // Enough lines that the memory for their values has come when it is needed.
  std::array<PlainPlumeLine, 64> lines;
  for (;;) {
    ISOSCOPE_TRY_STATUS(keep_going(options_, input_));
    const std::string_view text = input_.window(lines.size() * PlainPlumeLine::max_length);
    const auto taken = std::span(lines).first(take_plain_lines(text, lines));
    for (const PlainPlumeLine& line : taken) {
      builder_.values().prefetch_integer(signed_of(line.value));
    }
    if (!add(taken) || taken.size() < lines.size()) return Done{};
  }
}

void Reader::leave_out_initial_transaction() {
  const auto session = session_by_name_.find(0);
  const auto transaction = transaction_by_name_.find(0);
  if (!session || !transaction) return;
  const auto begun_first = [&] {
    for (std::size_t t = 0; t < *transaction; ++t) {
      if (buffer_.transaction(t).session.index() == *session) return false;
    }
    return true;
  };
  OperationBuffer::Transaction& candidate = buffer_.transaction(*transaction);
  if (candidate.session.index() != *session || !begun_first()) return;
  const ValueId zero = builder_.values().integer(0);
  bool writes_only_zero = true;
  buffer_.for_each_piece_of(*transaction, [&](std::span<const Operation> operations) {
    writes_only_zero &= std::ranges::all_of(operations, [&](const Operation& operation) {
      return operation.kind() == OperationKind::write && operation.value() == zero;
    });
  });
  if (writes_only_zero) candidate.left_out = true;
}

void Reader::name_sessions() {
  std::vector<std::optional<SessionId>> ids(sessions_.size());
  for (std::size_t t = 0; t < buffer_.transaction_count(); ++t) {
    OperationBuffer::Transaction& transaction = buffer_.transaction(t);
    if (transaction.left_out) continue;
    const std::size_t session = transaction.session.index();
    if (!ids[session])
      ids[session] =
          builder_.session(builder_.values().integer(signed_of(sessions_[session].name)));
    transaction.session = *ids[session];
  }
}

Result<History> Reader::history() {
  builder_.set_initial_default(builder_.values().integer(0));
  for (;;) {
    ISOSCOPE_TRY_STATUS(add_plain_lines());
    ISOSCOPE_TRY(more, line_.next());
    if (!more) break;
    ISOSCOPE_TRY(line, parse(line_));
    const auto transaction = transaction_of(line.session, line.transaction);
    if (!transaction) return reappears(line);
    buffer_.add(*transaction, line.kind, builder_.key(signed_of(line.key)),
                builder_.values().integer(signed_of(line.value)));
  }
  leave_out_initial_transaction();
  name_sessions();
  buffer_.move_to_builder();
  return std::move(builder_).finish();
}

}  // namespace

bool looks_like_plume(const Head& head) {
  if (head.source.is_folder() && head.source.file_count() != 1) return false;
  const std::string_view text = head.text();
  if (!text.starts_with("r(") && !text.starts_with("w(")) return false;
  const Source first_line = Source::from_memory({}, std::string(text.substr(0, text.find('\n'))));
  Result<ByteReader> input = first_line.open_file(0);
  LineScanner line(*input);
  const Result<bool> more = line.next();
  return more && *more && parse(line);
}

Result<History> read_plume(const Source& source, const ReadOptions& options) {
  // AWDIT takes a folder with the file in it.
  if (source.is_folder() && source.file_count() != 1) {
    return Error{"expected a file, or a folder with one file, found " +
                 std::to_string(source.file_count()) + " files: " + source.name()};
  }
  ISOSCOPE_TRY(input, source.open_file(0));
  return Reader(input, options).history();
}

}  // namespace isoscope::format
