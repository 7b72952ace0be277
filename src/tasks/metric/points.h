// Labelled points, and their files.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "math/matrix.h"
#include "text/lines.h"

namespace acevec {

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
