#include "tasks/sentence/word_matches.h"

#include <algorithm>
#include <cmath>

#include "tasks/sentence/corpus.h"
#include "text/word_ids.h"

namespace acevec {

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

}  // namespace acevec
