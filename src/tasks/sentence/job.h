// The training job of acevec sentence: documents in, a model of sentences out.
#pragma once

#include <memory>
#include <string>

#include "tasks/sentence/corpus.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/training_settings.h"
#include "train/job.h"

namespace acevec {

struct SentenceJobSettings {
  std::string train, init;  // files; the vectors to start from may be empty
  SentenceShape shape;
  SentenceSettings training;
};

// The settings must outlive the job. `text`: how the text is read.
std::unique_ptr<Job> make_sentence_job(const SentenceJobSettings& settings,
                                       const SentenceTextSettings& text, const RunSettings& run);

}  // namespace acevec
