// Points to learn from: what a file has, and the class of each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "math/matrix.h"
#include "text/names.h"

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

// Reads points and their labels: an IDX or .npy file of whole numbers, or a text with a label a
// line, in the order of the points; where points have names, a text with a name, a blank and a
// label a line, in any order. Throws Error as read_points() does, when there are more or fewer
// labels than points, and when a name has two labels. Adds to `classes` those that are new.
LabelledPoints read_labelled(const std::string& points, const std::string& labels, Names& classes);

// Whether a class of `known` is among `asked`: else no point that is asked can be classified.
bool share_class(const std::vector<int32_t>& known, const std::vector<int32_t>& asked);

}  // namespace acevec
