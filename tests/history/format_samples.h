#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "isoscope/history/format.h"

namespace isoscope::test {

/// A small history in some format. Formats that are folders have it as the only file of one.
struct Sample {
  Format format;
  std::string name;
  std::string bytes;

  bool is_folder() const { return format == Format::cobra || format == Format::viper; }
  Source source(std::string content) const {
    const std::string file = format == Format::cobra   ? "T1.log"
                             : format == Format::viper ? "J1.log"
                                                       : name;
    if (is_folder()) return Source::from_memory_folder(name, {{file, std::move(content)}});
    return Source::from_memory(name, std::move(content));
  }
  Source source() const { return source(bytes); }
};

/// The seeds of the fuzz targets, tests/corpus/TARGET/*, of every format. Some are bad on purpose.
inline std::vector<Sample> corpus_samples() {
  static const std::map<std::string, Format> formats_by_target = {
      {"native", Format::native},
      {"litmus", Format::litmus},
      {"edn", Format::edn},
      {"elle_json", Format::elle_json},
      {"dbcop_json", Format::dbcop_json},
      {"dbcop_bincode", Format::dbcop_bincode},
      {"dbcop_hist", Format::dbcop_hist},
      {"cobra", Format::cobra},
      {"plume", Format::plume},
      {"awdit", Format::awdit},
      {"viper", Format::viper},
      {"chronos", Format::chronos}};
  std::vector<Sample> samples;
  for (const auto& [target, format] : formats_by_target) {
    const std::filesystem::path folder =
        std::filesystem::path(ISOSCOPE_SOURCE_DIR) / "tests/corpus" / target;
    if (!std::filesystem::is_directory(folder)) continue;
    std::map<std::string, std::string> files;  // sorted, so that every run is the same
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream file(entry.path(), std::ios::binary);
      files[entry.path().filename()] = {std::istreambuf_iterator<char>(file),
                                        std::istreambuf_iterator<char>()};
    }
    for (auto& [name, bytes] : files) {
      // The first byte of a Cobra seed tells the fuzz target what to do with the rest.
      if (format == Format::cobra && !bytes.empty()) bytes.erase(0, 1);
      samples.push_back({format, target + "/" + name, bytes});
    }
  }
  return samples;
}

}  // namespace isoscope::test
