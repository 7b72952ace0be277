#include "commands/vector_files.h"

#include "base/error.h"

namespace acevec {

OptionRow& declare_binary(std::optional<bool>& binary, OptionTable& table) {
  return table
      .flag("binary", binary,
            "write word2vec binary (1) or text (0); by default the ending decides: .bin is binary, "
            ".npy, .tsv and .glove as in acevec convert, all else text")
      .changeable();
}

VectorFormat output_format(const std::optional<bool>& binary, const std::string& path) {
  const VectorFormat promised = format_of_ending(path).value_or(VectorFormat::kText);
  if (!binary) return promised;
  if (!is_word2vec(promised)) {
    throw UsageError(
        format("-binary chooses between word2vec's formats, and the ending of %s means another; "
               "leave it out, or give another ending",
               path.c_str()));
  }
  return *binary ? VectorFormat::kBinary : VectorFormat::kText;
}

}  // namespace acevec
