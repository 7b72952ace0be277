#include "tasks/sentence/collection.h"

#include <cmath>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"
#include "tasks/sentence/line_encoder.h"
#include "tasks/sentence/pair_text.h"
#include "text/lines.h"

namespace acevec {
namespace {

// Lines of a name, a tab and a text; a text may be empty.
std::vector<std::string> read_named(const std::string& path, Names& names) {
  LineReader lines(path, {.longest = kEveryLine.longest});
  std::vector<std::string> texts;
  while (const std::optional<std::string_view> line = lines.next()) {
    const size_t tab = line->find('\t');
    if (tab == std::string_view::npos || tab == 0) {
      lines.refuse("is not a name and a text; give both with a tab between");
    }
    if (names.add(std::string(line->substr(0, tab))) < std::ssize(texts)) {
      lines.refuse("has a name that came before; give each text a name of its own");
    }
    texts.emplace_back(line->substr(tab + 1));
  }
  if (texts.empty()) throw Error(lines.name() + " holds no text; give lines of a name and a text");
  return texts;
}

struct Judgement {
  std::string query, text;
  double grade;
};

std::optional<Judgement> judgement_on(std::string_view line) {
  const std::vector<std::string_view> fields =
      split(line, line.find('\t') == std::string_view::npos ? " " : "\t");
  if (fields.size() != 3 && fields.size() != 4) return {};
  const std::optional<double> grade = number_of<double>(fields.back());
  if (!grade || !std::isfinite(*grade)) return {};
  return Judgement{std::string(fields[0]), std::string(fields[fields.size() - 2]), *grade};
}

}  // namespace

Collection read_pair_collection(const std::vector<std::string>& files) {
  Collection all;
  Names texts;
  read_pairs(files, {.longest = kEveryLine.longest},
             [&](const LineReader&, std::string_view query, std::string_view text) {
               all.queries.emplace_back(query);
               all.judged.push_back({{texts.add(std::string(text)), 1.0}});
             });
  all.texts = texts.all();
  return all;
}

Collection read_collection(const std::string& texts, const std::string& queries,
                           const std::string& judgements) {
  Collection all;
  Names text_names, query_names;
  all.texts = read_named(texts, text_names);
  all.queries = read_named(queries, query_names);
  all.judged.resize(all.queries.size());
  LineReader lines(judgements);
  bool may_be_head = true;
  while (const std::optional<std::string_view> line = lines.next()) {
    const std::optional<Judgement> judgement = judgement_on(*line);
    if (!judgement && !may_be_head) {
      lines.refuse("is not a query, a text and a grade; give these with tabs between");
    }
    may_be_head = false;
    if (!judgement || !(judgement->grade > 0)) continue;
    const int32_t query = query_names.find(judgement->query);
    const int32_t text = text_names.find(judgement->text);
    if (query < 0 || text < 0) continue;
    all.judged[static_cast<size_t>(query)].push_back({text, judgement->grade});
  }
  return all;
}

}  // namespace acevec
