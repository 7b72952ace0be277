// acevec analogy VECTORS QUESTIONS: accuracy on analogy questions; and what sums of words are near.

#include "base/error.h"
#include "base/message.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/run_arguments.h"
#include "commands/vector_files.h"
#include "vectors/analogies.h"
#include "vectors/query_words.h"
#include "vectors/sum_answers.h"
#include "vectors/unit_vectors.h"
#include "vectors/word_classes.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

struct Row {
  std::string name;
  AnalogyScore score;
};

// word2vec's and its followers' syntactic sections are called gram1-..., gram2-... .
bool is_syntactic(const AnalogySection& section) {
  return section.name.starts_with("gram");
}

// The sections and their sums; those of semantic and syntactic ones where there are both.
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
      return hundredths(100 * static_cast<double>(right) / covered, tsv);
    };
    table.push_back({name, std::to_string(score.questions), std::to_string(score.covered),
                     percent(score.added), percent(score.multiplied)});
  }
  print_table(table, tsv);
}

constexpr CommandText kAnalogy{
    "analogy", "acevec analogy VECTORS QUESTIONS | WORD - WORD + WORD ... [OPTION VALUE ...]",
    "Answers analogy questions (a is to b as c is to ?) by 3CosAdd and 3CosMul, and prints "
    "the\npercentage of correct answers. QUESTIONS has word2vec's format: lines of four words, in "
    "sections\nstarted by \": name\"; - is standard input. Questions with unknown words are left "
    "out. For a sum\nof words, king - man + woman, prints the best answers. With a fastText model "
    "unseen words are\ncomposed of their n-grams.\n",
    kVectorCommands};

class AnalogyCommand final : public CommandLine {
 public:
  AnalogyCommand() : CommandLine(kAnalogy) {
    table().group("Questions");
    table().integer("top", top_, {0, 1e15},
                    "use only the first N words, the most frequent; 0: all");
    declare_print_format(tsv_, table(), "text: aligned columns, tsv: separated by tabs");
    declare_threads(threads_, table());
    table().group("Sums of words");
    table()
        .integer("to", answers_, {1, 1e9}, "answers to show by each rule")
        .need("a sum of words", [this] { return positional().size() > 2; });
  }
  void run() override;

 private:
  void score_questions() const;
  void answer_words() const;

  int64_t top_ = 0;
  bool tsv_ = false;
  std::optional<int> threads_;
  int64_t answers_ = 10;
};

void AnalogyCommand::run() {
  table().refuse_idle();
  positional().size() == 2 ? score_questions() : answer_words();
}

void AnalogyCommand::score_questions() const {
  const std::vector<AnalogySection> sections = read_analogies(positional()[1]);
  const UnitVectors vectors(read_vectors(positional()[0], top_));
  const WordClasses classes(vectors.words());
  const std::vector<Row> rows =
      rows_of(sections, score_analogies(sections, vectors, classes, threads_of(threads_)));
  print_rows(rows, tsv_);
  if (rows.back().score.covered == 0) {
    throw Error("no question has vectors for its four words; give vectors of its language");
  }
}

void AnalogyCommand::answer_words() const {
  const std::vector<Expression> sums =
      expressions_of_arguments(words_behind_vectors(*this), [](std::string_view) { return false; });
  if (sums.size() > 1) {
    throw UsageError(
        "words need a sign between each two; call acevec analogy VECTORS king - man + "
        "woman");
  }
  const UnitVectors vectors(read_vectors(positional()[0], top_));
  const WordClasses classes(vectors.words());
  std::vector<std::string> unknown;
  const SumAnswers answers = answer_sum(sums[0], vectors, classes, answers_, unknown);
  report_unknown(unknown, vectors.words());
  if (!unknown.empty()) throw Error("a word has no vector; give other words");
  print_answers("3CosAdd", answers.added, vectors.words(), tsv_);
  print_answers("3CosMul", answers.multiplied, vectors.words(), tsv_);
}

}  // namespace

std::unique_ptr<CommandLine> make_analogy() {
  return std::make_unique<AnalogyCommand>();
}

}  // namespace acevec
