#include "kg/predict_command.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/message.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "kg/answers.h"
#include "kg/judge.h"
#include "kg/model_file.h"
#include "text/lines.h"
#include "vectors/query_words.h"

namespace acevec {
namespace {

constexpr std::string_view kQuery = "Query";

const Option kTable[] = {
    input_file(kQuery, "score-file",
               "print the distances of these triples instead of answers: head, tab, relation, "
               "tab, tail; .gz is unpacked, - is standard input"),
    input_file(kQuery, "valid",
               "true triples to choose a threshold on; -score-file then also prints true or false "
               "for each triple"),
    integer(kQuery, "top", "10", 1, 1e9, "answers to show, the nearest first"),
    flag(kQuery, "known", "1", "show (1) or leave out (0) answers that make a training triple"),
    choice(kQuery, "format", "text|tsv", "text",
           "text: one line per question; tsv: one line per answer (head, relation, tail, rank, "
           "distance)"),
};

using Columns3 = std::array<std::string, 3>;  // head, relation, tail as typed; one is "?"

struct Asked {
  size_t missing;  // column
  Triple triple;   // what is missing is 0
};

Side side_of(const Asked& asked) {
  return asked.missing == 0 ? Side::kHead : Side::kTail;
}

// The columns of a line; nothing where there are not three.
std::optional<Columns3> columns_of(const std::string& line) {
  const size_t first = line.find('\t');
  const size_t second = first == std::string::npos ? first : line.find('\t', first + 1);
  if (second == std::string::npos || line.find('\t', second + 1) != std::string::npos) return {};
  return Columns3{line.substr(0, first), line.substr(first + 1, second - first - 1),
                  line.substr(second + 1)};
}

bool asks_for_one(const Columns3& typed) {
  return std::count(typed.begin(), typed.end(), "?") == 1;
}

// What is wrong with a question that does not ask for one thing.
std::string not_one(const Columns3& typed) {
  const std::string shown = typed[0] + " " + typed[1] + " " + typed[2];
  return "\"" + excerpt(shown) +
         "\" does not ask for head, relation or tail; put a ? in place of one of them";
}

// The question on a line of standard input; nothing, reported on standard error, where it holds
// none.
std::optional<Columns3> question_on(const std::string& line) {
  std::optional<Columns3> typed = columns_of(line);
  if (!typed) {
    print_message("acevec: \"" + excerpt(line) +
                  "\" is not a question; give head, relation and tail with tabs between them");
  } else if (!asks_for_one(*typed)) {
    print_message("acevec: " + not_one(*typed));
    return {};
  }
  return typed;
}

// The id of a name; −1, reported on standard error, when there is none.
int32_t find_or_report(const Names& names, const std::string& name) {
  const int32_t id = names.find(name);
  if (id < 0) report_unknown({name}, names.all(), machine_threads());
  return id;
}

// The names' numbers, 0 for "?"; nothing where a name is not known.
std::optional<Triple> triple_of(const KgFile& file, const Columns3& typed) {
  int32_t ids[3] = {0, 0, 0};
  bool known = true;
  for (size_t i = 0; i < 3; ++i) {
    if (typed[i] == "?") continue;
    ids[i] = find_or_report(i == 1 ? file.relations : file.entities, typed[i]);
    known = known && ids[i] >= 0;
  }
  if (!known) return {};
  return Triple{ids[0], ids[1], ids[2]};
}

// What `typed`, which asks for one thing, stands for; nothing where a name is not known.
std::optional<Asked> question_of(const KgFile& file, const Columns3& typed) {
  const std::optional<Triple> triple = triple_of(file, typed);
  if (!triple) return {};
  const auto missing = std::find(typed.begin(), typed.end(), "?") - typed.begin();
  return Asked{static_cast<size_t>(missing), *triple};
}

// Answers questions to one model.
class Oracle {
 public:
  explicit Oracle(const KgFile& file)
      : file_(file),
        candidates_(columns_of(file.model)),
        known_(file.entities.size(), {file.known}),
        distances_(padded(std::max<int64_t>(file.entities.size(), file.relations.size()))) {}

