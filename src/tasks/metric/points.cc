#include "tasks/metric/points.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "base/numbers.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "base/same_file.h"

namespace acevec {
namespace {

constexpr const char* kAdvice =
    "give an IDX file, or an array of floats or integers saved by rows with numpy.save";

constexpr int64_t kAll = std::numeric_limits<int64_t>::max();

Points points_of_vectors(std::unique_ptr<RowReader> rows) {
  Points points;
  rows->take_every_row();
  WordVectors read = rows->read_all(kAll);
  points.values = std::move(read.vectors);
  points.names = std::move(read.words);
  return points;
}

// A table of numbers with a point per line. A first line without numbers is a header.
class NumberTable final : public RowReader {
 public:
  NumberTable(const std::string& path, const char* delimiter)
      : RowReader(path, "give as many numbers in each line"), input_(path), delimiter_(delimiter) {
    take_every_row();
    const auto first = line();
    if (!first || first->empty()) fail("it contains no points");
    const std::vector<std::string_view> fields = split(*first, delimiter_);
    if (std::ssize(fields) > kMostColumns) fail("its lines are too long");
    set_shape(-1, std::ssize(fields));
    if (std::ranges::none_of(fields,
                             [](std::string_view field) { return float_of(field).has_value(); })) {
      input_.skip(line_bytes_);
      if (input_.at_end()) fail("it contains no points");
    }
  }

 private:
  // Peeks at the next line; nothing at the end.
  std::optional<std::string_view> line() {
    const auto peeked = input_.peek_until('\n', kLongestFirstLine);
    if (!peeked) fail_row("is longer than 16 MiB");
    line_bytes_ = peeked->size() + 1;
    if (input_.at_end()) return std::nullopt;
    return without_return(*peeked);
  }

  bool read_row(std::string& /*word*/, float* numbers) override {
    const auto text = line();
    if (!text) return false;
    const std::vector<std::string_view> fields = split(*text, delimiter_);
    if (std::ssize(fields) != columns()) fail_row("has another number of columns");
    for (size_t k = 0; k < fields.size(); ++k) {
      const auto number = float_of(trimmed(fields[k], " \""));
      if (!number) fail_row(format("has no number in column %zu", k + 1));
      numbers[k] = *number;
    }
    input_.skip(line_bytes_);
    return true;
  }

  LookAhead input_;
  const char* delimiter_;
  size_t line_bytes_ = 0;  // bytes of the next line
};

Points points_of_table(const std::string& path, const char* delimiter) {
  Points points;
  points.values = NumberTable(path, delimiter).read_all(kAll).vectors;
  return points;
}

std::unique_ptr<RowReader> open_vectors(std::unique_ptr<LookAhead> input) {
  try {
    return open_rows(std::move(input));
  } catch (const Error& refusal) {
    throw Error(refusal.what() + std::string("; a table of numbers needs a file whose name ends "
                                             "with .csv or .tsv"));
  }
}

// Each file is opened once: it may be a pipe.
Points read_any(const std::string& path) {
  if (without_packing(path).ends_with(".csv")) return points_of_table(path, ",");
  if (format_of_ending(path) == VectorFormat::kTsv) {
    if (!exists(words_path(path, VectorFormat::kTsv))) return points_of_table(path, "\t");
    return points_of_vectors(open_rows(path));
  }
  auto input = std::make_unique<LookAhead>(path);
  if (!PointArray::begins(*input)) return points_of_vectors(open_vectors(std::move(input)));
  PointArray array(std::move(input));
  Points points;
  points.values = array.read_all(kAll).vectors;
  points.shape = array.shape();
  return points;
}

}  // namespace

bool PointArray::begins(LookAhead& input) {
  if (begins_npy(input)) return true;
  const std::string_view start = input.peek(4);
  return start.size() >= 4 && start[0] == 0 && start[1] == 0 && idx_number(start[2]) != nullptr &&
         start[3] != 0;
}

PointArray::PointArray(std::unique_ptr<LookAhead> input)
    : RowReader(input->name(), kAdvice), input_(std::move(input)) {
  take_every_row();
  begins_npy(*input_) ? read_npy_shape() : read_idx_head();
}

// Two zeros, the type, the number of dimensions, and their lengths, big-endian.
void PointArray::read_idx_head() {
  if (!begins(*input_)) fail("it is neither an IDX file nor an .npy file");
  const std::string_view start = input_->peek(4);
  number_ = idx_number(start[2]);
  swapped_ = true;
  const auto dimensions = static_cast<size_t>(static_cast<uint8_t>(start[3]));
  const size_t bytes = 4 + 4 * dimensions;
  const std::string_view head = input_->peek(bytes);
  if (head.size() < bytes) fail("its header is truncated");
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < dimensions; ++i) {
    lengths.push_back(npy_number(">u4")->to_integer(head.data() + 4 + 4 * i, true));
  }
  input_->skip(bytes);
  set_array(lengths);
}

void PointArray::read_npy_shape() {
  const NpyHead head = read_npy_rows(*input_);
  number_ = npy_number(head.type);
  if (number_ == nullptr) fail("its numbers are of type " + excerpt(head.type));
  swapped_ = head.type[0] == '>';
  if (!head.shape || head.shape->empty()) fail("its shape is not a list of lengths");
  set_array(*head.shape);
}

