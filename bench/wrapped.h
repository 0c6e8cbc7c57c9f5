#pragma once

#include <cstddef>
#include <sstream>
#include <string>

namespace isoscope {

/// A Markdown document with its sentences in lines of at most 100 columns, as all documents have
/// them. Headings, tables, lists and empty lines stay as they are.
inline std::string wrapped(const std::string& document) {
  constexpr std::size_t width = 100;
  std::string result;
  std::size_t column = 0;  // where the paragraph goes on; 0: there is none
  std::istringstream lines(document);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.find_first_of("#|-") == 0) {
      result += (column != 0 ? "\n" : "") + line + "\n";
      column = 0;
      continue;
    }
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const bool fits = column + 1 + word.size() <= width;
      if (column != 0) result += fits ? ' ' : '\n';
      column = (column != 0 && fits ? column + 1 : 0) + word.size();
      result += word;
    }
  }
  return result + (column != 0 ? "\n" : "");
}

}  // namespace isoscope
