#pragma once

#include "history/format/shared/operation_buffer.h"

namespace isoscope::format {

/// What dbcop's JSON and .hist have in common: sessions of transactions that read and write
/// versions of variables, where a version is a number that one write makes.
///
/// A read of nothing (null, ?) sees the initial state, and so does a read of version 0 where nobody
/// writes version 0 of that variable. Only the end of the file tells, so reads wait in a buffer
/// until then.
class DbcopVersions {
 public:
  ValuePool& values() { return builder_.values(); }
  HistoryBuilder& builder() { return builder_; }

  void begin_session() { session_ = builder_.add_session(); }
  void begin_transaction() { transaction_ = buffer_.begin_transaction(session_); }
  void set_aborted() { buffer_.transaction(transaction_).outcome = Outcome::aborted; }
  /// `version` is an integer, or nil for what a read of nothing saw.
  void add(OperationKind kind, ValueId variable, ValueId version) {
    buffer_.add(transaction_, kind, builder_.key(variable), version);
  }

  History finish() &&;

 private:
  HistoryBuilder builder_;
  OperationBuffer buffer_{builder_};
  SessionId session_;
  std::size_t transaction_ = 0;
};

}  // namespace isoscope::format
