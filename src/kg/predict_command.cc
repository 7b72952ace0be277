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
#include "kg/answers.h"
#include "kg/model_file.h"
#include "vectors/query_words.h"

namespace acevec {
namespace {

constexpr std::string_view kQuery = "Query";

const Option kTable[] = {
    integer(kQuery, "top", "10", 1, 1e9, "entities to show, the nearest first"),
    flag(kQuery, "known", "1", "show (1) or leave out (0) answers that are training triples"),
    choice(kQuery, "format", "text|tsv", "text",
           "text: one line per question; tsv: one line per answer (head, relation, tail, rank, "
           "distance)"),
};

using Columns3 = std::array<std::string, 3>;  // head, relation, tail as typed; one end is "?"

struct Question {
  Side side;
  Triple triple;  // the missing entity is 0
};

// The columns of a line; nothing where there are not three.
std::optional<Columns3> columns_of(const std::string& line) {
  const size_t first = line.find('\t');
  const size_t second = first == std::string::npos ? first : line.find('\t', first + 1);
  if (second == std::string::npos || line.find('\t', second + 1) != std::string::npos) return {};
  return Columns3{line.substr(0, first), line.substr(first + 1, second - first - 1),
                  line.substr(second + 1)};
}

bool asks_for_one_end(const Columns3& typed) {
  return (typed[0] == "?") != (typed[2] == "?");
}

// What is wrong with a question that does not ask for one end.
std::string not_one_end(const Columns3& typed) {
  const std::string shown = typed[0] + " " + typed[1] + " " + typed[2];
  return "\"" + excerpt(shown) +
         "\" does not ask for head or tail; put a ? in place of one of them";
}

// The question on a line of standard input; nothing, told on standard error, where it holds none.
std::optional<Columns3> question_on(const std::string& line) {
  std::optional<Columns3> typed = columns_of(line);
  if (!typed) {
    print_message("acevec: \"" + excerpt(line) +
                  "\" is not a question; give head, relation and tail with tabs between them");
  } else if (!asks_for_one_end(*typed)) {
    print_message("acevec: " + not_one_end(*typed));
    return {};
  }
  return typed;
}

// The id of a name; −1, told on standard error, when there is none.
int32_t find_or_report(const Names& names, const std::string& name) {
  const int32_t id = names.find(name);
  if (id < 0) report_unknown({name}, names.all(), machine_threads());
  return id;
}

// What `typed`, which asks for one end, stands for; nothing where a name is not known.
std::optional<Question> question_of(const KgFile& file, const Columns3& typed) {
  const bool asks_head = typed[0] == "?";
  const int32_t kept = find_or_report(file.entities, typed[asks_head ? 2 : 0]);
  const int32_t relation = find_or_report(file.relations, typed[1]);
  if (kept < 0 || relation < 0) return {};
  if (asks_head) return Question{Side::kHead, {0, relation, kept}};
  return Question{Side::kTail, {kept, relation, 0}};
}

// Answers questions to one model.
class Oracle {
 public:
  explicit Oracle(const KgFile& file)
      : file_(file),
        candidates_(columns_of(file.model)),
        known_(file.entities.size(), {file.known}),
        distances_(padded(file.entities.size())) {}

  // The nearest entities, at most `most`.
  std::vector<int32_t> nearest(const Question& question, size_t most, bool with_known) {
    const KgModel& model = file_.model;
    std::vector<float> projected(static_cast<size_t>(model.score->size())), point(projected);
    model.score->ask(question.side,
                     model.entities.row(entity(question.triple, other(question.side))),
                     model.relations.row(question.triple.relation), projected.data(), point.data());
    model.score->distances(point.data(), model.relations.row(question.triple.relation), candidates_,
                           0, file_.entities.size(), distances_.data());
    std::vector<int32_t> ids(static_cast<size_t>(file_.entities.size()));
    std::iota(ids.begin(), ids.end(), 0);
    if (!with_known) {
      const std::span<const int32_t> known = known_.at(question.side).of(question.triple);
      std::erase_if(ids,
                    [&](int32_t id) { return std::binary_search(known.begin(), known.end(), id); });
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
  const KgFile& file_;
  Columns candidates_;
  AllAnswers known_;
  AlignedFloats distances_;
};

void print_answers(const KgFile& file, const Oracle& oracle, const Question& question,
                   const Columns3& typed, const std::vector<int32_t>& answers, bool tsv) {
  if (!tsv) {
    std::printf("%s:", one_line(typed[0] + " " + typed[1] + " " + typed[2]).c_str());
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    const std::string& name = file.entities.name(answers[i]);
    const auto distance = static_cast<double>(oracle.distance(answers[i]));
    if (tsv) {
      const bool asks_head = question.side == Side::kHead;
      std::printf("%s\t%s\t%s\t%zu\t%.6f\n", (asks_head ? name : typed[0]).c_str(),
                  typed[1].c_str(), (asks_head ? typed[2] : name).c_str(), i + 1, distance);
    } else {
      std::printf(" %s %.3f", one_line(name).c_str(), distance);
    }
  }
  if (!tsv) std::printf("\n");
}

constexpr FileArgument kFiles[] = {{"MODEL", Kind::kInputFile}};

}  // namespace

const Command kKgPredictCommand{
    "kg predict",
    "acevec kg predict MODEL [HEAD RELATION '?'] [OPTION VALUE ...]",
    "Completes triples: HEAD RELATION '?' asks for tails, '?' RELATION TAIL for heads. Without "
    "a\nquestion, reads questions from standard input, one per line with tabs between. A "
    "small\ndistance means a likely triple.\n",
    "a model, then a question",
    kTable,
    kFiles};

void run_kg_predict(const Options& options) {
  const std::vector<std::string>& words = options.positional();
  if (words.empty()) throw UsageError("no model; call acevec kg predict MODEL HEAD RELATION '?'");
  if (words.size() != 1 && words.size() != 4) {
    throw UsageError("a question is a head, a relation and a tail, of which one end is '?'");
  }
  const bool is_typed = words.size() == 4;
  const Columns3 only = is_typed ? Columns3{words[1], words[2], words[3]} : Columns3{};
  if (is_typed && !asks_for_one_end(only)) throw Error(not_one_end(only));
  const KgFile file = read_kg(words[0]);
  Oracle oracle(file);
  bool any = false;
  const auto answer = [&](const Columns3& typed) {
    const std::optional<Question> question = question_of(file, typed);
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
