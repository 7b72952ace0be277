#include <cctype>

#include "base/numbers.h"
#include "cli/command_line.h"

namespace acevec {
namespace {

constexpr std::string_view kClasses =
    "acevec sentence -labels FILE learns labels, which begin with __label__; leave it out";
constexpr std::string_view kNothing = "acevec has no such option; leave it out";

const ForeignOption kForeign[] = {
    // fastText
    {"input", "train", ""},
    {"o", "output", ""},
    {"model", "score|output", ""},
    {"dim", "size", ""},
    {"ws", "window", ""},
    {"epoch", "iter", ""},
    {"lr", "alpha|rate", ""},
    {"neg", "negative", ""},
    {"thread", "threads", ""},
    {"t", "sample", ""},
    {"mincount", "min-count", ""},
    {"verbose", "debug", ""},
    {"pretrainedvectors", "init", ""},
    {"saveoutput", "output-context", ""},
    {"lrupdaterate", "", "acevec lowers the rate continuously; leave it out"},
    {"wordngrams", "", "acevec trains on single words; join phrases first with acevec phrases"},
    {"label", "", "labels begin with __label__; for a file of labelled texts give -labels",
     "sentence"},
    {"label", "", kClasses},
    {"mincountlabel", "", kClasses},
    // gensim
    {"sentences", "train", ""},
    {"corpusfile", "train", ""},
    {"corpusiterable", "train", ""},
    {"vectorsize", "size", ""},
    {"epochs", "iter", ""},
    {"workers", "threads", ""},
    {"nsexponent", "noise-power", ""},
    {"maxfinalvocab", "max-vocab", ""},
    {"maxvocabsize", "", "acevec counts all words; -max-vocab keeps the most frequent of them"},
    {"sg", "", "acevec trains skip-gram, and CBOW with -cbow 1; leave it out"},
    {"cbowmean", "", "CBOW always takes the mean of the context; leave it out"},
    {"computeloss", "log", ""},
    {"topn", "top", ""},
    {"sortedvocab", "", "acevec always sorts the vocabulary by counts; leave it out"},
    {"shrinkwindows", "", "in acevec near words always count more; leave it out"},
    {"batchwords", "", kNothing},
    {"callbacks", "", kNothing},
    {"hashfxn", "", kNothing},
    {"nullword", "", kNothing},
    {"trimrule", "", kNothing},
    // word2vec; its other options are acevec's too, though not of every command
    {"alpha", "rate", ""},
    {"binary", "", "the ending of -output decides the format; leave it out"},
    {"classes", "", "acevec does not cluster words; leave it out"},
    // of other commands here
    {"output", "", "the output is the second file: acevec convert IN OUT", "convert"},
    {"test", "", "acevec metric eval scores test points", "metric"},
};

std::string plain(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (c == '-' || c == '_') continue;
    letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters;
}

bool has(const CommandLine& command, std::string_view name) {
  return command.table().find(name) != nullptr;
}

}  // namespace

std::span<const ForeignOption> foreign_options() {
  return kForeign;
}

std::string foreign_advice(const CommandLine& command, std::string_view name) {
  const std::string letters = plain(name);
  for (const ForeignOption& one : kForeign) {
    if (one.name != letters) continue;
    for (const std::string_view own : split(one.own, "|")) {
      if (has(command, own)) return "acevec calls it -" + std::string(own);
    }
    // Options that acevec never had are only expected on commands that train.
    const bool likely =
        one.command.empty() ? has(command, "train") : one.command == command.about().name;
    if (likely && !one.absence.empty()) return std::string(one.absence);
  }
  return "";
}

}  // namespace acevec
