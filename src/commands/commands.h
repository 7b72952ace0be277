// The commands of the program, in the order in which they are shown.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace acevec {

// Each makes a command with its defaults.
std::unique_ptr<CommandLine> make_train();
std::unique_ptr<CommandLine> make_nn();
std::unique_ptr<CommandLine> make_next();
std::unique_ptr<CommandLine> make_similarity();
std::unique_ptr<CommandLine> make_analogy();
std::unique_ptr<CommandLine> make_vectors();
std::unique_ptr<CommandLine> make_convert();
std::unique_ptr<CommandLine> make_phrases();
std::unique_ptr<CommandLine> make_noise();
std::unique_ptr<CommandLine> make_text();
std::unique_ptr<CommandLine> make_order();
std::unique_ptr<CommandLine> make_order_query();
std::unique_ptr<CommandLine> make_kg();
std::unique_ptr<CommandLine> make_kg_predict();
std::unique_ptr<CommandLine> make_sentence();
std::unique_ptr<CommandLine> make_sentence_encode();
std::unique_ptr<CommandLine> make_sentence_nn();
std::unique_ptr<CommandLine> make_sentence_similarity();
std::unique_ptr<CommandLine> make_metric();
std::unique_ptr<CommandLine> make_metric_encode();
std::unique_ptr<CommandLine> make_metric_eval();

// Every command, with its defaults. The main job, which has no name, comes first.
CommandLines all_commands();

// Runs the command that the first words of a command line name ("order query" before "order"); the
// main job when they name none. "help kg" is "kg --help"; "train", "skipgram" and "cbow" are the
// main job. Prints a help text or the version instead when that is asked for.
void run_command(const std::vector<std::string>& typed);

}  // namespace acevec
