// What a run of word training says.
#pragma once

#include "base/progress.h"
#include "cluster/peers.h"
#include "cluster/row_exchange.h"
#include "text/corpus.h"
#include "train/run.h"

namespace acevec {

void report_corpus(const Corpus& corpus, double seconds, Progress& progress);

// What -debug 2 adds: what reading the text took, in memory and on the disk. `allowed`: bytes that
// counting words was allowed to take.
void report_counting(const Corpus& corpus, int64_t allowed, Progress& progress);

// The adversary leaves pairs alone that its filter takes for observed. `errs`: the share of absent
// pairs that are.
void warn_of_full_filter(double errs, Progress& progress);

// What came of the run, besides what every run says.
void report_result(bool adversary, double filter_errs, const Run& run, Progress& progress);

// What working together has cost the first process.
void report_exchange(const RowExchange& exchange, const Run& run, const Peers& all,
                     Progress& progress);

}  // namespace acevec
