#include "tasks/word/report.h"

#include "base/error.h"
#include "base/memory.h"
#include "tasks/word/task.h"
#include "text/read_text.h"

namespace acevec {

void report_corpus(const Corpus& corpus, double seconds, Progress& progress) {
  progress.note(format("read %s, %s in %.2f s; kept %s (of %s), %s",
                       counted(corpus.report().tokens, "token").c_str(),
                       counted(corpus.report().lines, "line").c_str(), seconds,
                       counted(corpus.vocabulary().size(), "word").c_str(),
                       grouped(corpus.distinct_tokens()).c_str(),
                       counted(corpus.tokens_of_all(), "token").c_str()));
  note_mended(corpus.report(), progress);
}

// What -debug 2 adds: what reading the text took, in memory and on the disk.
void report_counting(const Corpus& corpus, int64_t allowed, Progress& progress) {
  const auto mib = [](int64_t bytes) { return grouped(bytes >> 20); };
  progress.note(
      format("counting: %s MiB at most, of these for words up to %s; on disk %s MiB of "
             "words, %s of the text's token ids",
             mib(peak_resident_bytes()).c_str(), mib(allowed).c_str(),
             mib(corpus.counting_disk_bytes()).c_str(), mib(corpus.store_bytes()).c_str()));
}

// The adversary leaves pairs alone that its filter takes for observed. `errs`: the share of absent
// pairs that are.
void warn_of_full_filter(double errs, Progress& progress) {
  constexpr double kMuch = 0.25;
  if (errs <= kMuch) return;
  progress.note(
      format("note: the filter has %.1f%% false positives, which get no adversarial weight; raise "
             "-ace-filter",
             100 * errs));
}

// What came of the run, besides what every run says.
void report_result(bool adversary, double filter_errs, const Run& run, Progress& progress) {
  if (adversary) {
    const std::vector<Mean>& means = run.epoch_sums().means;
    const auto mean = [&](SkipGramMean which) { return means[which].value(); };
    progress.note(
        format("ace: loss on random negatives %.4f, on adversarial ones %.4f; entropy %.2f nats; "
               "%.1f%% of the candidates were observed pairs (filter: %.1f%% false positives)",
               mean(kNoiseOfAdversary), mean(kAdversarialLoss), mean(kEntropy),
               100 * mean(kFalseNegatives), 100 * filter_errs));
  }
  if (run.epoch_sums().loss.count == 0) {
    progress.note(
        "note: the last epoch had no pairs of words to learn from; give more text, lines of "
        "two words or more, or -sample 0");
  }
}

// What working together has cost the first process.
void report_exchange(const RowExchange& exchange, const Run& run, const Peers& all,
                     Progress& progress) {
  const RowExchange::Cost& cost = exchange.cost();
  const auto share = [&](double seconds) { return 100 * seconds / run.seconds(); };
  const double own = static_cast<double>(exchange.total()) / all.count();
  progress.note(
      format("%s: %s, %.1f bytes sent for a token trained; %.1f%% of the time for "
             "packing and unpacking, %.1f%% for waiting",
             counted(all.count(), "process").c_str(), counted(cost.rounds, "exchange").c_str(),
             static_cast<double>(cost.bytes) / own, share(cost.packing), share(cost.waiting)));
}

}  // namespace acevec
