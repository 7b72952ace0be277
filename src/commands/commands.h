// The commands of the program, in the order in which they are shown.
#pragma once

#include <memory>

#include "cli/command_line.h"

namespace acevec {

// Each makes a command with its defaults.
using MakeCommand = std::unique_ptr<CommandLine>();
MakeCommand make_train, make_nn, make_next, make_similarity, make_analogy, make_vectors;
MakeCommand make_convert, make_phrases, make_noise, make_text, make_order, make_order_query;
MakeCommand make_kg, make_kg_eval, make_kg_export, make_kg_predict;
MakeCommand make_sentence, make_sentence_encode, make_sentence_nn, make_sentence_export;
MakeCommand make_sentence_predict, make_sentence_retrieve, make_sentence_similarity;
MakeCommand make_sentence_test, make_metric, make_metric_encode, make_metric_eval;

// Every command, with its defaults. The main job, which has no name, comes first.
CommandLines all_commands();

}  // namespace acevec
