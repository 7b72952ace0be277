#include "cli/foreign_options.h"

#include <algorithm>
#include <cctype>

#include "base/numbers.h"

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
    {"sortedvocab", "", "acevec always sorts the vocabulary by counts; leave it out"},
    {"shrinkwindows", "", "acevec always draws each window's size; leave it out"},
    {"batchwords", "", kNothing},
    {"callbacks", "", kNothing},
    {"hashfxn", "", kNothing},
    {"nullword", "", kNothing},
    {"trimrule", "", kNothing},
    // word2vec; its other options are acevec's too, though not of every command
    {"alpha", "rate", ""},
    {"classes", "", "acevec does not cluster words; leave it out"},
    // acevec 0.2.0
    {"most", "top", ""},
    {"to", "top", ""},
    {"top", "limit", ""},
    {"topn", "top", ""},
    {"quiet", "", "give -debug 0"},
    {"binary", "", "the ending of -output decides the format; leave it out"},
    {"negatives", "ace-sampler", ""},
    {"cubes", "n3", ""},
    {"relations", "relation-weight", ""},
    {"aceprior", "", "its value none is -ace-beta 0 now; leave it out for critic"},
    {"acebaseline", "", "its value none is -ace-estimator reinforce-plain now"},
    {"aceoffpolicy", "", "its value 1 is -ace-estimator off-policy now; leave it out for 0"},
    {"acerate", "",
     "the generator's rate is fixed; leave it out, and for 0 give -ace-sampler critic"},
    {"qcembudget", "noise-budget", ""},
    {"entropybudget", "noise-budget", ""},
    {"qcemprecision", "", "its value relative is -noise qcem-relative now"},
    {"entropyprecision", "", "its value isotropic is -noise entropy-isotropic now"},
    {"noiseprecision", "", "give -noise qcem-relative or entropy-isotropic", "|noise"},
    {"exchangechanges", "", "-exchange-every determines it; leave it out"},
    {"from", "", "-top N shows all up to the N-th; leave it out", "nn"},
    {"output", "", "the output is the second file: acevec convert IN OUT", "convert"},
    {"from", "", "the ending and the content of IN determine its format; leave it out", "convert"},
    {"ignorecase", "", "case is always ignored; leave it out", "analogy"},
    {"threads", "", "it would make no difference; leave it out",
     "similarity|vectors|sentence similarity"},
    {"inputwords", "", "the words of v.npy are in v.words, those of v.tsv in v.metadata.tsv",
     "convert"},
    {"outputwords", "", "the words of v.npy go to v.words, those of v.tsv to v.metadata.tsv",
     "convert"},
    {"memory", "", "counts take up to 1 GiB, then more scans share the work; leave it out",
     "phrases"},
    {"geometry", "", "the record beside the vectors has it; keep the two together", "order query"},
    {"sample", "", "-truth asks for 1000 concepts; leave it out", "order query"},
    {"aceentropy", "", "the floor is that of 100 choices; leave it out", "order"},
    {"aceestimator", "", "the generator learns from the expectation; leave it out", "order|metric"},
    {"neighbours", "", "5 neighbours vote; leave it out", "metric eval"},
    {"test", "", "acevec metric eval scores test points", "metric"},
    {"testlabels", "", "acevec metric eval scores test points", "metric"},
    {"exchangenumbers", "", "changes always travel as bfloat16; leave it out"},
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
    const bool likely = one.commands.empty() ? has(command, "train")
                                             : std::ranges::count(split(one.commands, "|"),
                                                                  command.about().name) > 0;
    if (likely && !one.absence.empty()) return std::string(one.absence);
  }
  return "";
}

}  // namespace acevec
