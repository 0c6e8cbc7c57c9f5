#include "generated.h"

#include <cstdio>

#include "child.h"

namespace isoscope {

bool generate_history(const std::string& program, const GenerateOptions& options,
                      const std::string& path) {
  std::vector<std::string> command = {program, "generate", "--seed", "1", "--output", path};
  for (const auto& [name, value] : options) {
    command.push_back("--" + name);
    command.push_back(value);
  }
  if (run_program(command).exit_code == 0) return true;
  std::fprintf(stderr, "%s: cannot be generated\n", path.c_str());
  return false;
}

bool generate_history(const std::string& program, const GenerateRecipe& recipe,
                      const std::string& path) {
  return generate_history(program,
                          {{"store", recipe.store},
                           {"sessions", std::to_string(recipe.sessions)},
                           {"transactions", std::to_string(recipe.transactions / recipe.sessions)},
                           {"operations", std::to_string(recipe.operations)},
                           {"keys", std::to_string(recipe.keys)},
                           {"duplicate-keys", std::to_string(recipe.duplicate_percent)},
                           {"to", recipe.format}},
                          path);
}

}  // namespace isoscope
