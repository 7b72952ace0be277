// Points to learn from: what a file has, and the class of each.
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
  std::vector<int64_t> shape;      // of a point: {28, 28}
  std::vector<std::string> names;  // of vectors of words; empty where points have none

  int64_t count() const { return values.rows(); }
};

// Reads a file (or "-"), packed or not: IDX, .npy, or any file of vectors. An .npy file needs no
// words beside it. Throws Error, naming the file and the place, as RowReader does.
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
