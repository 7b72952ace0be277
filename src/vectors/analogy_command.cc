#include "vectors/analogy_command.h"

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "vectors/analogies.h"
#include "vectors/query_words.h"
#include "vectors/reader.h"
#include "vectors/sum_answers.h"
#include "vectors/unit_vectors.h"
#include "vectors/word_classes.h"

namespace acevec {
namespace {

constexpr std::string_view kQuestions = "Questions";
constexpr std::string_view kSums = "Sums of words";

const Option kTable[] = {
    integer(kQuestions, "top", "0", 0, 1e15,
            "use only the first N words, the most frequent; 0: all"),
    flag(kQuestions, "ignore-case", "1", "ignore case"),
    choice(kQuestions, "format", "text|tsv", "text",
           "text: aligned columns, tsv: separated by tabs"),
    threads_row(kQuestions),

    integer(kSums, "to", "10", 1, 1e9, "answers to show by each rule"),
};

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

// Percent of the covered questions; where there are none "-", or "nan" for programs.
std::string percent(int64_t right, int64_t covered, bool tsv) {
  if (covered == 0) return tsv ? "nan" : "-";
  return format("%.2f", 100 * static_cast<double>(right) / static_cast<double>(covered));
}

void print_rows(const std::vector<Row>& rows, bool tsv) {
  size_t width = std::string_view("section").size();
  for (const Row& row : rows) width = std::max(width, excerpt(row.name).size());
  const auto name_width = static_cast<int>(width);
  if (tsv) {
    std::printf("section\tquestions\tcovered\tcosadd\tcosmul\n");
  } else {
    std::printf("%-*s  questions  covered  3CosAdd  3CosMul\n", name_width, "section");
  }
  for (const Row& row : rows) {
    const auto questions = static_cast<long>(row.score.questions);
    const auto covered = static_cast<long>(row.score.covered);
    const std::string added = percent(row.score.added, covered, tsv);
    const std::string multiplied = percent(row.score.multiplied, covered, tsv);
    if (tsv) {
      std::printf("%s\t%ld\t%ld\t%s\t%s\n", row.name.c_str(), questions, covered, added.c_str(),
                  multiplied.c_str());
    } else {
      std::printf("%-*s  %9ld  %7ld  %7s  %7s\n", name_width, excerpt(row.name).c_str(), questions,
                  covered, added.c_str(), multiplied.c_str());
    }
  }
}

void score_questions(const Options& options) {
  refuse_idle(options, "to", "a sum of words");
  const std::vector<AnalogySection> sections = read_analogies(options.positional()[1]);
  const UnitVectors vectors(read_vectors(options.positional()[0], options.integer("top")));
  const WordClasses classes(vectors.words(), options.flag("ignore-case"));
  const std::vector<Row> rows =
      rows_of(sections, score_analogies(sections, vectors, classes, threads_of(options)));
  print_rows(rows, options.text("format") == "tsv");
  if (rows.back().score.covered == 0) {
    throw Error("no question has vectors for its four words; give vectors of its language");
  }
}

void print_answers(const char* rule, const std::vector<SumAnswer>& answers,
                   const UnitVectors& vectors, bool tsv) {
  if (!tsv) std::printf("%s:", rule);
  for (size_t i = 0; i < answers.size(); ++i) {
    const std::string& word = vectors.words()[static_cast<size_t>(answers[i].row)];
    if (tsv) {
      std::printf("%s\t%zu\t%s\t%.6f\n", rule, i + 1, word.c_str(), answers[i].score);
    } else {
      std::printf(" %s %.3f", one_line(word).c_str(), answers[i].score);
    }
  }
  if (!tsv) std::printf("\n");
}

void answer_words(const Options& options) {
  const std::vector<std::string>& arguments = options.positional();
  const std::vector<Expression> sums = expressions_of_arguments(
      {arguments.begin() + 1, arguments.end()}, [](std::string_view) { return false; });
  if (sums.size() > 1) {
    throw UsageError(
        "words need a sign between each two; call acevec analogy VECTORS king - man + "
        "woman");
  }
  const UnitVectors vectors(read_vectors(arguments[0], options.integer("top")));
  const WordClasses classes(vectors.words(), options.flag("ignore-case"));
  std::vector<std::string> unknown;
  const SumAnswers answers = answer_sum(sums[0], vectors, classes, options.integer("to"), unknown);
  report_unknown(unknown, vectors.words(), threads_of(options));
  if (!unknown.empty()) throw Error("a word has no vector; give other words");
  const bool tsv = options.text("format") == "tsv";
  print_answers("3CosAdd", answers.added, vectors, tsv);
  print_answers("3CosMul", answers.multiplied, vectors, tsv);
}

constexpr FileArgument kFiles[] = {{"VECTORS", Kind::kInputFile}, {"QUESTIONS", Kind::kInputFile}};

}  // namespace

const Command kAnalogyCommand{
    "analogy",
    "acevec analogy VECTORS QUESTIONS | WORD - WORD + WORD ... [OPTION VALUE ...]",
    "Answers analogy questions (a is to b as c is to ?) by 3CosAdd and 3CosMul, and prints "
    "the\npercentage of correct answers. QUESTIONS has word2vec's format: lines of four words, in "
    "sections\nstarted by \": name\"; - is standard input. Questions with unknown words are left "
    "out. For a sum\nof words, king - man + woman, prints the best answers. With a fastText model "
    "unseen words are\ncomposed of their n-grams.\n",
    "a file of vectors, then one of questions, or words with signs between them",
    kTable,
    kFiles};

void run_analogy(const Options& options) {
  const size_t arguments = options.positional().size();
  if (arguments < 2) {
    throw UsageError("two files are needed; call acevec analogy VECTORS QUESTIONS");
  }
  arguments == 2 ? score_questions(options) : answer_words(options);
}

}  // namespace acevec
