// Labelled points, and the files that they come from.
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

// As a RowReader it gives a point's numbers in one row, with an empty word. It reads integers of 1
// to 8 bytes, and floats of 2 (.npy only), 4 and 8.
class PointArray : public RowReader {
 public:
  // Whether the next bytes of `input` begin such a file.
  static bool begins(LookAhead& input);

  // Throws Error when the head is impossible, there are no points, or the points are larger than
  // kMostColumns numbers.
  explicit PointArray(std::unique_ptr<LookAhead> input);

  // The shape of a point, {28, 28}; empty where a point is a single number.
  const std::vector<int64_t>& shape() const { return shape_; }

  // Instead of next(), for points that are a single whole number. Throws Error when they are not,
  // and as next() does.
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
  int64_t labels_ = 0;  // read by next_label()
};

struct Points {
  Matrix values{0, 1};             // a row for each point
  std::vector<int64_t> shape;      // of a point: {28, 28}
  std::vector<std::string> names;  // of vectors of words; empty where points have none

  int64_t count() const { return values.rows(); }
};

// Reads a file (or "-"), packed or not: IDX, .npy, any file of vectors, or a table of numbers with
// a point in each line, .csv or .tsv. An .npy or .tsv file needs no words beside it. Throws Error,
// naming the file and the place, as RowReader does.
Points read_points(const std::string& path);

struct LabelledPoints {
  Points points;
  std::vector<int32_t> labels;  // a class for each point
  int64_t unlabelled = 0;       // points left out, which the labels do not name
  int64_t unknown = 0;          // labels of names that no point has
};

// A file of labels: an IDX or .npy file of whole numbers, or a text with a label a line, in the
// order of the points; where points have names, a text with a name, a blank and a label a line, in
// any order. It is read once, for several sets of points too, and may be a pipe.
class Labels {
 public:
  // Adds to `classes`, which must outlive it, those that are new.
  Labels(const std::string& path, Names& classes) : path_(path), classes_(classes) {}

  // Reads points and gives them their labels. Throws Error as read_points() does, when there are
  // more or fewer labels than points, and when a name has two labels.
  LabelledPoints read(const std::string& points);

 private:
  void read_names();
  void read_list();
  void label_by_name(LabelledPoints& labelled) const;

  std::string path_;
  Names& classes_;
  std::unordered_map<std::string, int32_t> label_of_;  // of names
  std::vector<int32_t> list_;                          // or in the order of points
};

// Whether a class of `known` is among `asked`: else no point that is asked can be classified.
bool share_class(const std::vector<int32_t>& known, const std::vector<int32_t>& asked);

}  // namespace acevec
