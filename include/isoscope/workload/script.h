#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

#include "isoscope/base/contract.h"
#include "isoscope/workload/request.h"

namespace isoscope {

/// How a script wants its transaction to end. The database may have other plans.
enum class Ending : std::uint8_t { commit, abort };

/// One transaction as its client runs it: a coroutine that yields requests and gets the answers, so
/// that what it does next may depend on what it has read.
///
///   Script transfer(KeyId from, KeyId to) {
///     const ValueId balance = (co_yield read(from)).value;
///     if (amount_of(balance) == 0) co_return Ending::abort;
///     co_yield write(from, less(balance));
///     ...
///     co_return Ending::commit;
///   }
///
///   Script script = transfer(a, b);
///   for (const Request* r = script.start(); r != nullptr; r = script.resume(answer_to(*r))) {}
///   commit_or_abort(script.ending());
///
/// Whatever the coroutine's parameters refer to must outlive it. If memory runs out inside it, the
/// exception comes out of start() or resume(), and the script is at its end. Costs one allocation a
/// transaction.
class Script {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type {
    Request request;
    const Reply* reply = nullptr;
    Ending ending = Ending::commit;
    std::exception_ptr thrown = {};

    struct ReplyAwaiter {
      promise_type& promise;
      bool await_ready() const noexcept { return false; }
      void await_suspend(Handle) const noexcept {}
      const Reply& await_resume() const noexcept { return *promise.reply; }
    };

    Script get_return_object() { return Script(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    ReplyAwaiter yield_value(const Request& next) noexcept {
      request = next;
      return ReplyAwaiter{*this};
    }
    void return_value(Ending end) noexcept { ending = end; }
    void unhandled_exception() noexcept { thrown = std::current_exception(); }
  };

  Script(Script&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Script& operator=(Script&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Script() {
    if (handle_) handle_.destroy();
  }

  /// The first request; null: the transaction has no operations. Call it once.
  const Request* start() { return advance(nullptr); }
  /// The next request, now that the last one is answered; null: the transaction is at its end.
  const Request* resume(const Reply& reply) { return advance(&reply); }
  /// Once it has ended.
  Ending ending() const {
    ISOSCOPE_REQUIRE(handle_.done());
    return handle_.promise().ending;
  }

 private:
  explicit Script(Handle handle) : handle_(handle) {}

  const Request* advance(const Reply* reply) {
    ISOSCOPE_REQUIRE(!handle_.done());
    handle_.promise().reply = reply;
    handle_.resume();
    if (handle_.promise().thrown) std::rethrow_exception(handle_.promise().thrown);
    return handle_.done() ? nullptr : &handle_.promise().request;
  }

  Handle handle_;
};

}  // namespace isoscope
