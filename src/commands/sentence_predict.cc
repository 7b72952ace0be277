// acevec sentence predict MODEL FILE: prints the labels of texts. acevec sentence test MODEL FILE:
// scores them.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "base/same_file.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/model.h"
#include "text/lines.h"

namespace acevec {
namespace {

SentenceModel read_labelling_model(const std::string& path) {
  SentenceModel model = read_sentence_model(path);
  if (!model.labels.empty()) return model;
  throw Error(path +
              " is not a labelling model; train one with acevec sentence -labels FILE, "
              "or measure one of -pairs by acevec sentence retrieve");
}

// Receives lines and the model's answers to each.
using UseAnswers = std::function<void(const std::vector<LabelledLine>&,
                                      const std::vector<std::vector<ScoredRow>>&)>;

// Calls `use` for batches of lines of a file; with `all` also for lines without a label.
void for_answers(const SentenceModel& model, const std::string& path, int64_t top, int threads,
                 bool all, const UseAnswers& use) {
  const LineEncoder encoder(model, threads);
  LineReader input(path, kEveryLine);
  LineCounts counts;
  Matrix vectors(0, model.columns());
  for (std::vector<std::string> lines; input.next_batch(lines);) {
    std::vector<LabelledLine> parts;
    std::vector<std::string> texts;
    for (const std::string& line : lines) {
      LabelledLine part = split_labels(line);
      counts.report += part.report;
      if (!all && part.labels.empty()) continue;
      texts.push_back(part.text);
      parts.push_back(std::move(part));
    }
    counts += encoder.encode(texts, vectors);
    use(parts, likely_labels(model, vectors, top, threads));
  }
  report_lines(counts, "the labels are guesses");
}

constexpr CommandText kSentencePredict{
    "sentence predict", "acevec sentence predict MODEL [FILE] [OPTION VALUE ...]",
    "Prints the most likely labels for each line of FILE or standard input. MODEL must have "
    "been\ntrained with -labels. Labels in FILE are ignored.\n"};

class SentencePredictCommand final : public CommandLine {
 public:
  SentencePredictCommand() : CommandLine(kSentencePredict) {
    table().group("Answers");
    table().integer("top", top_, {1, 1e9}, "labels for each line, the best first");
    table().flag("probabilities", probabilities_, "also print each label's probability");
    declare_threads(threads_, table());
  }

  void run() override {
    const std::string& file = positional()[1];
    require_file_of_texts(*this, file);
    const SentenceModel model = read_labelling_model(positional()[0]);
    for_answers(model, file, top_, threads_of(threads_), true,
                [&](const auto& /*lines*/, const auto& answers) {
                  for (const std::vector<ScoredRow>& of_line : answers) {
                    const char* gap = "";
                    for (const auto& [label, probability] : of_line) {
                      std::printf("%s%s", gap, model.labels[static_cast<size_t>(label)].c_str());
                      if (probabilities_) std::printf(" %.6f", probability);
                      gap = " ";
                    }
                    std::printf("\n");
                  }
                  flush_output();
                });
  }

 private:
  int64_t top_ = 1;
  bool probabilities_ = false;
  std::optional<int> threads_;
};

// The counts over all labels, and those of each label.
struct TestCounts {
  int64_t texts = 0;
  LabelCounts all;
  std::vector<LabelCounts> of_label;
  std::set<std::string> unknown;  // labels that the model does not have
};

void count_answers(const SentenceModel& model, const LabelledLine& line,
                   const std::vector<ScoredRow>& answers, TestCounts& counts) {
  ++counts.texts;
  std::vector<int64_t> right;
  for (const std::string& label : line.labels) {
    const auto at = std::find(model.labels.begin(), model.labels.end(), label);
    ++counts.all.labels;
    if (at == model.labels.end()) {
      counts.unknown.insert(label);
      continue;
    }
    right.push_back(at - model.labels.begin());
    ++counts.of_label[static_cast<size_t>(right.back())].labels;
  }
  for (const ScoredRow& answer : answers) {
    const bool hit = std::find(right.begin(), right.end(), answer.id) != right.end();
    for (LabelCounts* const some :
         {&counts.all, &counts.of_label[static_cast<size_t>(answer.id)]}) {
      ++some->answers;
      some->hits += hit ? 1 : 0;
    }
  }
}

constexpr CommandText kSentenceTest{
    "sentence test", "acevec sentence test MODEL [FILE] [OPTION VALUE ...]",
    "Prints how many of the labels in FILE or standard input the model finds: the number of texts "
    "that\nhave a label, the share of its answers that are correct, and the share of correct "
    "labels that it gives.\nMODEL must have been trained with -labels.\n"};

class SentenceTestCommand final : public CommandLine {
 public:
  SentenceTestCommand() : CommandLine(kSentenceTest) {
    table().group("Answers");
    table().integer("top", top_, {1, 1e9}, "labels that the model gives each text");
    table().flag("by-label", by_label_, "also print precision, recall and F1 of each label");
    declare_print_format(tsv_, table()).need("-by-label");
    declare_threads(threads_, table());
  }

  void run() override {
    table().refuse_idle();
    const std::string& file = positional()[1];
    const SentenceModel model = read_labelling_model(positional()[0]);
    TestCounts counts;
    counts.of_label.resize(model.labels.size());
    for_answers(model, file, top_, threads_of(threads_), false,
                [&](const auto& lines, const auto& answers) {
                  for (size_t i = 0; i < lines.size(); ++i) {
                    count_answers(model, lines[i], answers[i], counts);
                  }
                });
    if (counts.texts == 0) {
      throw Error(input_name(file) +
                  " contains no labelled text; give lines such as \"__label__NAME TEXT\"");
    }
    if (!counts.unknown.empty()) {
      print_message(format("acevec: note: the model does not have %s, such as %s",
                           counted(std::ssize(counts.unknown), "label").c_str(),
                           excerpt(*counts.unknown.begin()).c_str()));
    }
    const auto top = static_cast<long>(top_);
    std::printf("N\t%ld\nP@%ld\t%s\nR@%ld\t%s\n", static_cast<long>(counts.texts), top,
                decimal(counts.all.precision(), tsv_, 4).c_str(), top,
                decimal(counts.all.recall(), tsv_, 4).c_str());
    if (!by_label_) return;
    std::vector<std::vector<std::string>> rows{{"label", "texts", "precision", "recall", "F1"}};
    for (size_t i = 0; i < model.labels.size(); ++i) {
      const LabelCounts& of = counts.of_label[i];
      rows.push_back({model.labels[i], std::to_string(of.labels), decimal(of.precision(), tsv_, 4),
                      decimal(of.recall(), tsv_, 4), decimal(of.f1(), tsv_, 4)});
    }
    print_table(rows, tsv_);
  }

 private:
  int64_t top_ = 1;
  bool by_label_ = false, tsv_ = false;
  std::optional<int> threads_;
};

}  // namespace

const Maker make_sentence_predict = make_command<SentencePredictCommand>;
const Maker make_sentence_test = make_command<SentenceTestCommand>;

}  // namespace acevec
