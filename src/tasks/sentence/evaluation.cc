#include "tasks/sentence/evaluation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "math/correlation.h"
#include "math/table_products.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/encoder.h"
#include "text/lines.h"
#include "text/word_ids.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

constexpr size_t kTop = 10;
constexpr int64_t kQueriesPerBlock = 16;  // queries that a thread scores with all texts at once

double discount(size_t place) {
  return 1 / std::log2(static_cast<double>(place) + 2);
}

double best_gain(const Judged& judged) {
  std::vector<double> grades;
  for (const auto& [row, grade] : judged) grades.push_back(grade);
  std::sort(grades.begin(), grades.end(), std::greater<>());
  double gain = 0;
  for (size_t i = 0; i < std::min(kTop, grades.size()); ++i) gain += grades[i] * discount(i);
  return gain;
}

void add_query(const std::vector<ScoredRow>& ranking, const Judged& judged, RankingScores& sums) {
  const std::unordered_map<int64_t, double> grades(judged.begin(), judged.end());
  double gain = 0, first = 0;
  double found = 0, found_early = 0;
  for (size_t place = 0; place < ranking.size(); ++place) {
    const auto at = grades.find(ranking[place].id);
    if (at == grades.end()) continue;
    ++found;
    if (place >= kTop) continue;
    ++found_early;
    gain += at->second * discount(place);
    if (first == 0) first = 1 / (static_cast<double>(place) + 1);
  }
  const auto relevant = static_cast<double>(judged.size());
  ++sums.queries;
  sums.mrr10 += first;
  sums.recall10 += found_early / relevant;
  sums.recall100 += found / relevant;
  sums.ndcg10 += gain / best_gain(judged);
}

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
  if (texts.empty())
    throw Error(lines.name() + " contains no text; give lines of a name and a text");
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

// Returns false if the line is not a pair.
bool add_pair(std::string_view line, ScoredPairs& pairs) {
  const std::vector<std::string_view> fields = split(line, "\t");
  const bool is_benchmark = fields.size() >= 7;
  if (!is_benchmark && fields.size() != 3) return false;
  const size_t first = is_benchmark ? 5 : 0;
  const std::optional<double> score = number_of<double>(without_plus(fields[is_benchmark ? 4 : 2]));
  if (!score || !std::isfinite(*score)) return false;
  pairs.scores.push_back(*score);
  for (const size_t i : {first, first + 1}) pairs.sentences.emplace_back(fields[i]);
  return true;
}

}  // namespace

WordMatches::WordMatches(const std::vector<std::string>& queries,
                         const std::vector<std::string>& texts, TokenMode mode)
    : texts_(std::ssize(texts)) {
  constexpr double kK1 = 1.2, kB = 0.75;
  WordCounter words;
  TextReport report;
  std::vector<int32_t> ids;
  std::vector<double> lengths;
  double mean = 0;
  for (const std::string& text : texts) {
    ids.clear();
    count_line(text, mode, report, words, ids);
    texts_of_.resize(words.size());
    lengths.push_back(static_cast<double>(ids.size()));
    mean += lengths.back() / static_cast<double>(texts.size());
    for (const int32_t id : ids) {
      std::vector<Match>& matches = texts_of_[static_cast<size_t>(id)];
      const auto number = static_cast<int32_t>(lengths.size()) - 1;
      if (matches.empty() || matches.back().text != number) matches.push_back({number, 0});
      ++matches.back().score;  // a count, for now
    }
  }
  for (std::vector<Match>& matches : texts_of_) {
    const double n = static_cast<double>(matches.size());
    const double weight = std::log1p((static_cast<double>(texts.size()) - n + 0.5) / (n + 0.5));
    for (Match& match : matches) {
      const auto count = static_cast<double>(match.score);
      const double length = lengths[static_cast<size_t>(match.text)] / mean;
      match.score =
          static_cast<float>(weight * count * (kK1 + 1) / (count + kK1 * (1 - kB + kB * length)));
    }
  }
  for (const std::string& query : queries) {
    ids.clear();
    count_line(query, mode, report, words, ids);
    std::erase_if(ids, [&](int32_t id) { return static_cast<size_t>(id) >= texts_of_.size(); });
    queries_.push_back(ids);
  }
}

void WordMatches::add(int64_t query, double weight, float* scores) const {
  std::vector<float> sums(static_cast<size_t>(texts_));
  for (const int32_t id : queries_[static_cast<size_t>(query)]) {
    for (const auto& [text, score] : texts_of_[static_cast<size_t>(id)]) {
      sums[static_cast<size_t>(text)] += score;
    }
  }
  const float most = sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
  if (most == 0) return;
  const float factor = static_cast<float>(weight) / most;
  for (size_t text = 0; text < sums.size(); ++text) scores[text] += factor * sums[text];
}

