#include "report/proof/writes.h"

namespace isoscope::report {

std::optional<FinalWrite> final_write(const History& history, std::uint32_t writer, KeyId key) {
  std::optional<FinalWrite> last;
  if (writer == 0) return last;
  const TransactionId t(writer - 1);
  each_write(history, t, [&](std::uint32_t place, KeyId written, ValueId value) {
    if (written != key) return;
    last = {{t, place}, history.operations(t)[place].kind(), value};
  });
  return last;
}

std::optional<KeyId> common_key(const History& history, std::uint32_t a, std::uint32_t b) {
  std::optional<KeyId> first;
  if (a == 0 || b == 0) return first;
  each_write(history, TransactionId(a - 1), [&](std::uint32_t, KeyId key, ValueId) {
    if (!first && final_write(history, b, key)) first = key;
  });
  return first;
}

}  // namespace isoscope::report