  // The nearest entities or relations, at most `most`.
  std::vector<int32_t> nearest(const Asked& question, size_t most, bool with_known) {
    const bool relations = question.missing == 1;
    std::vector<int32_t> ids(
        static_cast<size_t>(relations ? file_.relations.size() : file_.entities.size()));
    std::iota(ids.begin(), ids.end(), 0);
    if (relations) {
      look_at_relations(question.triple);
    } else {
      look_at_entities(question);
    }
    if (!with_known) {
      std::erase_if(ids, [&](int32_t id) { return is_known(question, id); });
    }
    const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(most, ids.size()));
    std::partial_sort(ids.begin(), end, ids.end(), [&](int32_t a, int32_t b) {
      return std::pair(distance(a), a) < std::pair(distance(b), b);
    });
    ids.erase(end, ids.end());
    return ids;
  }

  float distance(int32_t id) const { return distances_.data()[id]; }  // in the last question

 private:
  void look_at_entities(const Asked& question) {
    const KgModel& model = file_.model;
    const Side side = side_of(question);
    std::vector<float> projected(static_cast<size_t>(model.score->size())), point(projected);
    const KgModel::Asked asked = model.asked(side, question.triple.relation);
    model.score->ask(asked.side, model.entities.row(entity(question.triple, other(side))),
                     asked.relation, projected.data(), point.data());
    model.score->distances(point.data(), asked.relation, candidates_, 0, file_.entities.size(),
                           distances_.data());
  }

  void look_at_relations(Triple triple) {
    for (triple.relation = 0; triple.relation < file_.relations.size(); ++triple.relation) {
      distances_.data()[triple.relation] = triple_distance(file_.model, triple);
    }
  }

  bool is_known(const Asked& question, int32_t id) const {
    Triple triple = question.triple;
    (question.missing == 0   ? triple.head
     : question.missing == 1 ? triple.relation
                             : triple.tail) = id;
    return known_.tails.contains(triple);
  }

  const KgFile& file_;
  Columns candidates_;
  AllAnswers known_;
  AlignedFloats distances_;
};

void print_answers(const KgFile& file, const Oracle& oracle, const Asked& question,
                   const Columns3& typed, const std::vector<int32_t>& answers, bool tsv) {
  if (!tsv) {
    std::printf("%s:", one_line(typed[0] + " " + typed[1] + " " + typed[2]).c_str());
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    const std::string& name =
        (question.missing == 1 ? file.relations : file.entities).name(answers[i]);
    const auto distance = static_cast<double>(oracle.distance(answers[i]));
    if (tsv) {
      Columns3 whole = typed;
      whole[question.missing] = name;
      std::printf("%s\t%s\t%s\t%zu\t%.6f\n", whole[0].c_str(), whole[1].c_str(), whole[2].c_str(),
                  i + 1, distance);
    } else {
      std::printf(" %s %.3f", one_line(name).c_str(), distance);
    }
  }
  if (!tsv) std::printf("\n");
}

// Calls `use` with the columns and the triple of every line of a file whose names are known; tells
// of the others on standard error.
template <class Use>
void for_triples(const KgFile& file, const std::string& path, const Use& use) {
  LineReader lines(path);
  while (const std::optional<Line> line = lines.next()) {
    const std::string text(line->text);
    const std::optional<Columns3> typed = columns_of(text);
    if (!typed) {
      print_message("acevec: \"" + excerpt(text) +
                    "\" is not a triple; give head, relation and tail with tabs between them");
    } else if (std::count(typed->begin(), typed->end(), "?") > 0) {
      print_message("acevec: \"" + excerpt(text) + "\" is a question; give whole triples");
    } else if (const std::optional<Triple> triple = triple_of(file, *typed)) {
      use(*typed, *triple);
    }
  }
}

// Writes a line for each triple: its columns, its distance and, with `valid`, whether it holds.
void score_triples(const KgFile& file, const std::string& path, const std::string& valid) {
  std::optional<Judge> judge;
  if (!valid.empty()) {
    std::vector<Triple> triples;
    for_triples(file, valid,
                [&](const Columns3&, const Triple& triple) { triples.push_back(triple); });
    if (triples.empty()) {
      throw Error(
          format("no threshold can be chosen on %s; give triples that the model knows the "
                 "names of",
                 valid.c_str()));
    }
    judge.emplace(file.model, triples, AllAnswers(file.entities.size(), {file.known, triples}));
    print_message(format("accuracy on the triples of %s and as many false ones: %.2f%%",
                         valid.c_str(), 100 * judge->accuracy()));
  }
  bool any = false;
  for_triples(file, path, [&](const Columns3& typed, const Triple& triple) {
    any = true;
    const float distance = triple_distance(file.model, triple);
    std::printf("%s\t%s\t%s\t%.6f", typed[0].c_str(), typed[1].c_str(), typed[2].c_str(),
                static_cast<double>(distance));
    if (judge) std::printf("\t%s", judge->holds(triple, distance) ? "true" : "false");
    std::printf("\n");
  });
  if (!any)
    throw Error("no triple could be scored; give triples that the model knows the names of");
}

constexpr FileArgument kFiles[] = {{"MODEL", Kind::kInputFile}};

}  // namespace

