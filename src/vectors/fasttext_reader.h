// Reads fastText's binary model: vectors of words, and the rows that compose unseen words.
#pragma once

#include <memory>

#include "text/look_ahead.h"
#include "vectors/row_reader.h"

namespace acevec {

// Whether the next bytes are those that such a model begins with.
bool begins_fasttext(LookAhead& input);

// Reads models of versions 11 and 12, of skip-gram, CBOW and classifiers (whose labels are left
// out). The rows are those of the words, each composed of the word's own row and its n-grams'; the
// matrix that predicts is passed over. All rows are in memory from the first one on. Throws Error
// when it is something else, quantized, damaged or of another version; reading throws it when the
// rows need more memory than there is.
std::unique_ptr<RowReader> open_fasttext(std::unique_ptr<LookAhead> input);

}  // namespace acevec
