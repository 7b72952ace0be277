// acevec sentence -encoder mean, from its first file to its last message: word vectors and their
// counts in, a model of sentences out.
#pragma once

#include <string>

#include "tasks/sentence/mean_model.h"
#include "text/source.h"
#include "train/job.h"

namespace acevec {

struct MeanJobSettings {
  std::string text, vocabulary;  // files, of which one has the counts; the other is empty
  std::string vectors;
  TextFormat format;  // of the text
  MeanSettings mean;
};

// `run`: output and record, threads, memory and messages. Throws Error.
void make_mean_model(const MeanJobSettings& settings, const RunSettings& run,
                     const RecordHead& head);

}  // namespace acevec
