// The part of a text that each of several processes reads.
#pragma once

#include <string>
#include <vector>

#include "cluster/peers.h"
#include "text/file_bytes.h"

namespace acevec {

// The share of this process, which is all for one that is alone:
//   plain files         bytes, as many for each process; cut at line ends
//   packed files, dumps whole files, dealt out by size
//   a path with %r      the file that has the rank of the process there
// Throws Error and UsageError, in all processes, when the text cannot
// be shared out.
std::vector<FilePart> share_of_text(const std::vector<std::string>& paths, TextFormat format,
                                    Peers& peers);

// The same by numbers, of files that all processes see.
std::vector<FilePart> share_of_files(const std::vector<std::string>& paths, TextFormat format,
                                     int rank, int count);

// Where a file may be cut near `offset`: behind the next line end, or, where the line goes on for
// more than 1 MiB, behind the next white space.
int64_t cut_near(const std::string& path, int64_t offset);

}  // namespace acevec