const Command kKgPredictCommand{
    "kg predict",
    "acevec kg predict MODEL [HEAD RELATION '?'] [OPTION VALUE ...]",
    "Completes triples: HEAD RELATION '?' asks for tails, '?' RELATION TAIL for heads, and\n"
    "HEAD '?' TAIL for relations. Without a question as argument, questions come from standard\n"
    "input, one per line, separated by tabs. A smaller distance means a more likely triple.\n",
    "a model, then a question",
    kTable,
    kFiles};

namespace {

void refuse_idle_options(const Options& options, bool is_typed) {
  const bool scores = options.given("score-file");
  if (scores && is_typed) {
    throw UsageError("a question and -score-file exclude each other; give one of them");
  }
  if (!scores) refuse_idle(options, "valid", "-score-file");
  for (const char* name : {"top", "known", "format"}) {
    if (scores && options.given(name)) {
      throw UsageError(format("-%s does nothing with -score-file; leave it out", name));
    }
  }
}

}  // namespace

void run_kg_predict(const Options& options) {
  const std::vector<std::string>& words = options.positional();
  if (words.empty()) throw UsageError("no model; call acevec kg predict MODEL HEAD RELATION '?'");
  if (words.size() != 1 && words.size() != 4) {
    throw UsageError("a question is a head, a relation and a tail, of which one is '?'");
  }
  const bool is_typed = words.size() == 4;
  const Columns3 only = is_typed ? Columns3{words[1], words[2], words[3]} : Columns3{};
  if (is_typed && !asks_for_one(only)) throw Error(not_one(only));
  refuse_idle_options(options, is_typed);
  const KgFile file = read_kg(words[0]);
  if (options.given("score-file")) {
    return score_triples(file, options.text("score-file"), options.text("valid"));
  }
  Oracle oracle(file);
  bool any = false;
  const auto answer = [&](const Columns3& typed) {
    const std::optional<Asked> question = question_of(file, typed);
    if (!question) return;
    any = true;
    print_answers(file, oracle, *question, typed,
                  oracle.nearest(*question, static_cast<size_t>(options.integer("top")),
                                 options.flag("known")),
                  options.text("format") == "tsv");
  };
  if (is_typed) {
    answer(only);
  } else {
    InputLines lines;
    for (std::vector<std::string> batch; lines.next(batch); std::fflush(stdout)) {
      for (const std::string& line : batch) {
        if (const std::optional<Columns3> typed = question_on(line)) answer(*typed);
      }
    }
  }
  if (!any) throw Error("no question could be answered; ask about names that the model knows");
}

}  // namespace acevec
