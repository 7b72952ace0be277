// A corpus of which each of several processes has a part; the vocabulary and the counts are those
// of the whole text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "cluster/peers.h"
#include "text/corpus.h"
#include "text/source.h"

namespace acevec {

// Part number `rank` of `count`. Plain files are cut at line ends into parts of as many bytes each;
// packed files, dumps and lines of JSON are dealt out whole, by size; of paths with %r, each
// process has the files with its rank there. Throws Error and UsageError, for all ranks, when the
// files cannot be shared out.
std::vector<FilePart> share_of_files(std::vector<std::string> paths, const TextFormat& format,
                                     int rank, int count);

// A place near `offset` where a file may be cut: behind the next line end, or, if the line goes on
// for more than 1 MiB, behind the next white space.
int64_t cut_near(const std::string& path, int64_t offset);

// The part of this process as share_of_files() has it; all files for a process that is alone.
// Throws Error and UsageError, in all processes, when the text cannot be shared out.
std::vector<FilePart> share_of_text(const std::vector<std::string>& paths, const TextFormat& format,
                                    Peers& peers);

// Does the same as read_corpus(); `source`: this process's part. Throws Error in all processes when
// one of them has nothing to train on and others have.
Corpus read_shared_corpus(Source& source, CorpusSettings settings, Progress& progress,
                          Peers& peers);

}  // namespace acevec
