// acevec similarity VECTORS [WORD WORD ...]: prints cosines of pairs, and scores on similarity
// sets.

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/error.h"
#include "base/progress.h"
#include "base/same_file.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/vector_files.h"
#include "vectors/queries.h"
#include "vectors/similarity_set.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

void print_scores(const std::vector<std::string>& names, const std::vector<SimilarityScore>& scores,
                  bool tsv) {
  std::vector<std::vector<std::string>> rows{{"set", "pairs", "covered", "rho covered", "rho all"}};
  if (tsv) rows = {{"set", "pairs", "covered", "rho_covered", "rho_all"}};
  for (size_t i = 0; i < scores.size(); ++i) {
    const auto& [pairs, covered, rho_covered, rho_all] = scores[i];
    rows.push_back({names[i], std::to_string(pairs), std::to_string(covered),
                    decimal(rho_covered, tsv), decimal(rho_all, tsv)});
  }
  print_table(rows, tsv);
}

void print_cosine(const std::string& first, const std::string& second, double cosine, bool tsv) {
  if (tsv) {
    std::printf("%s\t%s\t%.6f\n", tsv_field(first).c_str(), tsv_field(second).c_str(), cosine);
  } else {
    std::printf("%s %s %.3f\n", one_line(first).c_str(), one_line(second).c_str(), cosine);
  }
}

// Returns the words of lines of two words each. Reports other lines together on standard error.
std::vector<std::string> words_of_pairs(const std::vector<std::string>& lines) {
  std::vector<std::string> words;
  std::string odd;
  int64_t odd_lines = 0;
  for (const std::string& line : lines) {
    const std::vector<std::string_view> fields = fields_of(line, "\t,");
    if (fields.size() < 2 || fields[0].empty() || fields[1].empty()) {
      if (odd_lines++ == 0) odd = line;
      continue;
    }
    words.emplace_back(fields[0]);
    words.emplace_back(fields[1]);
  }
  if (odd_lines == 1) {
    print_message("acevec: \"" + excerpt(odd) + "\" is not two words; give two per line");
  } else if (odd_lines > 1) {
    print_message(format("acevec: %s are not two words, such as \"%s\"; give two per line",
                         counted(odd_lines, "line").c_str(), excerpt(odd).c_str()));
  }
  return words;
}

constexpr CommandText kSimilarity{
    "similarity", "acevec similarity VECTORS [WORD WORD ...] [OPTION VALUE ...]",
    "Prints the cosine of two words. Pairs come as arguments or on standard input, one per "
    "line,\nseparated by a tab, a comma or spaces. With -set it scores the vectors on similarity "
    "sets. With a\nfastText model unseen words are composed of their n-grams.\n",
    kVectorCommands};

class SimilarityCommand final : public CommandLine {
 public:
  SimilarityCommand() : CommandLine(kSimilarity) {
    table().group("Query");
    table().input_files(
        "set", sets_,
        "score the vectors on these sets of lines with two words and a human score; prints the "
        "pairs, those with two vectors, and Spearman's rho x 100 over these and over all");
    declare_limit(limit_, table());
    declare_print_format(tsv_, table());
  }

  void run() override {
    if (!sets_.empty() && positional().size() > 1) {
      throw UsageError("words and -set do not go together; give one of them");
    }
    sets_.empty() ? compare_pairs() : score_sets();
  }

 private:
  void score_sets() const {
    std::vector<std::string> names;
    std::vector<SimilaritySet> sets;
    for (const std::string& path : sets_) {
      names.push_back(std::filesystem::path(path).stem().string());
      sets.push_back(read_similarity_set(path));
      if (!sets.back().note.empty()) print_message("acevec: " + sets.back().note);
    }
    const UnitVectors vectors(read_vectors_with_notes(positional()[0], limit_));
    const WordClasses folded(vectors.words());
    std::vector<SimilarityScore> scores;
    scores.reserve(sets.size());
    for (const auto& set : sets) scores.push_back(score_similarity(set.pairs, vectors, folded));
    print_scores(names, scores, tsv_);
    if (std::all_of(scores.begin(), scores.end(), [](const auto& s) { return s.covered < 2; })) {
      throw Error("no set has two pairs of words with vectors; give vectors of the sets' language");
    }
  }

  void compare_pairs() const {
    const std::vector<std::string> typed = words_after_vectors(*this);
    if (typed.size() == 1 && exists(typed[0])) {
      throw UsageError("one word is not a pair; to score on a set give -set " + typed[0]);
    }
    if (typed.size() % 2 != 0) throw UsageError("give an even number of words, two for each pair");
    const UnitVectors vectors(read_vectors_with_notes(positional()[0], limit_));
    const int64_t columns = vectors.rows().columns();
    std::vector<float> a(static_cast<size_t>(columns));
    std::vector<float> b(a);
    bool answered = false;
    const bool asked = for_query_words(typed, [&](const std::vector<std::string>& given) {
      const std::vector<std::string> words = typed.empty() ? words_of_pairs(given) : given;
      std::vector<std::string> unknown;
      for (size_t i = 0; i < words.size(); i += 2) {
        const bool has_a = vectors.look_up(words[i], a.data());
        const bool has_b = vectors.look_up(words[i + 1], b.data());
        if (!has_a) unknown.push_back(words[i]);
        if (!has_b) unknown.push_back(words[i + 1]);
        if (!has_a || !has_b) continue;
        print_cosine(words[i], words[i + 1], dot(a.data(), b.data(), columns), tsv_);
        answered = true;
      }
      report_unknown(unknown, vectors.words(), answered);
    });
    if (!asked) throw Error("no words; give two as arguments, or two per line on standard input");
    if (!answered) throw Reported();
  }

  std::vector<std::string> sets_;
  int64_t limit_ = 0;
  bool tsv_ = false;
};

}  // namespace

const Maker make_similarity = make_command<SimilarityCommand>;

}  // namespace acevec
