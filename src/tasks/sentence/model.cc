#include "tasks/sentence/model.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "base/random.h"

namespace acevec {
namespace {

constexpr double kSif = 1e-3;  // a: words of that frequency weigh half as much as rare ones

}  // namespace

Network::Network(const SentenceShape& shape, int64_t words)
    : rows(words + shape.unknown, shape.row_columns()),
      gates(shape.gate_rows(), shape.gate_columns()) {}

int64_t Network::bytes(const SentenceShape& shape, int64_t words) {
  return ((words + shape.unknown) * padded(shape.row_columns()) +
          shape.gate_rows() * padded(shape.gate_columns())) *
         kFloatSize;
}

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
  std::unordered_map<std::string_view, int32_t> wanted;
  for (int32_t id = 0; id < model.vocabulary.size(); ++id) {
    wanted.emplace(model.vocabulary.word(id), id);
  }
  std::vector<float> row(static_cast<size_t>(model.shape.size));
  int64_t found = 0;
  for (std::string word; file.next(word, row.data());) {
    const auto at = wanted.find(word);
    if (at == wanted.end()) continue;
    for (Network* const network : {&model.f, &model.g()}) {
      std::copy(row.begin(), row.end(), network->rows.row(at->second));
    }
    ++found;
  }
  return found;
}

}  // namespace acevec
