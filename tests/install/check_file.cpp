#include <isoscope/isoscope.h>

#include <iostream>
#include <string>

using namespace isoscope;

Result<History> history_in(const std::string& file) {
  const Result<Source> source = Source::open(file);
  if (!source) return source.error();
  return read_history(*source);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: check_file FILE\n";
    return 2;
  }
  const Result<History> history = history_in(argv[1]);
  if (!history) {
    std::cerr << history.error().text() << "\n";
    return 2;
  }
  const Verdict verdict = check(*history, Level{LevelId::serializable});
  std::cout << report::verdict_text(argv[1], *history, verdict);
  return verdict.answer == Answer::holds ? 0 : verdict.answer == Answer::violated ? 10 : 20;
}
