#include "tasks/sentence/pair_text.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/numbers.h"
#include "tasks/sentence/corpus.h"
#include "train/checkpoint.h"

namespace acevec {
namespace {

// The two sides of the line that `lines` has just read.
std::vector<std::string_view> sides_on(const LineReader& lines, std::string_view line) {
  std::vector<std::string_view> sides = split(line, "\t");
  if (sides.size() != 2) lines.refuse("is not a pair; give two texts with a tab between");
  if (is_blank(sides[0]) || is_blank(sides[1])) {
    lines.refuse("has nothing on a side of its tab; give a text on both, or delete it");
  }
  return sides;
}

}  // namespace

void read_pairs(const std::vector<std::string>& files, const LineRules& rules, const UsePair& use) {
  for (const std::string& file : files) {
    LineReader lines(file, rules);
    bool any = false;
    while (const std::optional<std::string_view> line = lines.next()) {
      const std::vector<std::string_view> sides = sides_on(lines, *line);
      use(lines, sides[0], sides[1]);
      any = true;
    }
    if (!any) {
      throw Error(lines.name() + " holds no pair; give lines of two texts with a tab between");
    }
  }
}

LabelledLine split_labels(std::string_view line) {
  LabelledLine parts;
  TextReport report;
  split_tokens(
      line, report,
      [&](std::string_view token) {
        if (!token.starts_with(kLabelPrefix)) {
          parts.text.append(token).append(" ");
        } else if (std::find(parts.labels.begin(), parts.labels.end(), token) ==
                   parts.labels.end()) {
          parts.labels.emplace_back(token);
        }
      },
      [] {});
  return parts;
}

// Appends the ids of a text, as the last side; false where it has no word.
bool PairText::add_text(std::string_view text, TokenMode mode, WordCounter& counter) {
  const size_t begin = ids_.size();
  count_line(text, mode, report_, counter, ids_);
  if (ids_.size() == begin) return false;
  if (ids_.size() - begin > kLongestSentence) {
    ids_.resize(begin + kLongestSentence);
    ++cut_;
  }
  begins_.push_back(tokens());
  return true;
}

PairText::PairText(const std::vector<std::string>& files, TokenMode mode) {
  WordCounter counter;
  Names texts;
  const auto add = [&](std::string_view text, const LineReader& lines) {
    if (!add_text(text, mode, counter)) {
      lines.refuse("has a side without a word; give a text on both, or delete it");
    }
    texts_.push_back(texts.add(std::string(text)));
  };
  bool differ[] = {false, false};
  read_pairs(files, {},
             [&](const LineReader& lines, std::string_view first, std::string_view second) {
               const size_t bytes = first.size() + 1 + second.size();  // of the line
               fingerprint_ = hash_of_bytes(first.data(), bytes, fingerprint_ + 1);
               add(first, lines);
               add(second, lines);
               for (const int side : {0, 1}) {
                 differ[side] = differ[side] || text(pairs() - 1, side) != text(0, side);
               }
               ++report_.lines;
             });
  for (const int side : {0, 1}) {
    if (differ[side]) continue;
    throw Error(format("all pairs have the same %s side; give pairs that can be told apart",
                       side == 0 ? "first" : "second"));
  }
  words_ = words_of(counter);
}

PairText PairText::labelled(const std::vector<std::string>& files, TokenMode mode) {
  PairText all;
  WordCounter counter;
  for (const std::string& file : files) {
    LineReader lines(file);
    const int64_t before = all.pairs();
    while (const std::optional<std::string_view> line = lines.next()) {
      const LabelledLine parts = split_labels(*line);
      if (parts.labels.empty() || !all.add_text(parts.text, mode, counter)) {
        ++all.left_out_;
        continue;
      }
      for (const std::string& label : parts.labels) all.ids_.push_back(all.labels_.add(label));
      all.begins_.push_back(all.tokens());
      all.fingerprint_ = hash_of_bytes(line->data(), line->size(), all.fingerprint_ + 1);
      ++all.report_.lines;
    }
    if (all.pairs() == before) {
      throw Error(lines.name() +
                  " holds no labelled text; give lines such as \"__label__NAME TEXT\"");
    }
  }
  if (all.labels_.size() < 2) {
    throw Error("all texts have the same label; give texts of two labels or more");
  }
  all.words_ = words_of(counter);
  return all;
}

void PairText::renumber(const Vocabulary& vocabulary) {
  const WordIndex<Vocabulary> index = index_of(vocabulary);
  std::vector<int32_t> final_ids;
  final_ids.reserve(words_.size());
  for (const WordCount& word : words_) final_ids.push_back(index.find(word.word));
  for (size_t side = 0; side + 1 < begins_.size(); ++side) {
    if (static_cast<int>(side % 2) >= text_sides()) continue;
    for (int64_t at = begins_[side]; at < begins_[side + 1]; ++at) {
      int32_t& id = ids_[static_cast<size_t>(at)];
      id = final_ids[static_cast<size_t>(id)];
    }
  }
}

}  // namespace acevec
