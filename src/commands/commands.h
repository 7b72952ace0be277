// The commands of the program, in display order.
#pragma once

#include <memory>

#include "cli/command_line.h"

namespace acevec {

// Creates a command with its default arguments.
using Maker = std::unique_ptr<CommandLine> (*)();
template <class Command>
std::unique_ptr<CommandLine> make_command() {
  return std::make_unique<Command>();
}

// Each of these is defined at the end of its command's file.
extern const Maker make_train, make_nn, make_next, make_similarity, make_analogy, make_vectors;
extern const Maker make_convert, make_phrases, make_noise, make_text, make_order, make_order_query;
extern const Maker make_kg, make_kg_eval, make_kg_export, make_kg_predict;
extern const Maker make_sentence, make_sentence_encode, make_sentence_nn, make_sentence_export,
    make_sentence_predict;
extern const Maker make_sentence_retrieve, make_sentence_similarity, make_sentence_test;
extern const Maker make_metric, make_metric_encode, make_metric_eval;

// Every command, with its defaults. The main job, which has no name, comes first.
CommandLines all_commands();

}  // namespace acevec
