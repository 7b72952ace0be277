#include "commands/text_arguments.h"

namespace acevec {

void declare_format(TextArguments& arguments, OptionTable& table) {
  table.choice<TextFormat::Kind>(
      "format", arguments.format.kind,
      {{"text", TextFormat::kText}, {"wiki", TextFormat::kWiki}, {"jsonl", TextFormat::kJsonl}},
      "text: plain text; wiki: articles of a MediaWiki dump (XML), without markup; jsonl: a JSON "
      "object on each line, of which -field is a document");
  table
      .text("field", "NAME", arguments.format.field,
            "the member of the objects that is the document")
      .need("-format jsonl", [&arguments] { return arguments.format == TextFormat::kJsonl; });
  table.choice<TokenMode>(
      "tokens", arguments.tokens, {{"space", TokenMode::kSpace}, {"words", TokenMode::kWords}},
      "space: split at white space; words: lower-case and split punctuation off (default: space, "
      "with -format wiki words)");
}

void declare_vocabulary(TextArguments& arguments, OptionTable& table) {
  table.integer("min-count", arguments.min_count, {1, kMaxCount}, "drop words seen less often")
      .common("drop words seen less often (default: 5)");
  table.integer("max-vocab", arguments.max_vocab, {0, 2e9},
                "keep only the N most frequent words; 0: all");
}

TokenMode resolve_tokens(TextArguments& arguments) {
  if (!arguments.tokens) {
    arguments.tokens =
        arguments.format == TextFormat::kWiki ? TokenMode::kWords : TokenMode::kSpace;
  }
  return *arguments.tokens;
}

}  // namespace acevec