std::vector<std::vector<ScoredRow>> rank_rows(Matrix& queries, Matrix& texts,
                                              const WordMatches* matches, double weight,
                                              int threads) {
  scale_to_unit(queries);
  scale_to_unit(texts);
  const int64_t count = queries.rows(), rows = texts.rows();
  std::vector<std::vector<ScoredRow>> rankings(static_cast<size_t>(count));
  in_blocks(threads, count, kQueriesPerBlock, [&](int64_t begin, int64_t end) {
    std::vector<float> scores(static_cast<size_t>((end - begin) * rows));
    score_tables({queries.row(begin), end - begin}, {texts.row(0), rows}, queries.stride(),
                 {scores.data(), rows});
    for (int64_t i = begin; i < end; ++i) {
      float* const row = scores.data() + (i - begin) * rows;
      if (matches != nullptr) matches->add(i, weight, row);
      BestRows best(kRanked);
      best.offer(row, 0, rows, {});
      rankings[static_cast<size_t>(i)] = std::move(best).sorted();
    }
  });
  return rankings;
}

RankingScores score_rankings(const std::vector<std::vector<ScoredRow>>& rankings,
                             const std::vector<Judged>& judged) {
  RankingScores scores;
  for (size_t i = 0; i < rankings.size(); ++i) {
    if (!judged[i].empty()) add_query(rankings[i], judged[i], scores);
  }
  const double factor = scores.queries == 0 ? 0 : 100 / static_cast<double>(scores.queries);
  for (double* const sum : {&scores.mrr10, &scores.recall10, &scores.recall100, &scores.ndcg10}) {
    *sum *= factor;
  }
  return scores;
}

Collection read_pair_collection(const std::vector<std::string>& files) {
  Collection all;
  Names queries, texts;
  read_pairs(files, {.longest = kEveryLine.longest},
             [&](const LineReader&, std::string_view query, std::string_view text) {
               const auto at = static_cast<size_t>(queries.add(std::string(query)));
               all.judged.resize(static_cast<size_t>(queries.size()));
               const std::pair<int64_t, double> relevant(texts.add(std::string(text)), 1.0);
               Judged& judged = all.judged[at];
               if (std::ranges::find(judged, relevant) == judged.end()) judged.push_back(relevant);
             });
  all.queries = queries.all();
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
  std::map<std::pair<int32_t, int32_t>, double> grades;  // by query and text
  bool may_be_head = true;
  while (const std::optional<std::string_view> line = lines.next()) {
    const std::optional<Judgement> judgement = judgement_on(*line);
    if (!judgement && !may_be_head) {
      lines.refuse("is not a query, a text and a grade; give these with tabs between");
    }
    may_be_head = false;
    if (!judgement) continue;
    const auto& [query_name, text_name, grade] = *judgement;
    const int32_t query = query_names.find(query_name), text = text_names.find(text_name);
    if (query < 0 || text < 0) continue;
    const auto [known, is_new] = grades.try_emplace({query, text}, grade);
    if (known->second != grade) {
      lines.refuse(format("gives \"%s\" a second grade for \"%s\"; leave one out",
                          excerpt(text_name).c_str(), excerpt(query_name).c_str()));
    }
    if (is_new && grade > 0) all.judged[static_cast<size_t>(query)].push_back({text, grade});
  }
  return all;
}

ScoredPairs read_scored_pairs(const std::string& path) {
  LineReader lines(path);
  ScoredPairs pairs;
  bool may_be_head = true;
  while (const std::optional<std::string_view> line = lines.next()) {
    if (!add_pair(*line, pairs) && !may_be_head) {
      lines.refuse("is not two sentences and a number with tabs between; correct or delete it");
    }
    may_be_head = false;
  }
  if (pairs.scores.empty()) {
    throw Error(
        format("%s contains no pairs; give lines of two sentences and a number with tabs "
               "between",
               lines.name().c_str()));
  }
  return pairs;
}

std::vector<double> cosines_of_pairs(Matrix& vectors) {
  const int64_t columns = vectors.columns();
  scale_to_unit(vectors);
  std::vector<double> cosines;
  cosines.reserve(static_cast<size_t>(vectors.rows() / 2));
  for (int64_t i = 0; i < vectors.rows(); i += 2) {
    cosines.push_back(dot(vectors.row(i), vectors.row(i + 1), columns));
  }
  return cosines;
}

PairCorrelations score_pairs(const ScoredPairs& pairs, Matrix& vectors) {
  const std::vector<double> cosines = cosines_of_pairs(vectors);
  return {std::ssize(pairs.scores), 100 * pearson(cosines, pairs.scores),
          100 * spearman(cosines, pairs.scores)};
}

}  // namespace acevec
