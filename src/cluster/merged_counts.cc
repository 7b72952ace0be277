#include "cluster/merged_counts.h"

#include <algorithm>
#include <utility>

#include "cluster/collectives.h"

namespace acevec {
namespace {

Bytes packed(const std::vector<WordCount>& words) {
  Bytes bytes;
  for (const auto& [word, count] : words) {
    put(bytes, count);
    put_text(bytes, word);
  }
  return bytes;
}

void unpack(const Bytes& bytes, std::vector<WordCount>& words) {
  for (BytesReader reader(bytes); !reader.empty();) {
    const auto count = reader.get<int64_t>();
    words.push_back({reader.get_text(), count});
  }
}

// Parts of the words by their hashes, the same in all processes: small enough for the process that
// has counted most, and at least one for each process.
int common_parts(const WordCounts& own, Peers& peers) {
  const std::vector<int> parts = gather(peers, own.parts(peers.count()));
  return *std::max_element(parts.begin(), parts.end());
}

}  // namespace

WordTotals total_counts_of_all(const WordCounts& own, const MergeSettings& settings, Peers& peers) {
  if (peers.count() == 1) {
    return total_counts(own, settings.threads, settings.min_count, settings.max_words);
  }
  const int parts = common_parts(own, peers);
  WordCounts owned(1, settings.counting_bytes);
  owned.finish();
  // In each turn every process owns one part: that of its rank, of those still to come.
  for (int begin = 0; begin < parts; begin += peers.count()) {
    std::vector<Bytes> parcels(static_cast<size_t>(peers.count()));
    for (int part = begin; part < std::min(begin + peers.count(), parts); ++part) {
      std::vector<WordCount> words;
      own.for_each_total(part, parts, [&](std::string_view word, int64_t count) {
        words.push_back({std::string(word), count});
      });
      parcels[static_cast<size_t>(part - begin)] = packed(words);
    }
    std::vector<WordCount> words;
    for (const Bytes& bytes : peers.trade(std::move(parcels))) unpack(bytes, words);
    owned.add(words);
  }
  const WordTotals part =
      total_counts(owned, settings.threads, settings.min_count, settings.max_words);
  WordTotals all;
  for (const Bytes& bytes : gather(peers, packed(part.words))) unpack(bytes, all.words);
  all.distinct = sum(peers, part.distinct);
  return all;
}

}  // namespace acevec
