#include "tasks/kg/model_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "kernels/hogwild.h"
#include "text/lines.h"
#include "text/look_ahead.h"

namespace acevec {
namespace {

static_assert(std::endian::native == std::endian::little, "the file's numbers are little-endian");

constexpr const char* kMagic = "acevec-kg 1";
constexpr const char* kReciprocal = "reciprocal";
constexpr const char* kNorms[] = {"l1", "l2"};
constexpr int64_t kLargestSize = 100000;

uint32_t checksum(uint32_t sum, std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(sum, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

// Numbers as their bytes.
template <class Number>
std::string_view bytes_of(const Number* numbers, int64_t count) {
  return {reinterpret_cast<const char*>(numbers), static_cast<size_t>(count) * sizeof(Number)};
}

// A file that sums up what is written to it.
class Writer {
 public:
  explicit Writer(OutputFile& file) : file_(file) {}

  void write(std::string_view bytes) {
    sum_ = checksum(sum_, bytes);
    file_.write(bytes);
  }

  void write_rows(const Matrix& matrix, int64_t size, const Names& names) {
    AlignedFloats row(matrix.stride());
    for (int32_t i = 0; i < matrix.rows(); ++i) {
      gather_rows(matrix, &i, 1, row.data());
      for (int64_t part = 0; part < matrix.stride(); part += padded(size)) {
        const float* const numbers = row.data() + part;
        for (int64_t k = 0; k < size; ++k) {
          if (std::isfinite(numbers[k])) continue;
          throw Error(format("the vector of \"%s\" is not finite; train with a smaller -rate",
                             names.name(i % names.size()).c_str()));
        }
        write(bytes_of(numbers, size));
      }
    }
  }

  void finish() { file_.write(bytes_of(&sum_, 1)); }

 private:
  OutputFile& file_;
  uint32_t sum_ = 0;
};

// A file whose bytes are taken off from the front, and summed up.
class Rest {
 public:
  explicit Rest(const std::string& path) : input_(path) {}

  [[noreturn]] void refuse(const char* why) const {
    throw Error(format("cannot use %s: it %s; give a file that acevec kg wrote",
                       input_.name().c_str(), why));
  }

  // The next bytes, valid until the next call.
  std::string_view take(size_t count) {
    const std::string_view bytes = input_.peek(count).substr(0, count);
    if (bytes.size() < count) refuse(kCut);
    input_.skip(count);
    sum_ = checksum(sum_, bytes);
    return bytes;
  }

  std::string_view line() {
    const std::optional<std::string_view> line = input_.peek_until('\n', kLongestName);
    if (!line) refuse("has a line of more than 2 MiB");
    return take(line->size() + 1).substr(0, line->size());
  }

  // `rows` rows, whose parts have `size` numbers each. Room follows what the file holds, not what
  // its first line declares.
  void take_rows(Matrix& matrix, int64_t rows, int64_t size) {
    const int64_t first_rows = 1 + (1 << 17) / matrix.stride();
    for (int64_t i = 0; i < rows; ++i) {
      if (i == matrix.rows()) matrix.resize(std::min(rows, std::max(first_rows, 2 * i)));
      for (int64_t part = 0; part < matrix.stride(); part += padded(size)) {
        const std::string_view numbers = take(static_cast<size_t>(size) * sizeof(float));
        float* const to = matrix.row(i) + part;
        std::memcpy(to, numbers.data(), numbers.size());
        if (!std::all_of(to, to + size, [](float x) { return std::isfinite(x); })) {
          refuse("holds a number that is not finite");
        }
      }
    }
  }

  // Compares the checksum, behind which nothing may stand.
  void finish() {
    const uint32_t wanted = sum_;
    uint32_t sum = 0;
    std::memcpy(&sum, take(sizeof sum).data(), sizeof sum);
    if (!input_.at_end()) refuse(kCut);
    if (sum != wanted) refuse("is damaged: its checksum is wrong");
  }

 private:
  static constexpr size_t kLongestName = 2 * kLongestLine;  // those of triples fit
  static constexpr const char* kCut = "is truncated, or has more at its end";

  LookAhead input_;
  uint32_t sum_ = 0;
};

struct Header {
  ScoreKind kind;
  Norm norm;
  int64_t size, entities, relations, triples;
  bool reciprocal;
};

Header read_header(Rest& rest) {
  std::istringstream line{std::string(rest.line())};
  std::string name, version, score, norm;
  Header header{};
  line >> name >> version >> score >> norm >> header.size >> header.entities >> header.relations >>
      header.triples;
  if (!line || name + ' ' + version != kMagic) rest.refuse("is not a model of version 1");
  std::string last;
  line >> last;
  header.reciprocal = last == kReciprocal;
  bool knows_score = false, knows_norm = false;
  for (const ScoreKind kind : kScoreKinds) {
    if (score != name_of(kind)) continue;
    header.kind = kind;
    knows_score = true;
  }
  for (const Norm one : {Norm::kL1, Norm::kL2}) {
    if (norm != kNorms[static_cast<int>(one)]) continue;
    header.norm = one;
    knows_norm = true;
  }
  constexpr int64_t kMostNames = std::numeric_limits<int32_t>::max();
  const bool is_possible = header.size > 0 && header.size <= kLargestSize && header.entities > 0 &&
                           header.entities <= kMostNames && header.relations > 0 &&
                           header.relations <= kMostNames && header.triples >= 0 &&
                           (last.empty() || header.reciprocal);
  if (is_complex(header.kind) && header.size % 2 != 0) rest.refuse("has a damaged first line");
  if (!knows_score || !knows_norm || !is_possible) rest.refuse("has a damaged first line");
  return header;
}

Names read_names(Rest& rest, int64_t count) {
  Names names;
  for (int64_t i = 0; i < count; ++i) {
    if (names.add(std::string(rest.line())) != i) rest.refuse("has a name twice");
  }
  return names;
}

}  // namespace

void write_kg(const Graph& graph, const KgModel& model, OutputFile& file) {
  const int64_t size = model.score->size();
  Writer writer(file);
  writer.write(format("%s %s %s %ld %d %d %zu%s%s\n", kMagic, name_of(model.kind),
                      kNorms[static_cast<int>(model.norm)], static_cast<long>(size),
                      graph.entities.size(), graph.relations.size(), graph.train.triples.size(),
                      model.reciprocal ? " " : "", model.reciprocal ? kReciprocal : ""));
  for (const Names* names : {&graph.entities, &graph.relations}) {
    for (const std::string& name : names->all()) writer.write(name + '\n');
  }
  writer.write_rows(model.entities, size, graph.entities);
  writer.write_rows(model.relations, size, graph.relations);
  for (const Triple& triple : graph.train.triples) {
    const std::array<int32_t, 3> numbers{triple.head, triple.relation, triple.tail};
    writer.write(bytes_of(numbers.data(), 3));
  }
  writer.finish();
}

KgFile read_kg(const std::string& path) {
  Rest rest(path);
  const Header header = read_header(rest);
  Names entities = read_names(rest, header.entities);
  Names relations = read_names(rest, header.relations);
  KgFile file{std::move(entities),
              std::move(relations),
              KgModel(header.kind, header.norm, header.size, 0, 0, header.reciprocal),
              {}};
  rest.take_rows(file.model.entities, header.entities, header.size);
  rest.take_rows(file.model.relations, (header.reciprocal ? 2 : 1) * header.relations, header.size);
  for (int64_t i = 0; i < header.triples; ++i) {
    int32_t numbers[3];
    std::memcpy(numbers, rest.take(sizeof numbers).data(), sizeof numbers);
    const bool is_sound = numbers[0] >= 0 && numbers[0] < header.entities && numbers[1] >= 0 &&
                          numbers[1] < header.relations && numbers[2] >= 0 &&
                          numbers[2] < header.entities;
    if (!is_sound) rest.refuse("has a triple of an entity or relation without a name");
    file.known.push_back({numbers[0], numbers[1], numbers[2]});
  }
  rest.finish();
  return file;
}

}  // namespace acevec
