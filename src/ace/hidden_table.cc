#include "ace/hidden_table.h"

#include <algorithm>
#include <limits>

#include "math/hogwild.h"

namespace acevec {

HiddenTable::HiddenTable(Matrix& table, const Matrix& features, int64_t rows, int64_t first)
    : table_(table),
      features_(features),
      next_(first % table.rows()),
      ids_(static_cast<size_t>(std::min(rows, table.rows()))),
      inputs_(rows * features.stride()),
      changes_(rows * table.stride()) {}

void HiddenTable::load(CheckpointReader& file) {
  next_ = std::clamp<int64_t>(file.get<int64_t>("next condition"), 0, table_.rows() - 1);
}

void HiddenTable::refresh(Generator& generator) {
  for (int32_t& id : ids_) {
    id = static_cast<int32_t>(next_);
    next_ = (next_ + 1) % table_.rows();
  }
  const auto count = static_cast<int64_t>(ids_.size());
  gather_rows(features_, ids_.data(), count, inputs_.data());
  gather_rows(table_, ids_.data(), count, changes_.data());
  const float* const h = generator.hidden(inputs_.data(), count);
  for (int64_t i = 0; i < count * table_.stride(); ++i)
    changes_.data()[i] = h[i] - changes_.data()[i];
  // Should two threads add theirs at once, the next turn sets it right.
  add_rows(table_, ids_.data(), count, changes_.data(), std::numeric_limits<float>::infinity());
}

}  // namespace acevec
