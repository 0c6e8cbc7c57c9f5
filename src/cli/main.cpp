#include "cli/command.h"

int main(int count, char** words) { return isoscope::cli::run(count, words); }
