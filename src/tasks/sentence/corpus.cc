#include "tasks/sentence/corpus.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/numbers.h"
#include "text/corpus.h"
#include "text/segments.h"
#include "text/text_reader.h"
#include "train/checkpoint.h"

namespace acevec {
namespace {

constexpr int32_t kUnknown = -1;
constexpr size_t kLongestOpenLine = 64 << 20;  // a longer one is cut, to limit memory

// Appends the ids of a line's tokens, as append_ids() does.
template <class LookUp>
void append_line(std::string_view line, TokenMode mode, TextReport& report,
                 std::vector<int32_t>& ids, LookUp&& look_up) {
  std::string separated;
  if (mode == TokenMode::kWords) {
    separated = separate_words(line, report.invalid_tokens);
    line = separated;
  }
  append_ids(line, report, ids, look_up);
}

}  // namespace

void count_line(std::string_view line, TokenMode mode, TextReport& report, WordCounter& counter,
                std::vector<int32_t>& ids) {
  append_line(line, mode, report, ids, [&](std::span<const KeyedWord> words, int32_t* found) {
    counter.add_all(words, found);
  });
}

std::vector<WordCount> words_of(const WordCounter& counter) {
  std::vector<WordCount> words;
  for (size_t id = 0; id < counter.size(); ++id) {
    words.push_back({std::string(counter.word(id)), counter.count(id)});
  }
  return words;
}

TextReport SentenceReader::read(std::string_view line, std::vector<int32_t>& ids) const {
  ids.clear();
  TextReport report;
  append_line(line, mode_, report, ids, [&](std::span<const KeyedWord> words, int32_t* found) {
    index_.find_all(words, found);
    for (size_t i = 0; i < words.size() && unknown_ > 0; ++i) {
      if (found[i] == kUnknown) {
        found[i] =
            static_cast<int32_t>(words_ + static_cast<int64_t>(word_hash(words[i].key) %
                                                               static_cast<uint64_t>(unknown_)));
      }
    }
  });
  std::erase(ids, kUnknown);
  return report;
}

bool TextIds::add(std::string_view text, TokenMode mode, WordCounter& counter) {
  const size_t begin = ids_.size();
  count_line(text, mode, report_, counter, ids_);
  if (ids_.size() == begin) return false;
  if (ids_.size() - begin > kLongestSentence) {
    ids_.resize(begin + kLongestSentence);
    ++cut_;
  }
  end_text();
  return true;
}

void TextIds::note(std::string_view bytes) {
  fingerprint_ = hash_of_bytes(bytes.data(), bytes.size(), fingerprint_ + 1);
}

SentenceCorpus::SentenceCorpus(Source& source, const SentenceTextSettings& settings) {
  const std::unique_ptr<TextReader> reader = make_text_reader(source);
  WordCounter counter;
  int32_t document = 0;
  bool ended = true;  // the document has no sentence yet
  const auto add_sentence = [&](std::string_view sentence) {
    if (!add(sentence, settings.mode, counter)) return;
    if (ended && !documents_.empty()) ++document;
    ended = false;
    documents_.push_back(document);
  };
  const auto add_lines = [&](std::string_view lines) {
    while (!lines.empty()) {
      const std::string_view line = take_part(lines, '\n');
      ++report_.lines;
      if (is_blank(line)) {
        ended = true;
      } else if (settings.split) {
        split_sentences(line, add_sentence);
      } else {
        add_sentence(line);
      }
    }
  };
  std::string text;  // starts at a line's beginning
  for (TextChunk chunk; reader->next(chunk);) {
    report_ += chunk.report;
    note(chunk.text);
    text += chunk.text;
    // A line longer than a chunk continues in the next.
    const size_t whole = text.size() > kLongestOpenLine ? text.size() : text.rfind('\n') + 1;
    add_lines(std::string_view(text).substr(0, whole));
    text.erase(0, whole);
  }
  add_lines(text);
  vocabulary_ = Vocabulary(words_of(counter), settings.min_count, settings.max_words);
  std::vector<int32_t> final_ids(counter.size(), kUnknown);
  for (int32_t id = 0; id < vocabulary_.size(); ++id) {
    final_ids[static_cast<size_t>(counter.find(vocabulary_.word(id)))] = id;
  }
  renumber(final_ids);
}

// Converts tokens to ids of the vocabulary, and drops tokens without one, and sentences that become
// empty.
void SentenceCorpus::renumber(const std::vector<int32_t>& final_ids) {
  size_t token = 0, sentence = 0;
  for (size_t i = 0; i < documents_.size(); ++i) {
    const size_t begin = token;
    for (auto at = static_cast<size_t>(begins_[i]); at < static_cast<size_t>(begins_[i + 1]);
         ++at) {
      const int32_t id = final_ids[static_cast<size_t>(ids_[at])];
      if (id != kUnknown) ids_[token++] = id;
    }
    if (token == begin) {
      ++without_;
      continue;
    }
    documents_[sentence] = documents_[i];
    // begins_[i + 1] is read in the next iteration; begins_[sentence] is no longer needed.
    begins_[sentence++] = static_cast<int64_t>(begin);
  }
  documents_.resize(sentence);
  begins_.resize(sentence);
  begins_.push_back(static_cast<int64_t>(token));
  ids_.resize(token);
  ids_.shrink_to_fit();
}

void read_pairs(const std::vector<std::string>& files, const LineRules& rules, const UsePair& use) {
  for (const std::string& file : files) {
    LineReader lines(file, rules);
    bool any = false;
    while (const std::optional<std::string_view> line = lines.next()) {
      const std::vector<std::string_view> sides = split(*line, "\t");
      if (sides.size() != 2) lines.refuse("is not a pair; give two texts with a tab between");
      if (is_blank(sides[0]) || is_blank(sides[1])) {
        lines.refuse("has nothing on a side of its tab; give a text on both, or delete it");
      }
      use(lines, sides[0], sides[1]);
      any = true;
    }
    if (!any) {
      throw Error(lines.name() + " contains no pair; give lines of two texts with a tab between");
    }
  }
}

LabelledLine split_labels(std::string_view line) {
  LabelledLine parts;
  split_tokens(
      line, parts.report,
      [&](std::string_view token) {
        if (!token.starts_with(kLabelPrefix)) {
          parts.text.append(token).append(" ");
        } else if (token.size() > kMaxTokenBytes) {
          ++parts.report.long_tokens;
        } else if (std::find(parts.labels.begin(), parts.labels.end(), token) ==
                   parts.labels.end()) {
          parts.labels.emplace_back(token);
        }
      },
      [] {}, std::string_view::npos);
  return parts;
}

PairText::PairText(const std::vector<std::string>& files, TokenMode mode) {
  WordCounter counter;
  Names texts;
  const auto add_side = [&](std::string_view text, const LineReader& lines) {
    if (!add(text, mode, counter)) {
      lines.refuse("has a side without a word; give a text on both, or delete it");
    }
    texts_.push_back(texts.add(std::string(text)));
  };
  bool differ[] = {false, false};
  read_pairs(files, {},
             [&](const LineReader& lines, std::string_view first, std::string_view second) {
               note({first.data(), first.size() + 1 + second.size()});  // the line
               add_side(first, lines);
               add_side(second, lines);
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
      all.report_ += parts.report;
      if (parts.labels.empty() || !all.add(parts.text, mode, counter)) {
        ++all.left_out_;
        continue;
      }
      for (const std::string& label : parts.labels) all.ids_.push_back(all.labels_.add(label));
      all.end_text();
      all.note(*line);
      ++all.report_.lines;
    }
    if (all.pairs() == before) {
      throw Error(lines.name() +
                  " contains no labelled text; give lines such as \"__label__NAME TEXT\"");
    }
  }
  if (all.labels_.size() < 2) {
    throw Error("all texts have the same label; give texts of two labels or more");
  }
  all.words_ = words_of(counter);
  return all;
}

std::vector<int64_t> PairText::texts_of_labels() const {
  std::vector<int64_t> texts(labels().size());
  for (int64_t i = 0; i < pairs(); ++i) {
    for (const int32_t label : side(i, 1)) ++texts[static_cast<size_t>(label)];
  }
  return texts;
}

double PairText::mean_tokens() const {
  int64_t tokens = 0;
  for (int64_t i = 0; i < pairs(); ++i) tokens += std::ssize(side(i, 0));
  return static_cast<double>(tokens) / static_cast<double>(pairs());
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
