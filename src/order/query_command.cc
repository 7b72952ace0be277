#include "order/query_command.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "base/parallel.h"
#include "cli/file_options.h"
#include "cli/run_record.h"
#include "order/answers.h"
#include "order/reading.h"
#include "order/split.h"
#include "vectors/query_words.h"
#include "vectors/reader.h"

namespace acevec {
namespace {

constexpr std::string_view kQuery = "Query";
constexpr std::string_view kQuality = "Quality";

const Option kTable[] = {
    choice(kQuery, "direction", "above|below", "above", "above: hypernyms; below: hyponyms"),
    integer(kQuery, "most", "20", 1, 1e9, "answers to show for each concept"),
    real(kQuery, "threshold", "1", 0, 1e9,
         "show answers up to this weighted penalty; a larger value shows more, with more errors; 1 "
         "is the threshold that acevec order has chosen"),
    choice(
        kQuery, "geometry", "auto|order|cone", "auto",
        "what the vectors are; auto: as the record beside them says, or cones if a coordinate is "
        "negative"),
    choice(kQuery, "format", "text|tsv", "text",
           "text: one line per concept, tsv: one line per answer (concept, rank, answer, weighted "
           "penalty)"),

    input_file(kQuality, "truth",
               "all true pairs, as acevec order reads them: print precision and recall instead of "
               "answers"),
    integer(kQuality, "sample", "1000", 1, 1e9, "number of concepts to ask for -truth"),
};

struct Query {
  Replaced asked;
  float threshold;
  size_t most;
  bool tsv;
  float unit;  // weighted penalties are shown in these
};

using Ids = std::unordered_map<std::string_view, int32_t>;

Ids ids_of(const std::vector<std::string>& words) {
  Ids ids;
  for (size_t i = 0; i < words.size(); ++i) ids.emplace(words[i], static_cast<int32_t>(i));
  return ids;
}

void print_answers(const std::vector<std::string>& words, const std::string& name,
                   const std::vector<Answer>& found, const Query& query) {
  if (!query.tsv) std::printf("%s:", one_line(name).c_str());
  for (size_t i = 0; i < std::min(found.size(), query.most); ++i) {
    const std::string& word = words[static_cast<size_t>(found[i].id)];
    const auto penalty = double{found[i].weighted / query.unit};
    if (query.tsv) {
      std::printf("%s\t%zu\t%s\t%.6f\n", name.c_str(), i + 1, word.c_str(), penalty);
    } else {
      std::printf(" %s %.2f", one_line(word).c_str(), penalty);
    }
  }
  if (!query.tsv) std::printf("\n");
}

// Answers the concepts on the command line, or on standard input.
void answer(const Options& options, const WordVectors& data, const Ids& ids, const Answers& answers,
            const Query& query) {
  bool answered = false;
  const bool asked = for_query_words(options, [&](const std::vector<std::string>& typed) {
    std::vector<std::string> unknown;
    for (const std::string& line : typed) {
      const std::string name = concept_name(line);
      const auto known = ids.find(name);
      if (known == ids.end()) {
        unknown.push_back(name);
        continue;
      }
      answered = true;
      print_answers(data.words, name,
                    answers.find(query.asked, known->second, query.threshold * query.unit), query);
    }
    report_unknown(unknown, data.words, machine_threads());
  });
  if (!asked) {
    throw Error("no concepts; give some as arguments, or one per line on standard input");
  }
  if (!answered) throw Error("none of the concepts has a vector; give other names");
}

// The pairs of `path`, with the rows of the vectors as ids.
std::vector<OrderPair> true_pairs(const std::string& path, const Ids& ids) {
  const Hierarchy truth = read_hierarchy(path);
  const auto row = [&](int32_t id) {
    const std::string& name = truth.concepts.word(id);
    const auto known = ids.find(name);
    if (known == ids.end()) {
      throw Error(
          format("%s has \"%s\", which has no vector; give the pairs that the vectors "
                 "were made for",
                 path.c_str(), name.c_str()));
    }
    return known->second;
  };
  std::vector<OrderPair> pairs;
  for (const OrderPair& pair : truth.lines)
    pairs.push_back({row(pair.specific), row(pair.general)});
  return pairs;
}

void print_quality(const std::vector<OrderPair>& pairs, const Answers& answers, int64_t concepts,
                   int64_t most, const Query& query) {
  const ExactPairs truth = query.asked == Replaced::kGeneral ? generals_of(concepts, pairs)
                                                             : specifics_of(concepts, pairs);
  const std::vector<int32_t> asked = sample_concepts(truth, most);
  const AnswerQuality quality = answer_quality(answers, query.asked, truth, asked,
                                               query.threshold * query.unit, machine_threads());
  std::printf("concepts\tprecision\trecall\n%zu\t%.4f\t%.4f\n", asked.size(), quality.precision,
              quality.recall);
}

// How the vectors are to be read, by the options first.
Reading reading_of(const Options& options, const Matrix& vectors) {
  const std::string& path = options.positional()[0];
  Reading reading = read_beside(path, vectors);
  if (options.text("geometry") != "auto") {
    reading.geometry = chosen<Geometry>(options, "geometry",
                                        {{"order", Geometry::kOrder}, {"cone", Geometry::kCone}});
  }
  const bool needs_record = reading.geometry == Geometry::kCone && !options.given("threshold");
  if (needs_record && reading.unit == 0) {
    throw Error(
        format("%s holds cones, and their threshold is in the record %s.json, which cannot be "
               "used; keep the two together, or give -threshold X",
               path.c_str(), path.c_str()));
  }
  // Order embeddings are scaled to it.
  if (reading.geometry == Geometry::kOrder || reading.unit == 0) reading.unit = 1;
  return reading;
}

// What the table cannot say.
void check(const Options& options) {
  if (options.positional().empty()) {
    throw UsageError("no vectors; call acevec order query VECTORS [CONCEPT ...]");
  }
  if (options.text("truth").empty()) return refuse_idle(options, "sample", "-truth FILE");
  if (options.positional().size() > 1) {
    throw UsageError("-truth samples its own concepts; leave out those on the command line");
  }
  for (const char* name : {"most", "format"}) {
    if (!options.given(name)) continue;
    throw UsageError(format("-%s does nothing with -truth; leave it out", name));
  }
}

constexpr FileArgument kPositional[] = {{"VECTORS", Kind::kInputFile}};

// read_beside() looks at the record of the run that made the vectors.
std::vector<RunFile> files_beside(const Options& options) {
  if (options.positional().empty()) return {};
  const std::string path = record_path(options.positional()[0]);
  if (path.empty()) return {};
  return {{"the settings beside VECTORS", path, false, true}};
}

}  // namespace

const Command kOrderQueryCommand{
    "order query",
    "acevec order query VECTORS [CONCEPT ...] [OPTION VALUE ...]",
    "Lists the hypernyms or hyponyms of a concept, the most certain first, with their "
    "weighted\npenalties. Concepts come as arguments or on standard input, one per line. "
    "docs/order.md defines\nthe weighted penalty.\n",
    "a file of vectors, then concepts",
    kTable,
    kPositional,
    files_beside};

void run_order_query(const Options& options) {
  check(options);
  const WordVectors data = read_vectors(options.positional()[0]);
  const Ids ids = ids_of(data.words);
  const Reading reading = reading_of(options, data.vectors);
  const Answers answers(Embedding(data.vectors, reading.geometry));
  const Query query{
      chosen<Replaced>(options, "direction",
                       {{"above", Replaced::kGeneral}, {"below", Replaced::kSpecific}}),
      static_cast<float>(options.real("threshold")), static_cast<size_t>(options.integer("most")),
      options.text("format") == "tsv", reading.unit};
  if (const std::string& path = options.text("truth"); !path.empty()) {
    print_quality(true_pairs(path, ids), answers, data.vectors.rows(), options.integer("sample"),
                  query);
  } else {
    answer(options, data, ids, answers, query);
  }
}

}  // namespace acevec
