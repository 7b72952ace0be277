// The options that every training command has, and their values.
#pragma once

#include <string_view>

#include "cli/file_options.h"
#include "cli/options.h"
#include "train/run_settings.h"

namespace acevec {

inline constexpr std::string_view kRun = "Run";

// Rows for a command's table.
inline constexpr Option kRunOptions[] = {
    threads_row(kRun),
    seed_row(kRun),
    output_file(kRun, "log",
                "write losses, learning rate and more during training, as tab-separated rows; a "
                "file with content is never overwritten"),
    text(kRun, "log-every", "N|10m|1%", "1%",
         "write a row of -log every N tokens, pairs or triples, every 10 minutes (also 30s, 2h), "
         "or each 1% of the run"),
    text(kRun, "save-every", "N|10m|1%", "",
         "save a snapshot this often, to -output with a number before its ending (v-0001.bin)"),
    output_file(kRun, "checkpoint", "save the state of the run here, for -resume"),
    text(kRun, "checkpoint-every", "N|10m|1%", "10m", "how often to save it"),
    input_file(kRun, "resume",
               "resume the run of this checkpoint with its options; only files, threads, learning "
               "rate, logging, saving and, for a run that has ended, a larger -iter may be given"),
    text(kRun, "max-memory", "500M|4G", "",
         "refuse to train if more memory is needed (default: what is available)"),
    integer(kRun, "debug", "1", 0, 2,
            "0: errors only, 1: progress, 2: also details of time and memory"),
    quiet_row(kRun),
};

// The row of -patience; `evaluations`: what is waited for, "evaluations on -valid".
constexpr Option patience_row(std::string_view help) {
  return integer(kRun, "patience", "0", 0, 1000000, help);
}

// The values of kRunOptions; the plan's epochs and rate, the evaluation, and patience are the
// task's to set. Gives -threads its value. Throws UsageError when one would do nothing, or names a
// file that another option does.
RunSettings read_run_settings(const Command& command, Options& options);

// Whether one of kRunOptions means anything beside the others.
bool has_effect_in_run(std::string_view name, const Options& options);

// Adds the record of the run to the files that follow from -output, for Command::more_files.
void add_record(const Options& options, std::vector<RunFile>& files);

// Where the record goes, beside -output; empty when it can stand nowhere. Throws Error when a file
// is there that no run has written.
std::string free_record_path(const Options& options);

}  // namespace acevec
