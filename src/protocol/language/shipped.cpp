#include "protocol/language/shipped.h"

#include <algorithm>

namespace isoscope::protocol {

const std::vector<ShippedModel>& shipped_models() {
  static const std::vector<ShippedModel> models = [] {
    std::vector<ShippedModel> all = embedded_models();
    std::sort(all.begin(), all.end(),
              [](const ShippedModel& a, const ShippedModel& b) { return a.name < b.name; });
    return all;
  }();
  return models;
}

}  // namespace isoscope::protocol
