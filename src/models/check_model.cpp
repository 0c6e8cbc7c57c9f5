#include "isoscope/models/check_model.h"

#include <algorithm>
#include <array>

#include "models/model_checks.h"

namespace isoscope::models {

namespace {

using Check = Result<ModelVerdict> (*)(const OperationLog&, const ModelOptions&);

struct Row {
  ModelInfo info;
  Check check;
};

constexpr std::array table = {
    Row{{Model::bank, "bank", "every read of all accounts has the same total"}, check_bank},
    Row{{Model::counter, "counter",
         "every read is between the sum of what was added before it and of what was tried"},
        check_counter},
    Row{{Model::set, "set", "the final read has every element that was added, and no other"},
        check_set},
    Row{{Model::set_full, "set-full", "no element that was there is missing for good"},
        check_set_full},
    Row{{Model::long_fork, "long-fork", "no two reads saw two writes in different orders"},
        check_long_fork},
    Row{{Model::comments, "comments",
         "a read that has an element has all that were added before that one"},
        check_comments},
    Row{{Model::sequential, "sequential",
         "a read that has a client's later write has its earlier ones"},
        check_sequential},
    Row{{Model::cas_register, "cas-register",
         "reads, writes and compare-and-sets of one register are linearizable", true},
        check_cas_register},
    Row{{Model::mutex, "mutex", "acquisitions and releases of one lock are linearizable", true},
        check_mutex},
};

constexpr auto infos = [] {
  std::array<ModelInfo, table.size()> result{};
  for (std::size_t i = 0; i < table.size(); ++i) result[i] = table[i].info;
  return result;
}();

}  // namespace

std::span<const ModelInfo> models() { return infos; }

const ModelInfo& info_of(Model model) { return infos[static_cast<std::size_t>(model)]; }

std::optional<Model> find_model(std::string_view name) {
  if (name == "register") return Model::cas_register;
  const auto found = std::ranges::find(infos, name, &ModelInfo::name);
  if (found == infos.end()) return std::nullopt;
  return found->model;
}

Result<ModelVerdict> check_model(Model model, const OperationLog& log,
                                 const ModelOptions& options) {
  return table[static_cast<std::size_t>(model)].check(log, options);
}

}  // namespace isoscope::models
