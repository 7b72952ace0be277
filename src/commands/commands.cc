#include "commands/commands.h"

namespace acevec {

CommandLines all_commands() {
  CommandLines commands;
  for (const Maker make : {
           make_train,
           make_nn,
           make_next,
           make_similarity,
           make_analogy,
           make_vectors,
           make_convert,
           make_phrases,
           make_noise,
           make_text,
           make_order,
           make_order_query,
           make_kg,
           make_kg_eval,
           make_kg_export,
           make_kg_predict,
           make_sentence,
           make_sentence_encode,
           make_sentence_export,
           make_sentence_nn,
           make_sentence_predict,
           make_sentence_retrieve,
           make_sentence_similarity,
           make_sentence_test,
           make_metric,
           make_metric_encode,
           make_metric_eval,
       }) {
    commands.push_back(make());
  }
  return commands;
}

}  // namespace acevec
