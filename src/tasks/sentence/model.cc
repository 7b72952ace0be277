#include "tasks/sentence/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/progress.h"
#include "base/random.h"
#include "math/covariance.h"
#include "text/word_ids.h"
#include "train/model_container.h"

namespace acevec {
namespace {

constexpr double kSif = 1e-3;  // a: words of this frequency have half the weight of rare ones

constexpr ModelKind kKind{"acevec sentence", 3};

struct Shape {
  int64_t mode, size, scaled, tied, encoder, words, unknown;
};

bool is_encoder(int64_t number) {
  switch (static_cast<EncoderKind>(number)) {
    case EncoderKind::kBag:
    case EncoderKind::kGru:
      return number >= 0 && number <= std::numeric_limits<uint8_t>::max();
  }
  return false;
}

bool is_flag(int64_t number) {
  return number == 0 || number == 1;
}

bool is_possible(const Shape& shape) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  return is_flag(shape.mode) && shape.size >= 1 && shape.size <= 100000 && shape.words >= 1 &&
         shape.words <= kMost && shape.unknown >= 0 && shape.unknown <= kMost - shape.words &&
         is_flag(shape.tied) && is_encoder(shape.encoder) &&
         (shape.scaled == 0 ||
          (shape.scaled == 1 && static_cast<EncoderKind>(shape.encoder) == EncoderKind::kBag));
}

void write_network(const std::string& name, const Network& network, CheckpointWriter& file) {
  put_trained(name, network.rows, file);
  if (network.gates.rows() > 0) put_trained(name + " gates", network.gates, file);
}

void read_network(const std::string& name, Network& network, CheckpointReader& file) {
  get_trained(name, network.rows, file);
  if (network.gates.rows() > 0) get_trained(name + " gates", network.gates, file);
}

SentenceModel read(CheckpointReader& file) {
  const auto shape = file.get<Shape>("shape");
  const std::vector<std::string> words = get_lines("words", file);
  std::vector<int64_t> counts;
  file.get("counts", counts);
  require_possible(is_possible(shape) && std::ssize(words) == shape.words &&
                   counts.size() == words.size());
  std::vector<WordCount> vocabulary;
  int64_t total = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    require_possible(counts[i] >= 0 && !__builtin_add_overflow(total, counts[i], &total));
    vocabulary.push_back({words[i], counts[i]});
  }
  const SentenceShape wanted{
      static_cast<TokenMode>(shape.mode),      shape.size,        shape.tied == 1,
      static_cast<EncoderKind>(shape.encoder), shape.scaled == 1, shape.unknown};
  require_room(Network::floats(wanted, shape.words), file);
  Vocabulary sorted(std::move(vocabulary), std::numeric_limits<int64_t>::min(), 0);
  SentenceModel model(std::move(sorted), wanted);
  get_trained("centre", model.centre, file);
  require_possible(std::ssize(model.centre) == model.columns());
  read_network("f", model.f, file);
  if (model.second) read_network("g", *model.second, file);
  if (file.next_is("labels")) {
    model.labels = get_lines("labels", file);
    const int64_t labels = std::ssize(model.labels);
    require_possible(labels >= 2);
    require_room((model.columns() + 1) * padded(labels), file);
    model.classifier = Matrix(model.columns() + 1, labels);
    get_trained("classifier", model.classifier, file);
  }
  return model;
}

using RowOfWord = std::unordered_map<std::string_view, int64_t>;  // row of each word

// The first row of each word. Models store words as lines, so words with line ends are skipped.
RowOfWord places_of(const std::vector<std::string>& words) {
  RowOfWord places;
  places.reserve(words.size());
  for (const std::string& word : words) {
    if (word.find('\n') != std::string::npos) continue;
    places.emplace(word, &word - words.data());
  }
  return places;
}

// The relative frequency of each row, 0 for a word without a count; the sum is 1.
std::vector<double> shares_of(const std::vector<int64_t>& counts) {
  double total = 0;
  for (const int64_t count : counts) total += static_cast<double>(count);
  if (total == 0) {
    throw Error(
        "no word of the counts has a vector in -init; do both have the same language and case?");
  }
  std::vector<double> shares;
  shares.reserve(counts.size());
  for (const int64_t count : counts) shares.push_back(static_cast<double>(count) / total);
  return shares;
}

