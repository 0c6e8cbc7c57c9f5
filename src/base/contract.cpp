#include "isoscope/base/contract.h"

#include <cstdio>
#include <cstdlib>

namespace isoscope {

void contract_broken(ContractKind kind, const char* condition, const char* file, int line) {
  std::fprintf(stderr, "isoscope: internal error: %s:%d: %s does not hold: %s\n", file, line,
               kind == ContractKind::caller ? "a requirement on the caller" : "an own invariant",
               condition);
  std::abort();
}

}  // namespace isoscope
