// A corpus of which each of several processes has a part: the vocabulary and the counts are the
// whole text's.
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "cluster/peers.h"
#include "text/corpus.h"
#include "text/file_bytes.h"

namespace acevec {

// The part of this process: its share of the files, or, of a path with %r, the file that has its
// rank there; all for one that is alone. Throws Error and UsageError, in all processes, when the
// text cannot be shared out.
std::vector<FilePart> share_of_text(const std::vector<std::string>& paths, const TextFormat& format,
                                    Peers& peers);

// As read_corpus(); `source`: this process's part. Throws Error in all processes when one of them
// has nothing to train on and others have.
Corpus read_shared_corpus(Source& source, CorpusSettings settings, Progress& progress,
                          Peers& peers);

}  // namespace acevec