// Σ w p v / Σ w p, of the first rows, whose w p are given.
void centre_by_frequency(const std::vector<double>& weighted, const Matrix& rows,
                         std::vector<float>& centre) {
  std::vector<double> sum(centre.size());
  double total = 0;
  for (int64_t i = 0; i < std::ssize(weighted); ++i) {
    const double weight = weighted[static_cast<size_t>(i)];
    total += weight;
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += weight * static_cast<double>(rows.row(i)[k]);
  }
  for (size_t k = 0; k < sum.size(); ++k) centre[k] = static_cast<float>(sum[k] / total);
}

// Fills with a vector of random direction and the given length. The sum of three uniform numbers is
// close enough to normal for uniform directions.
void fill_random(Random& random, std::span<float> row, float length = 1) {
  for (float& number : row) {
    number = random.uniform() + random.uniform() + random.uniform() - 1.5F;
  }
  scale_to_unit(row.data(), std::ssize(row));
  for (float& number : row) number *= length;
}

}  // namespace

SentenceModel::SentenceModel(Vocabulary words, const SentenceShape& wanted)
    : vocabulary(std::move(words)),
      shape(wanted),
      f(shape, vocabulary.size()),
      centre(static_cast<size_t>(shape.columns())) {
  if (!shape.tied) second.emplace(shape, vocabulary.size());
}

void start_model(SentenceModel& model, uint64_t seed) {
  const double total = static_cast<double>(model.vocabulary.total());
  const int64_t size = model.shape.size;
  const float range = 1 / std::sqrt(static_cast<float>(size));
  for (int64_t number = 0; number < (model.shape.tied ? 1 : 2); ++number) {
    Network& network = number == 0 ? model.f : model.g();
    Matrix& rows = network.rows;
    Random random(seed, Stream::kSentenceStart, number);
    for (int64_t i = 0; i < rows.rows(); ++i) {
      for (int64_t k = 0; k < size; ++k) rows.row(i)[k] = range * (2 * random.uniform() - 1);
      if (!model.shape.has_weights()) continue;
      const bool known = i < model.vocabulary.size();
      const double count =
          known ? static_cast<double>(model.vocabulary.count(static_cast<int32_t>(i))) : 0;
      rows.row(i)[size] = static_cast<float>(std::log(kSif / (kSif + count / total)));
    }
    if (model.shape.has_weights()) continue;
    Random gates(seed, Stream::kSentenceGates, number);
    network.gates = Gru::parameters(size, size, gates);
  }
}

std::unique_ptr<RowReader> open_start(const std::string& path, const SentenceShape& shape) {
  std::unique_ptr<RowReader> file = open_rows(path);
  if (file->columns() != shape.size) {
    throw Error(format("%s has vectors of size %ld, not %ld; give that -size", path.c_str(),
                       static_cast<long>(file->columns()), static_cast<long>(shape.size)));
  }
  return file;
}

int64_t start_from(RowReader& file, SentenceModel& model) {
  const WordIndex<Vocabulary> ids = index_of(model.vocabulary);
  std::vector<float> row(static_cast<size_t>(model.shape.size));
  int64_t found = 0;
  for (std::string word; file.next(word, row.data());) {
    const int32_t id = ids.find(word);
    if (id < 0) continue;
    for (Network* const network : {&model.f, &model.g()}) {
      std::copy(row.begin(), row.end(), network->rows.row(id));
    }
    ++found;
  }
  return found;
}

void write_sentence_model(const SentenceModel& model, CheckpointWriter& file) {
  const int32_t words = model.vocabulary.size();
  std::vector<std::string> lines;
  lines.reserve(static_cast<size_t>(words));
  for (int32_t id = 0; id < words; ++id) lines.push_back(model.vocabulary.word(id));
  file.put(kKind.command, kKind.version);
  const SentenceShape& shape = model.shape;
  file.put("shape",
           Shape{static_cast<int64_t>(shape.mode), shape.size, shape.scaled ? 1 : 0,
                 shape.tied ? 1 : 0, static_cast<int64_t>(shape.encoder), words, shape.unknown});
  put_lines("words", lines, file);
  file.put("counts", model.vocabulary.counts());
  file.put("centre", model.centre);
  write_network("f", model.f, file);
  if (model.second) write_network("g", *model.second, file);
  if (model.labels.empty()) return;
  put_lines("labels", model.labels, file);
  put_trained("classifier", model.classifier, file);
}

