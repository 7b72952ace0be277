#include "ace/hidden_table.h"

#include <algorithm>

#include "kernels/hogwild.h"

namespace acevec {

HiddenTable::HiddenTable(Matrix& table, const Matrix& features, int64_t rows, int64_t first)
    : table_(table),
      features_(features),
      next_(first % table.rows()),
      ids_(static_cast<size_t>(std::min(rows, table.rows()))),
      inputs_(rows * features.stride()) {}

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
  write_rows(table_, ids_.data(), count, generator.hidden(inputs_.data(), count));
}

}  // namespace acevec
