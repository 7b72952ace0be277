// The last step of training sentence encoders: vectors around 0.
#pragma once

#include "tasks/sentence/corpus.h"
#include "tasks/sentence/model.h"

namespace acevec {

// The mean of the text's vectors becomes 0. Of a long text that of sentences at equal distances:
// the mean of so many is known to a few thousandths of their spread.
void centre(const SentenceCorpus& corpus, int threads, SentenceModel& model);

}  // namespace acevec
