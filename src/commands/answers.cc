#include "commands/answers.h"

#include <cstdio>

#include "base/error.h"

namespace acevec {

void print_answers(const std::string& asked, const std::vector<ShownAnswer>& answers, bool tsv,
                   int digits) {
  if (!tsv) std::printf("%s:", one_line(asked).c_str());
  for (size_t i = 0; i < answers.size(); ++i) {
    const auto& [name, score] = answers[i];
    if (tsv) {
      std::printf("%s\t%zu\t%s\t%.6f\n", asked.c_str(), i + 1, name.c_str(), score);
    } else {
      std::printf(" %s %.*f", one_line(name).c_str(), digits, score);
    }
  }
  if (!tsv) std::printf("\n");
}

}  // namespace acevec
