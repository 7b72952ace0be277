// Labelled points, and their files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "math/matrix.h"
#include "text/lines.h"
#include "vectors/arrays.h"
#include "vectors/row_reader.h"

namespace acevec {

// As a RowReader it returns each point's numbers as a row, with an empty word. It reads integers of
// 1 to 8 bytes, and floats of 2 (.npy only), 4 and 8 bytes.
class PointArray : public RowReader {
 public:
  // Whether the next bytes of `input` begin an IDX or .npy file.
  static bool begins(LookAhead& input);

  // Throws Error if the header is invalid, there are no points, or points have more than
  // kMostColumns numbers.
  explicit PointArray(std::unique_ptr<LookAhead> input);

  // The shape of a point, such as {28, 28}; empty if a point is a single number.
  const std::vector<int64_t>& shape() const { return shape_; }

  // Replaces next() for points that are single integers. Throws Error if they are not, and as
  // next() does.
  std::optional<int64_t> next_label();

 private:
  void read_idx_head();
  void read_npy_shape();
  void set_array(const std::vector<int64_t>& lengths);
  const char* peek_row();
  bool read_row(std::string& word, float* numbers) override;

  std::unique_ptr<LookAhead> input_;
  const ArrayNumber* number_ = nullptr;
  bool swapped_ = false;  // big-endian
  std::vector<int64_t> shape_;
  int64_t labels_ = 0;  // number read by next_label()
};

struct Points {
  Matrix values{0, 1};             // a row for each point
  std::vector<int64_t> shape;      // shape of a point, such as {28, 28}
  std::vector<std::string> names;  // names of the points; empty if they have none

  int64_t count() const { return values.rows(); }
};

// Reads a file (or "-"), compressed or not: IDX, .npy, any file of vectors, or a table of numbers,
// .csv or .tsv, with a point per line. An .npy or .tsv file needs no file of words beside it.
// Throws Error, naming the file and the position, as RowReader does.
Points read_points(const std::string& path);

struct LabelledPoints {
  Points points;
  std::vector<int32_t> labels;  // class of each point
  int64_t unlabelled = 0;       // points left out for lack of a label
  int64_t unknown = 0;          // labels whose names no point has
};

// A file of labels: an IDX or .npy file of integers, or a text with a label per line, in the order
// of the points; or, if points have names, a text with a name, a blank and a label per line, in any
// order. It is read only once, for several sets of points too, and may be a pipe.
class Labels {
 public:
  // Adds new classes to `classes`, which must outlive it.
  Labels(const std::string& path, Names& classes) : path_(path), classes_(classes) {}

  // Reads points and assigns their labels. Throws Error as read_points() does, if there are more or
  // fewer labels than points, and if a name has two labels.
  LabelledPoints read(const std::string& points);

 private:
  void read_names();
  void read_list();
  void label_by_name(LabelledPoints& labelled) const;

  std::string path_;
  Names& classes_;
  std::unordered_map<std::string, int32_t> label_of_;  // labels by name
  std::vector<int32_t> list_;                          // labels in the order of points
};

// Whether `known` and `queries` share a class; otherwise no point of `queries` can be classified.
bool share_class(const std::vector<int32_t>& known, const std::vector<int32_t>& queries);

}  // namespace acevec
