// A cache of the generator's hidden vector h of each condition x. h depends on x alone and changes
// slowly, a frequent x occurs in many blocks, and the hidden layers are the most expensive part of
// the generator's work on a block.
#pragma once

#include <cstdint>
#include <vector>

#include "ace/generator.h"
#include "math/aligned.h"
#include "math/matrix.h"

namespace acevec {

// One object per thread. The table, shared as told in kernels/hogwild.h, has a row h for each
// condition, as wide as GeneratorParameters::outputs. Rows of zeros, as it has them at first, give
// logits of 0 + β · prior: until its turn comes a condition plays its prior. Read it with
// gather_rows() and give the rows to Generator::logits().
class HiddenTable {
 public:
  // `features`: a row for each condition, of which those of this thread's turns are read in steps
  // of `rows` from condition `first` on, round and round.
  HiddenTable(Matrix& table, const Matrix& features, int64_t rows, int64_t first);

  // Computes h anew for the next conditions. `generator`: the thread's, made for as many rows; the
  // hidden() that its learn() needs must come after this.
  void refresh(Generator& generator);

  // Whose turn comes next; the table itself is the caller's.
  void save(CheckpointWriter& file) const { file.put("next condition", next_); }
  void load(CheckpointReader& file);

 private:
  Matrix& table_;
  const Matrix& features_;
  int64_t next_;
  std::vector<int32_t> ids_;
  AlignedFloats inputs_;  // features of ids_
};

}  // namespace acevec
