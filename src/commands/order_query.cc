// acevec order query: lists hypernyms and hyponyms of concepts from trained vectors.

#include <cstdio>

#include "base/error.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "cli/run_record.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/vector_files.h"
#include "tasks/order/answers.h"
#include "text/lines.h"
#include "vectors/queries.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

// Returns the pairs of `path` and the pairs that they imply. Ids are rows of the vectors.
std::vector<OrderPair> true_pairs(const std::string& path, const WordTable& table) {
  const Hierarchy truth = read_hierarchy(path);
  const auto row = [&](int32_t id) {
    const std::string& name = truth.concepts.word(id);
    const int64_t known = table.find(name);
    if (known >= 0) return static_cast<int32_t>(known);
    throw Error(
        format("%s has \"%s\", which has no vector; give the pairs that the vectors were made for",
               path.c_str(), name.c_str()));
  };
  auto pairs = transitive_closure(truth.concepts.size(), truth.lines);
  if (!pairs) {
    throw Error(format("the pairs of %s imply more than %s; give a part of them", path.c_str(),
                       grouped(kMostImplied).c_str()));
  }
  for (OrderPair& pair : *pairs) pair = {row(pair.specific), row(pair.general)};
  return *pairs;
}

constexpr CommandText kOrderQuery{
    "order query", "acevec order query VECTORS [CONCEPT ...] [OPTION VALUE ...]",
    "Lists the hypernyms or hyponyms of a concept, the most certain first, with their "
    "weighted\npenalties. Concepts come as arguments or on standard input, one per line. "
    "docs/order.md defines\nthe weighted penalty.\n"};

class OrderQueryCommand final : public CommandLine {
 public:
  OrderQueryCommand() : CommandLine(kOrderQuery) {
    table().group("Query");
    table().choice<Replaced>("direction", asked_,
                             {{"above", Replaced::kGeneral}, {"below", Replaced::kSpecific}},
                             "above: hypernyms; below: hyponyms");
    table().integer("top", most_, {1, 1e9}, "answers to show for each concept");
    table().real("threshold", threshold_, {0, 1e9},
                 "show answers up to this weighted penalty; a larger value shows more, with more "
                 "errors; 1 is the threshold that acevec order chose");
    declare_print_format(tsv_, table(),
                         "text: a concept and below it its answers; tsv: a row for each answer "
                         "(concept, rank, answer, weighted penalty)");
    table().group("Quality");
    table().input_file(
        "truth", truth_,
        "pairs in the format of acevec order, true like all pairs that they imply: print precision "
        "and recall of the answers to 1000 evenly spaced concepts instead of answers");
  }

  void run() override {
    check();
    const WordTable concepts(read_vectors_with_notes(positional()[0]));
    const Reading reading = reading_of(concepts.rows());
    const Answers answers({concepts.rows(), reading.geometry});
    truth_.empty() ? answer(concepts, answers, reading.unit)
                   : print_quality(concepts, answers, reading.unit);
  }

  // Adds the record of the run that made the vectors.
  std::vector<RunFile> more_files() const override {
    const std::string path = record_path(positional()[0]);
    if (path.empty()) return {};
    return {{"the settings beside VECTORS", path, false, true}};
  }

 private:
  // Refuses what the option table cannot refuse.
  void check() {
    if (truth_.empty()) return;
    if (positional().size() > 1) {
      throw UsageError("-truth samples its own concepts; leave out those on the command line");
    }
    for (const char* name : {"top", "format"}) {
      if (!table().find(name)->given) continue;
      throw UsageError(format("-%s has no effect with -truth; leave it out", name));
    }
  }

  // Returns how to read the vectors; weighted penalties are shown in its unit.
  Reading reading_of(const Matrix& vectors) {
    const std::string& path = positional()[0];
    Reading reading = read_beside(record_path(path), vectors);
    const bool needs_record = reading.geometry == Geometry::kCone && !table().given(&threshold_);
    if (needs_record && reading.unit == 0) {
      throw Error(format(
          "%s has no record of acevec order beside it (.json) with the threshold of its cones; "
          "keep the two together, or give -threshold X; for other vectors use acevec nn",
          path.c_str()));
    }
    // Order embeddings are scaled to the unit 1.
    if (reading.geometry == Geometry::kOrder || reading.unit == 0) reading.unit = 1;
    return reading;
  }

  // The largest weighted penalty of an answer, slightly above the requested one because the scaled
  // vectors of a file are rounded.
  float cut(float unit) const { return 1.00001F * threshold_ * unit; }

  // Answers the typed concepts, or those on standard input.
  void answer(const WordTable& concepts, const Answers& answers, float unit) const {
    bool answered = false;
    const auto answer_batch = [&](const std::vector<std::string>& typed) {
      std::vector<std::string> unknown;
      for (const std::string& line : typed) {
        const std::string name = as_word(line);
        const int64_t row = concepts.find(name);
        if (row < 0) {
          unknown.push_back(name);
          continue;
        }
        answered = true;
        std::vector<Answer> found = answers.find(asked_, static_cast<int32_t>(row), cut(unit));
        if (std::ssize(found) > most_) found.resize(static_cast<size_t>(most_));
        for (Answer& one : found) one.weighted /= unit;
        print_answers(name, found, concepts.words(), tsv_, 2);
        if (found.empty()) {
          print_message(format(
              "acevec: note: no answer for %s up to the threshold; a larger -threshold shows more",
              excerpt(name).c_str()));
        }
      }
      report_unknown(unknown, concepts.words(), answered);
    };
    if (!for_query_words(words_after_vectors(*this), answer_batch)) {
      throw Error("no concepts; give some as arguments, or one per line on standard input");
    }
    if (!answered) throw Reported();
  }

  void print_quality(const WordTable& concepts, const Answers& answers, float unit) const {
    const std::vector<OrderPair> pairs = true_pairs(truth_, concepts);
    const ExactPairs truth =
        (asked_ == Replaced::kGeneral ? generals_of : specifics_of)(concepts.rows().rows(), pairs);
    const std::vector<int32_t> asked = sample_concepts(truth, kMostQueries);
    const AnswerQuality quality =
        answer_quality(answers, asked_, truth, asked, cut(unit), machine_threads());
    std::printf("concepts\tprecision\trecall\n%zu\t%.4f\t%.4f\n", asked.size(), quality.precision,
                quality.recall);
  }

  Replaced asked_ = Replaced::kGeneral;
  int64_t most_ = 20;
  float threshold_ = 1;
  bool tsv_ = false;
  std::string truth_;
};

}  // namespace

const Maker make_order_query = make_command<OrderQueryCommand>;

}  // namespace acevec
