// Points to learn from: what a file has, and the class of each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "math/matrix.h"

namespace acevec {

struct Points {
  Matrix values{0, 1};             // a row for each point
  std::vector<int64_t> shape;      // of a point: {28, 28}
  std::vector<std::string> names;  // of vectors of words; empty where points have none

  int64_t count() const { return values.rows(); }
};

// Reads a file (or "-"), gzipped or not: IDX, .npy, or any file of vectors. An .npy file needs no
// words beside it. Throws Error, naming the file and the place, as RowReader does.
Points read_points(const std::string& path);

// The classes, in the order in which they are met.
class Classes {
 public:
  // The id of that class, from 0; a new one if it has none.
  int32_t add(const std::string& name) { return ids_.emplace(name, count()).first->second; }

  int32_t count() const { return static_cast<int32_t>(ids_.size()); }

 private:
  std::unordered_map<std::string, int32_t> ids_;
};

struct LabelledPoints {
  Points points;
  std::vector<int32_t> labels;  // a class for each point
  int64_t unlabelled = 0;       // points left out, which the labels do not name
  int64_t unknown = 0;          // labels of names that no point has
};

// Reads points and their labels: an IDX or .npy file of whole numbers, or a text with a label a
// line, in the order of the points; where points have names, a text with a name, a blank and a
// label a line, in any order. Throws Error as read_points() does, when there are more or fewer
// labels than points, and when a name has two labels.
LabelledPoints read_labelled(const std::string& points, const std::string& labels,
                             Classes& classes);

// Whether a class of `known` is among `asked`: else no point that is asked can be classified.
bool share_class(const std::vector<int32_t>& known, const std::vector<int32_t>& asked);

}  // namespace acevec
