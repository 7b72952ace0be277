// A corpus divided among several processes; the vocabulary and the counts are those of the whole
// text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "cluster/peers.h"
#include "text/corpus.h"
#include "text/source.h"

namespace acevec {

// Part `rank` of `count`. Plain files are cut at line ends into parts of equal size in bytes;
// compressed files, dumps and lines of JSON are distributed as whole files, by size; of paths with
// %r, each process has the files with its rank. Throws Error and UsageError, for all ranks, if the
// files cannot be divided.
std::vector<FilePart> share_of_files(std::vector<std::string> paths, const TextFormat& format,
                                     int rank, int count);

// An offset near `offset` at which a file may be cut: after the next line end or, if the line
// continues for more than 1 MiB, after the next white space.
int64_t cut_near(const std::string& path, int64_t offset);

// This process's part, by share_of_files(); all files if it is alone. Throws Error and UsageError,
// in all processes, if the text cannot be divided.
std::vector<FilePart> share_of_text(const std::vector<std::string>& paths, const TextFormat& format,
                                    Peers& peers);

// Like read_corpus(); `source`: this process's part. Throws Error in all processes if one of them
// has nothing to train on and others do.
Corpus read_shared_corpus(Source& source, CorpusSettings settings, Progress& progress,
                          Peers& peers);

}  // namespace acevec
