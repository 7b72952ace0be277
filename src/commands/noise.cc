// acevec noise: prints the noise distribution of a vocabulary.

#include <cmath>
#include <cstdio>

#include "base/numbers.h"
#include "base/output_file.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "noise/noise.h"
#include "text/vocabulary.h"

namespace acevec {
namespace {

double entropy(const std::vector<double>& probabilities) {
  double sum = 0;
  for (const double p : probabilities) sum -= p > 0 ? p * std::log(p) : 0;
  return sum;
}

// Returns Σ w (p − d)² over the words; w is 1/d or 1, depending on the precision.
double squared_distance(const std::vector<double>& p, const std::vector<double>& d,
                        Precision precision) {
  double sum = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    const double square = (p[i] - d[i]) * (p[i] - d[i]);
    sum += precision == Precision::kRelative ? square / d[i] : square;
  }
  return sum;
}

void report(const NoiseSettings& settings, const Noise& noise, const std::vector<int64_t>& counts) {
  const auto say = [](const char* name, const std::string& value) {
    std::fprintf(stderr, "%s\t%s\n", name, value.c_str());
  };
  // The distance is measured like the noise's own budget.
  const Precision precision = usual_budget(settings.kind).value_or(Budget{}).precision;
  const std::vector<double> unigram =
      noise_distribution({.kind = NoiseKind::kUnigram}, counts).probabilities;
  const std::vector<double> uniform(counts.size(), 1 / static_cast<double>(counts.size()));
  const double farthest = squared_distance(uniform, unigram, precision);
  const double moved = squared_distance(noise.probabilities, unigram, precision);
  say("words", std::to_string(counts.size()));
  say("entropy", shortest(entropy(noise.probabilities)));
  say("distance", shortest(moved));
  say("part-of-uniform", shortest(farthest > 0 ? moved / farthest : 0));
  if (!noise.multipliers) return;
  say("budget-multiplier", shortest(noise.multipliers->budget));
  say("sum-multiplier", shortest(noise.multipliers->sum));
}

constexpr CommandText kNoise{
    "noise", "acevec noise COUNTS [OPTION VALUE ...]",
    "Prints the noise distribution of a vocabulary: word, count and probability, separated by "
    "tabs.\n"
    "COUNTS has lines of a word and its count, as -save-vocab writes them; - is standard input.\n"
    "Entropy (in nats), distance from the unigram distribution and multipliers go to standard "
    "error.\n",
    "text"};

class NoiseCommand final : public CommandLine {
 public:
  NoiseCommand() : CommandLine(kNoise) { declare_noise(settings_, table()); }

  void run() override {
    table().refuse_idle();
    const std::vector<WordCount> words = read_vocabulary(positional()[0], 1);
    OutputFile output("-");
    std::vector<int64_t> counts;
    counts.reserve(words.size());
    for (const WordCount& word : words) counts.push_back(word.count);
    const Noise noise = noise_distribution(settings_, counts);
    report(settings_, noise, counts);
    for (size_t i = 0; i < words.size(); ++i) {
      output.write(words[i].word + '\t' + std::to_string(words[i].count) + '\t' +
                   shortest(noise.probabilities[i]) + '\n');
    }
    output.commit();
  }

 private:
  NoiseSettings settings_;
};

}  // namespace

const Maker make_noise = make_command<NoiseCommand>;

}  // namespace acevec
