// A corpus of which each process has a part: the vocabulary and the counts are the whole text's.
#pragma once

#include "base/progress.h"
#include "cluster/peers.h"
#include "text/corpus.h"

namespace acevec {

// As read_corpus(); `source`: this process's part. Throws Error in all processes when one of them
// has nothing to train on and others have.
Corpus read_shared_corpus(Source& source, CorpusSettings settings, Progress& progress,
                          Peers& peers);

}  // namespace acevec
