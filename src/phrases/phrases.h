// Collocations: words that follow each other more often than by chance, joined into one, as
// word2phrase does (Mikolov et al. 2013, Distributed Representations of Words and Phrases).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "phrases/pairs.h"
#include "text/corpus.h"
#include "text/word_ids.h"

namespace acevec {

struct PhraseSettings {
  double threshold = 100;  // ≥ 0
  int64_t min_count = 5;   // ≥ 1
  int passes = 1;
  std::string delimiter = "_";
  int64_t most_bytes = int64_t{1} << 30;  // for counts of pairs
  int threads = 1;
  std::vector<std::string> connectors;  // words that are only inside phrases; at most 31
};

struct Phrase {
  WordPair pair;
  int64_t count;
  double score;
};

// What one pass over the text found.
struct PhrasePass {
  std::vector<Phrase> phrases;  // the highest score first
  int64_t pairs = 0;            // different pairs that were counted
  int scans = 0;                // of the text to count them
};

class Phrases {
 public:
  // Finds phrases: pairs (a, b) within a line (PairRules) with
  //   score = (count(a b) − min_count) / (count(a) count(b)) · tokens > threshold.
  // Each further pass does so on the text that the ones before have joined, so that N passes find
  // phrases of up to 2^N words. `corpus` must hold all words of the text, and outlive this. Lines
  // longer than a chunk are taken as several. `on_pass` is called after each pass with its number
  // from 1.
  Phrases(const Corpus& corpus, const PhraseSettings& settings,
          const std::function<void(int pass, const PhrasePass&)>& on_pass);

  // A chunk of the text with all phrases joined: tokens with a space between them, lines with
  // their ends. `joined` counts the joints. Safe to call from several threads.
  std::string text(int64_t chunk, int64_t& joined) const;

  const std::vector<PhrasePass>& passes() const { return passes_; }
  std::string spelling(const Phrase& phrase) const;

 private:
  int64_t read(int64_t chunk, std::vector<int32_t>& ids) const;
  std::vector<int64_t> count_words() const;
  PhrasePass find(const std::vector<int64_t>& counts) const;

  const Corpus& corpus_;
  PhraseSettings settings_;
  PairRules rules_;
  WordCounter words_;  // the corpus's ids, then those of phrases
  std::vector<Joiner> joiners_;
  std::vector<PhrasePass> passes_;
};

}  // namespace acevec
