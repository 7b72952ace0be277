// acevec analogy VECTORS QUESTIONS: prints the accuracy on analogy questions.

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/same_file.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "vectors/analogies.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

struct Row {
  std::string name;
  AnalogyScore score;
};

// word2vec and its followers name syntactic sections gram1-..., gram2-... .
bool is_syntactic(const AnalogySection& section) {
  return section.name.starts_with("gram");
}

// Returns the sections and their total, preceded by the totals of semantic and of syntactic
// sections if there are both.
std::vector<Row> rows_of(const std::vector<AnalogySection>& sections,
                         const std::vector<AnalogyScore>& scores) {
  std::vector<Row> rows;
  Row semantic{"semantic", {}};
  Row syntactic{"syntactic", {}};
  Row total{"total", {}};
  for (size_t i = 0; i < sections.size(); ++i) {
    rows.push_back({sections[i].name, scores[i]});
    (is_syntactic(sections[i]) ? syntactic : semantic).score += scores[i];
    total.score += scores[i];
  }
  if (semantic.score.questions > 0 && syntactic.score.questions > 0) {
    rows.push_back(semantic);
    rows.push_back(syntactic);
  }
  rows.push_back(total);
  return rows;
}

void print_rows(const std::vector<Row>& rows, bool tsv) {
  std::vector<std::vector<std::string>> table{
      {"section", "questions", "covered", "3CosAdd", "3CosMul"}};
  if (tsv) table = {{"section", "questions", "covered", "cosadd", "cosmul"}};
  for (const auto& [name, score] : rows) {
    const auto percent = [&, covered = static_cast<double>(score.covered)](int64_t right) {
      return decimal(100 * static_cast<double>(right) / covered, tsv);
    };
    table.push_back({name, std::to_string(score.questions), std::to_string(score.covered),
                     percent(score.added), percent(score.multiplied)});
  }
  print_table(table, tsv);
}

constexpr CommandText kAnalogy{
    "analogy", "acevec analogy VECTORS QUESTIONS [QUESTIONS ...] [OPTION VALUE ...]",
    "Answers analogy questions (a is to b as c is to ?) by 3CosAdd and 3CosMul, and prints "
    "the\npercentage of correct answers. QUESTIONS has word2vec's format: lines of four words, in "
    "sections\nstarted by \": name\"; - is standard input. Questions with unknown words are left "
    "out. With a fastText\nmodel unseen words are composed of their n-grams. A single sum of words "
    "is answered by\nacevec nn VECTORS king - man + woman.\n",
    kVectorCommands};

class AnalogyCommand final : public CommandLine {
 public:
  AnalogyCommand() : CommandLine(kAnalogy) {
    table().group("Questions");
    declare_limit(limit_, table());
    declare_print_format(tsv_, table());
    declare_threads(threads_, table());
  }

  void run() override {
    std::vector<AnalogySection> sections;
    for (const std::string& path : words_after_vectors(*this)) {
      if (path != "-" && path.find_first_of("./") == path.npos && !exists(path)) {
        throw Error(
            format("analogy takes files of questions, and there is no file %s; for words: acevec "
                   "nn %s king - man + woman",
                   path.c_str(), positional()[0].c_str()));
      }
      std::ranges::move(read_analogies(path), std::back_inserter(sections));
    }
    const UnitVectors vectors(read_vectors_with_notes(positional()[0], limit_));
    const WordClasses classes(vectors.words());
    const std::vector<Row> rows =
        rows_of(sections, score_analogies(sections, vectors, classes, threads_of(threads_)));
    print_rows(rows, tsv_);
    if (rows.back().score.covered == 0) {
      throw Error("no question has vectors for its words; give vectors of its language");
    }
  }

 private:
  int64_t limit_ = 0;
  bool tsv_ = false;
  std::optional<int> threads_;
};

}  // namespace

const Maker make_analogy = make_command<AnalogyCommand>;

}  // namespace acevec
