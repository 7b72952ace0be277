// word2vec's text and binary formats, and GloVe's text without a first line.
#pragma once

#include <memory>
#include <optional>

#include "text/look_ahead.h"
#include "vectors/row_reader.h"

namespace acevec {

// Which of the three it is is detected from the content when `format` is none.
std::unique_ptr<RowReader> open_word2vec(std::unique_ptr<LookAhead> input,
                                         std::optional<VectorFormat> format);

}  // namespace acevec
