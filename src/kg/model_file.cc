#include "kg/model_file.h"

#include <zlib.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "text/source.h"

namespace acevec {
namespace {

static_assert(std::endian::native == std::endian::little, "the file's numbers are little-endian");

constexpr const char* kMagic = "acevec-kg 1";
constexpr const char* kNorms[] = {"l1", "l2"};

uint32_t checksum(uint32_t sum, std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(sum, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

// Numbers as their bytes.
template <class Number>
std::string_view bytes_of(const Number* numbers, int64_t count) {
  return {reinterpret_cast<const char*>(numbers), static_cast<size_t>(count) * sizeof(Number)};
}

// Floats of a row of `width` that are no padding: the parts of a row have `size` each.
int64_t floats_in_row(int64_t width, int64_t size) {
  return width / padded(size) * size;
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
    for (int32_t i = 0; i < matrix.rows(); ++i) {
      for (int64_t part = 0; part < matrix.stride(); part += padded(size)) {
        const float* const numbers = matrix.row(i) + part;
        for (int64_t k = 0; k < size; ++k) {
          if (std::isfinite(numbers[k])) continue;
          throw Error(format("the vector of \"%s\" is not finite; train with a smaller -rate",
                             names.name(i).c_str()));
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

// The bytes of a file, taken off from the front.
class Rest {
 public:
  Rest(std::string name, std::string_view bytes) : name_(std::move(name)), bytes_(bytes) {}

  [[noreturn]] void refuse(const char* why) const {
    throw Error(
        format("cannot use %s: it %s; give a file that acevec kg wrote", name_.c_str(), why));
  }

  std::string_view take(size_t count) {
    if (bytes_.size() < count) refuse("is cut short");
    const std::string_view front = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return front;
  }

  std::string_view line() {
    const size_t end = bytes_.find('\n');
    if (end == std::string_view::npos) refuse("is cut short");
    return take(end + 1).substr(0, end);
  }

  size_t size() const { return bytes_.size(); }

  void take_rows(Matrix& matrix, int64_t size) {
    for (int64_t i = 0; i < matrix.rows(); ++i) {
      for (int64_t part = 0; part < matrix.stride(); part += padded(size)) {
        const std::string_view numbers = take(static_cast<size_t>(size) * sizeof(float));
        std::memcpy(matrix.row(i) + part, numbers.data(), numbers.size());
      }
    }
  }

 private:
  std::string name_;
  std::string_view bytes_;
};

struct Header {
  ScoreKind kind;
  Norm norm;
  int64_t size, entities, relations, triples;
};

Header read_header(Rest& rest) {
  std::istringstream line{std::string(rest.line())};
  std::string name, version, score, norm;
  Header header{};
  line >> name >> version >> score >> norm >> header.size >> header.entities >> header.relations >>
      header.triples;
  if (!line || name + ' ' + version != kMagic) rest.refuse("is no model of version 1");
  bool is_known = false;
  for (const ScoreKind kind : {ScoreKind::kTransD, ScoreKind::kTransE, ScoreKind::kDistMult}) {
    if (score != name_of(kind)) continue;
    header.kind = kind;
    is_known = true;
  }
  for (const Norm one : {Norm::kL1, Norm::kL2}) {
    if (norm == kNorms[static_cast<int>(one)]) header.norm = one;
  }
  // Whoever promises more than the file can hold would have us ask for the memory first.
  const auto most = static_cast<int64_t>(rest.size());
  const int64_t counts[] = {header.size, header.entities, header.relations};
  for (const int64_t count : counts) is_known = is_known && count > 0 && count <= most;
  if (!is_known || header.triples < 0 || header.triples > most ||
      header.entities > std::numeric_limits<int32_t>::max() || header.size > 100000) {
    rest.refuse("has a damaged first line");
  }
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
  writer.write(format("%s %s %s %ld %d %d %zu\n", kMagic, name_of(model.kind),
                      kNorms[static_cast<int>(model.norm)], static_cast<long>(size),
                      graph.entities.size(), graph.relations.size(), graph.train.triples.size()));
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
  Source source(path);
  const std::string bytes = source.read_all();
  Rest rest(source.name(), bytes);
  const Header header = read_header(rest);
  Names entities = read_names(rest, header.entities);
  Names relations = read_names(rest, header.relations);
  const std::unique_ptr<Score> score = make_score(header.kind, header.size, header.norm);
  const double floats =
      static_cast<double>(header.entities) *
          static_cast<double>(floats_in_row(score->entity_width(), header.size)) +
      static_cast<double>(header.relations) *
          static_cast<double>(floats_in_row(score->relation_width(), header.size));
  const double wanted = 4 * floats + 12 * static_cast<double>(header.triples) + 4;
  if (static_cast<double>(rest.size()) != wanted)
    rest.refuse("is cut short, or has more at its end");
  uint32_t sum = 0;
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  if (sum != checksum(0, std::string_view(bytes).substr(0, bytes.size() - sizeof sum))) {
    rest.refuse("is damaged: its checksum is wrong");
  }
  KgFile file{std::move(entities),
              std::move(relations),
              KgModel(header.kind, header.norm, header.size, header.entities, header.relations),
              {}};
  rest.take_rows(file.model.entities, header.size);
  rest.take_rows(file.model.relations, header.size);
  for (int64_t i = 0; i < header.triples; ++i) {
    int32_t numbers[3];
    std::memcpy(numbers, rest.take(sizeof numbers).data(), sizeof numbers);
    const bool is_sound = numbers[0] >= 0 && numbers[0] < header.entities && numbers[1] >= 0 &&
                          numbers[1] < header.relations && numbers[2] >= 0 &&
                          numbers[2] < header.entities;
    if (!is_sound) rest.refuse("has a triple of what has no name");
    file.known.push_back({numbers[0], numbers[1], numbers[2]});
  }
  return file;
}

}  // namespace acevec
