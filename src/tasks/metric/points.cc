#include "tasks/metric/points.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "base/numbers.h"
#include "base/progress.h"
#include "base/same_file.h"
#include "vectors/array_reader.h"

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

Points points_of_table(const std::string& path, const char* delimiter) {
  Points points;
  points.values = NumberTable(std::make_unique<LookAhead>(path), delimiter).read_all(kAll).vectors;
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
  if (!NumberArray::begins(*input)) return points_of_vectors(open_vectors(std::move(input)));
  NumberArray array(std::move(input), kAdvice);
  Points points;
  points.values = array.read_all(kAll).vectors;
  points.shape = array.shape();
  return points;
}

}  // namespace

Points read_points(const std::string& path) {
  Points points = read_any(path);
  if (points.shape.empty()) points.shape = {points.values.columns()};
  return points;
}

void Labels::read_list() {
  auto input = std::make_unique<LookAhead>(path_);
  if (NumberArray::begins(*input)) {
    NumberArray array(std::move(input), kAdvice);
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
