#pragma once

/// Contracts: checks of the program against itself. User input never triggers them; a bad file is
/// an Error (result.h). There are two kinds because they blame two different people:
///
///   ISOSCOPE_REQUIRE(condition)  at the start of a function: the caller broke the header's rules
///   ISOSCOPE_ENSURE(condition)   anywhere inside: our own reasoning is wrong
///
/// A broken contract prints the place and the condition on stderr and aborts: a wrong verdict is
/// worse than none. Both cost one comparison, so release builds keep them; -DISOSCOPE_CONTRACTS=OFF
/// removes them (the conditions must have no side effects).

namespace isoscope {

enum class ContractKind { caller, own };

[[noreturn]] void contract_broken(ContractKind kind, const char* condition, const char* file,
                                  int line);

}  // namespace isoscope

#ifdef ISOSCOPE_NO_CONTRACTS
#define ISOSCOPE_CONTRACT_(kind, condition) static_cast<void>(sizeof(!(condition)))
#else
#define ISOSCOPE_CONTRACT_(kind, condition) \
  ((condition) ? static_cast<void>(0)       \
               : ::isoscope::contract_broken(kind, #condition, __FILE__, __LINE__))
#endif

#define ISOSCOPE_REQUIRE(condition) ISOSCOPE_CONTRACT_(::isoscope::ContractKind::caller, condition)
#define ISOSCOPE_ENSURE(condition) ISOSCOPE_CONTRACT_(::isoscope::ContractKind::own, condition)
