#include "train/job.h"

#include "base/error.h"
#include "base/memory.h"
#include "kernels/instruction_sets.h"

namespace acevec {
namespace {

// The memory that every run takes as it trains: code not yet loaded, output buffers, and each
// thread's heap and more of its stack.
int64_t program_bytes(int threads) {
  constexpr int64_t kProgram = 2 << 20, kThread = 64 << 10, kHugeThread = 4 << 20;
  return kProgram + threads * (huge_pages_by_default() ? kHugeThread : kThread);
}

void report_machine(Progress& progress) {
  progress.note("instruction set: " + instruction_set());
  const int64_t nodes = std::ssize(memory_nodes());
  progress.note(nodes > 1 ? format("memory nodes: %ld; matrices are spread over them",
                                   static_cast<long>(nodes))
                          : "memory nodes: 1");
}

// Adds the seconds, the loss of the last epoch, and the best evaluation to the record.
void add_training(const Run& run, Json& record) {
  record.put("/training", {{"seconds", run.seconds()},
                           {"loss", run.epoch_sums().loss.value()},
                           {"instruction_set", instruction_set()}});
  if (!run.best()) return;
  const std::vector<std::string>& names = run.description().evaluation;
  for (size_t i = 0; i < names.size(); ++i) {
    record.put("/training/best/" + names[i], run.best()->columns[i]);
  }
}

void report_written(const std::string& what, const RunSettings& settings, const RunFiles& files,
                    Progress& progress) {
  if (settings.output.empty()) return;
  const std::string snapshots = files.snapshots ? files.snapshots->written() : "";
  progress.note(format("wrote %s to %s%s", what.c_str(),
                       settings.output == "-" ? "standard output" : settings.output.c_str(),
                       snapshots.empty() ? "" : (", snapshots to " + snapshots).c_str()));
  if (settings.debug < 2) return;
  progress.note("memory: " + grouped(peak_resident_bytes() >> 20) + " MiB at the peak");
}

}  // namespace

void run_job(Job& job, const RunSettings& settings, std::optional<CheckpointReader>& checkpoint,
             const RecordHead& head) {
  const TaskDescription description = job.describe();
  job.open(checkpoint.has_value());
  std::optional<OutputFile> record_file;
  open_if(record_file, settings.record);
  RunFiles files(settings, description, checkpoint ? checkpoint->path() : "");
  Progress progress(settings.debug == 0);
  if (!job.read(progress)) return;
  keep_freed_memory();
  if (settings.debug >= 2) report_machine(progress);
  std::vector<Identity> identities;
  std::optional<Run> run;
  take_memory(job.memory(), settings.max_memory, progress, [&] {
    Task& task = job.start(progress);
    identities = job.identities();
    run.emplace(
        Run::Parts{task, description, settings, identities, files, progress, job.exchange()});
    run->start(checkpoint);
    return run->later_bytes() + program_bytes(settings.plan.threads);
  });
  run->train();
  Json record = head();
  add_training(*run, record);
  job.report(*run, record, progress);
  if (record_file) record_file->write(record.text(kRecordIndent));
  report_written(job.write(record_file), settings, files, progress);
  if (const std::string& why = run->unwritten_checkpoint(); !why.empty()) {
    throw Error("there is no checkpoint of the run's end: " + why);
  }
}

}  // namespace acevec
