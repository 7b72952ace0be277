#include "tasks/word/model.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "text/word_ids.h"

namespace acevec {
namespace {

std::optional<WordVectors> read(const std::string& path, int64_t size) {
  if (path.empty()) return std::nullopt;
  WordVectors file = read_vectors(path);
  file.subwords.reset();  // saves memory; words not in the file are initialised as usual
  const auto columns = static_cast<long>(file.vectors.columns());
  if (size > 0 && columns != size) {
    throw Error(
        format("%s has vectors of size %ld, not %ld; give files of one size, "
               "and that -size or none",
               path.c_str(), columns, static_cast<long>(size)));
  }
  return file;
}

// Moves the rows of known words to `matrix`, and closes the gaps they leave. Returns the words'
// ids.
std::vector<int32_t> move_known(const WordIndex<Vocabulary>& ids, WordVectors& file,
                                Matrix& matrix) {
  const int64_t columns = matrix.columns();
  std::vector<int32_t> moved;
  int64_t kept = 0;
  for (int64_t i = 0; i < file.vectors.rows(); ++i) {
    std::string& word = file.words[static_cast<size_t>(i)];
    const float* const row = file.vectors.row(i);
    if (const int32_t id = ids.find(word); id >= 0) {
      std::copy_n(row, columns, matrix.row(id));
      moved.push_back(id);
    } else {
      if (kept < i) {
        std::copy_n(row, columns, file.vectors.row(kept));
        file.words[static_cast<size_t>(kept)] = std::move(word);
      }
      ++kept;
    }
  }
  file.words.resize(static_cast<size_t>(kept));
  file.vectors.resize(kept);
  return moved;
}

void write_model(const Vocabulary& words, const FastTextTraining& training,
                 const SkipGramModel& model, OutputFile& file) {
  const auto bucket_row = [&](int64_t bucket) -> const float* {
    const int64_t row = model.subwords->row_of_bucket(bucket);
    return row < 0 ? nullptr : model.words.row(row);  // no word of the text needs it
  };
  write_fasttext_model(words, training, model.words, bucket_row, model.contexts, file);
}

}  // namespace

OptimizerSettings embedding_optimizer(OptimizerKind kind) {
  return {.kind = kind, .ascend = true};
}

SkipGramModel::SkipGramModel(int64_t vocabulary, int64_t size, OptimizerKind optimizer_kind,
                             uint64_t seed, std::optional<SubwordIndex> index)
    : words(index ? index->rows() : vocabulary, size),
      contexts(vocabulary, size),
      optimizer(optimizer_kind),
      word_moments(
          Optimizer::moments_for(embedding_optimizer(optimizer_kind), vocabulary, words.stride())),
      context_moments(
          Optimizer::moments_for(embedding_optimizer(optimizer_kind), vocabulary, words.stride())),
      subwords(std::move(index)) {
  Random random(seed, Stream::kWordStart);
  for (int64_t i = 0; i < words.rows(); ++i) {
    for (int64_t k = 0; k < size; ++k) {
      words.row(i)[k] = (random.uniform() - 0.5F) / static_cast<float>(size);
    }
  }
}

InitialVectors read_initial_vectors(const std::string& words, const std::string& contexts,
                                    int64_t size) {
  InitialVectors initial{read(words, size), std::nullopt};
  initial.contexts = read(contexts, initial.words ? initial.words->vectors.columns() : size);
  return initial;
}

std::vector<int32_t> start_from(InitialVectors& initial, const Vocabulary& vocabulary,
                                SkipGramModel& model) {
  const WordIndex<Vocabulary> ids = index_of(vocabulary);
  if (initial.contexts) move_known(ids, *initial.contexts, model.contexts);
  if (!initial.words) return {};
  std::vector<int32_t> moved = move_known(ids, *initial.words, model.words);
  if (model.subwords) decompose(*model.subwords, moved, model.words);
  return moved;
}

void Outputs::open(const std::string& path, const OutputPaths& paths) {
  open_if(vectors, path, paths.format);
  open_if(contexts, paths.contexts, paths.context_format);
  open_if(vocabulary, paths.vocabulary);
  open_if(model, paths.model);
}

int64_t Outputs::unwritable(const InitialVectors& untrained) const {
  if (!untrained.words || !vectors) return 0;
  return std::ranges::count_if(untrained.words->words,
                               [&](const std::string& word) { return !vectors->can_hold(word); });
}

void Outputs::write(const Vocabulary& words, const SkipGramModel& trained,
                    const InitialVectors& untrained, const FastTextTraining& training,
                    std::optional<OutputFile>& record) {
  if (vectors) write_words(words, trained, untrained, *vectors);
  if (contexts) write_vectors(words, trained.contexts, untrained.contexts, *contexts);
  if (model) write_model(words, training, trained, *model);
  commit_together(contexts, model, record, vectors);
}

void write_words(const Vocabulary& words, const SkipGramModel& model,
                 const InitialVectors& untrained, RowWriter& file) {
  if (model.subwords) {
    write_vectors(words, compose_all(*model.subwords, model.words), untrained.words, file);
  } else {
    write_vectors(words, model.words, untrained.words, file);
  }
}

}  // namespace acevec