SentenceModel read_sentence_model(const std::string& path) {
  return read_model(path, kKind, read);
}

SentenceModel mean_model(WordVectors vectors, const std::vector<WordCount>& counts,
                         const MeanSettings& settings, int threads,
                         const std::optional<MoreRows>& more) {
  Matrix& rows = vectors.vectors;
  const RowOfWord places = places_of(vectors.words);
  std::vector<int64_t> count_of(vectors.words.size());
  for (const auto& [word, count] : counts) {
    const auto at = places.find(word);
    if (at != places.end()) count_of[static_cast<size_t>(at->second)] = count;
  }
  const std::vector<double> shares = shares_of(count_of);
  scale_to_unit(rows);
  if (settings.search) {
    if (!whiten(shares, threads, rows)) {
      throw Error(
          "the counted words have equal vectors, which cannot be whitened; give other "
          "vectors, or -for features");
    }
    scale_to_unit(rows);
  }

  std::vector<WordCount> words;
  words.reserve(places.size());
  for (const auto& [word, row] : places) {
    words.push_back({std::string(word), count_of[static_cast<size_t>(row)]});
  }
  for (const WordCount& word : more ? more->words : std::span<const WordCount>()) {
    if (!places.contains(word.word)) words.push_back({word.word, 0});
  }
  const int64_t given = rows.columns(), lexical = more ? more->lexical : 0;
  SentenceShape shape;
  shape.mode = settings.mode;
  shape.size = given + lexical;
  shape.tied = true;
  shape.scaled = settings.search && !more;
  shape.unknown = more ? more->unknown : 0;
  SentenceModel model(Vocabulary(std::move(words), std::numeric_limits<int64_t>::min(), 0), shape);
  // A word without a vector is as long as one that has both parts.
  const float length = lexical > 0 ? std::sqrt(2.0F) : 1;
  std::vector<double> weighted(static_cast<size_t>(model.vocabulary.size()));
  Random random(more ? more->seed : 0, Stream::kSentenceStart, 1);
  for (int64_t id = 0; id < model.f.rows.rows(); ++id) {
    float* const row = model.f.rows.row(id);
    const bool is_word = id < model.vocabulary.size();
    const auto at =
        is_word ? places.find(model.vocabulary.word(static_cast<int32_t>(id))) : places.end();
    const std::span numbers(row, static_cast<size_t>(shape.size));
    const std::span random_part = numbers.last(static_cast<size_t>(lexical));
    if (at == places.end()) {
      fill_random(random, lexical > 0 ? random_part : numbers, length);
      continue;
    }
    const auto place = static_cast<size_t>(at->second);
    const double sif = settings.a / (settings.a + shares[place]);
    const double weight = settings.search ? std::sqrt(sif) : sif;
    weighted[static_cast<size_t>(id)] = weight * shares[place];
    std::copy_n(rows.row(at->second), given, row);
    fill_random(random, random_part);
    row[shape.size] = static_cast<float>(std::log(weight));
  }
  centre_by_frequency(weighted, model.f.rows, model.centre);
  return model;
}

std::vector<WordCount> counts_by_rank(const std::vector<std::string>& words) {
  constexpr double kMost = 1e12;
  std::vector<WordCount> counts;
  counts.reserve(words.size());
  for (const std::string& word : words) {
    counts.push_back({word, std::llround(kMost / (static_cast<double>(counts.size()) + 2.7))});
  }
  return counts;
}

WordVectors random_vectors(const std::vector<WordCount>& words, int64_t size, uint64_t seed) {
  WordVectors vectors{{}, Matrix(std::ssize(words), size)};
  Random random(seed, Stream::kSentenceStart, 0);
  for (const WordCount& word : words) {
    float* const row = vectors.vectors.row(std::ssize(vectors.words));
    fill_random(random, {row, static_cast<size_t>(size)});
    vectors.words.push_back(word.word);
  }
  return vectors;
}

}  // namespace acevec