void PointArray::set_array(const std::vector<int64_t>& lengths) {
  if (lengths[0] < 1 || lengths[0] > std::numeric_limits<int32_t>::max()) {
    fail(format("its header declares %ld points", static_cast<long>(lengths[0])));
  }
  shape_.assign(lengths.begin() + 1, lengths.end());
  int64_t columns = 1;
  for (const int64_t length : shape_) {
    if (length < 1) fail("its points have no numbers");
    if (length > kMostColumns / columns) {
      fail(format("its points have more than %ld numbers", static_cast<long>(kMostColumns)));
    }
    columns *= length;
  }
  set_shape(lengths[0], columns);
}

// The bytes of the next point; null after the last one.
const char* PointArray::peek_row() {
  if (count() + labels_ == declared_rows()) {
    if (!input_->at_end()) fail("there are more numbers than its header declares");
    return nullptr;
  }
  const size_t bytes = static_cast<size_t>(columns()) * number_->bytes;
  const std::string_view row = input_->peek(bytes);
  if (row.size() < bytes) {
    fail(format("point %ld of %ld is truncated", static_cast<long>(count() + labels_ + 1),
                static_cast<long>(declared_rows())));
  }
  return row.data();
}

bool PointArray::read_row(std::string& word, float* numbers) {
  const char* const row = peek_row();
  if (row == nullptr) return false;
  word.clear();
  number_->to_floats(row, columns(), swapped_, numbers);
  input_->skip(static_cast<size_t>(columns()) * number_->bytes);
  return true;
}

std::optional<int64_t> PointArray::next_label() {
  if (!shape_.empty()) fail("it is not a list of labels: it has more than one dimension");
  if (number_->to_integer == nullptr) fail("its labels are not integers");
  const char* const row = peek_row();
  if (row == nullptr) return std::nullopt;
  const int64_t label = number_->to_integer(row, swapped_);
  input_->skip(number_->bytes);
  ++labels_;
  return label;
}

Points read_points(const std::string& path) {
  Points points = read_any(path);
  if (points.shape.empty()) points.shape = {points.values.columns()};
  return points;
}

// Reads a label for each point, in order.
void Labels::read_list() {
  auto input = std::make_unique<LookAhead>(path_);
  if (PointArray::begins(*input)) {
    PointArray array(std::move(input));
    while (const auto label = array.next_label()) {
      list_.push_back(classes_.add(std::to_string(*label)));
    }
    return;
  }
  LineReader lines(std::move(*input));
  while (const auto line = lines.next()) list_.push_back(classes_.add(std::string(*line)));
}

void Labels::read_names() {
  LineReader lines(path_);
  while (const auto line = lines.next()) {
    std::string_view rest = *line;
    const std::string name(take_field(rest));
    const std::string label(trimmed(rest, " \t"));
    if (label.empty()) lines.refuse("has no label; give a name, a blank and a label");
    const int32_t id = classes_.add(label);
    const auto [known, is_new] = label_of_.emplace(name, id);
    if (!is_new && known->second != id) {
      lines.refuse("gives \"" + excerpt(name) + "\" a second label; leave one out");
    }
  }
}

// Labels points by name, and drops those without a label.
void Labels::label_by_name(LabelledPoints& labelled) const {
  Points& points = labelled.points;
  std::unordered_set<std::string_view> found;
  int64_t kept = 0;
  for (int64_t i = 0; i < points.count(); ++i) {
    std::string& name = points.names[static_cast<size_t>(i)];
    const auto known = label_of_.find(name);
    if (known == label_of_.end()) continue;
    found.insert(known->first);
    labelled.labels.push_back(known->second);
    if (kept < i) {
      std::copy_n(points.values.row(i), points.values.stride(), points.values.row(kept));
      points.names[static_cast<size_t>(kept)] = std::move(name);
    }
    ++kept;
  }
  labelled.unlabelled = points.count() - kept;
  labelled.unknown = static_cast<int64_t>(label_of_.size() - found.size());
  points.values.resize(kept);
  points.names.resize(static_cast<size_t>(kept));
}

LabelledPoints Labels::read(const std::string& points) {
  LabelledPoints labelled{read_points(points), {}};
  if (!labelled.points.names.empty()) {
    if (label_of_.empty()) read_names();
    label_by_name(labelled);
    if (!labelled.labels.empty()) return labelled;
    throw Error(format("%s names no point of %s; give labels of these points",
                       input_name(path_).c_str(), input_name(points).c_str()));
  }
  if (list_.empty()) read_list();
  labelled.labels = list_;
  if (std::ssize(list_) != labelled.points.count()) {
    throw Error(format("%s has %s, but %s has %s; give one label for each point",
                       input_name(points).c_str(),
                       counted(labelled.points.count(), "point").c_str(), input_name(path_).c_str(),
                       counted(std::ssize(list_), "label").c_str()));
  }
  return labelled;
}

bool share_class(const std::vector<int32_t>& known, const std::vector<int32_t>& queries) {
  const std::unordered_set<int32_t> classes(known.begin(), known.end());
  return std::any_of(queries.begin(), queries.end(),
                     [&](int32_t label) { return classes.contains(label); });
}

}  // namespace acevec
