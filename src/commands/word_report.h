// What a run of word training says, and what its record has besides the settings.
#pragma once

#include <nlohmann/json_fwd.hpp>

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

// Adds to the record what came of the settings.
void add_results(const Corpus& corpus, const Run& run, nlohmann::ordered_json& record);

}  // namespace acevec
