// Cuts files into parts that are read by different processes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/file_bytes.h"

namespace acevec {

// Part number `rank` of `count`: of plain files as many bytes for each, cut at line ends; of packed
// files, dumps and lines of JSON whole files, dealt out by size; where a path has %r, the files
// that have the rank there. Throws Error and UsageError, for all ranks, when the files cannot be
// shared out.
std::vector<FilePart> share_of_files(std::vector<std::string> paths, const TextFormat& format,
                                     int rank, int count);

// Which files are shared, and how long they are: what all processes must see alike. Empty where
// each has its own. Throws Error.
std::string lengths_of_shared(const std::vector<std::string>& paths);

// Where a file may be cut near `offset`: behind the next line end, or, where the line goes on for
// more than 1 MiB, behind the next white space.
int64_t cut_near(const std::string& path, int64_t offset);

}  // namespace acevec
