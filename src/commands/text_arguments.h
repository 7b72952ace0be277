// The options of a text and its vocabulary, for every command that reads one.
#pragma once

#include <optional>

#include "cli/option_table.h"
#include "text/source.h"
#include "text/tokenizer.h"

namespace acevec {

struct TextArguments {
  TextFormat format;
  std::optional<TokenMode> tokens;  // as of the format
  int64_t min_count = 5;
  int64_t max_vocab = 0;  // 0: all words
};

// -format, -field and -tokens, which go together.
void declare_format(TextArguments& arguments, OptionTable& table);

// -min-count and -max-vocab.
void declare_vocabulary(TextArguments& arguments, OptionTable& table);

// Gives -tokens the value that suits the format, where it has none. Articles are raw text, whose
// words are not parted from their punctuation yet.
TokenMode resolve_tokens(TextArguments& arguments);

}  // namespace acevec
