// The main job: trains word vectors on text.

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "cli/file_options.h"
#include "cli/run_record.h"
#include "cluster/checkpoint_parts.h"
#include "cluster/peers.h"
#include "commands/commands.h"
#include "commands/training_command.h"
#include "commands/word_arguments.h"
#include "tasks/word/corpus_pairs.h"
#include "tasks/word/skip_gram.h"
#include "text/corpus.h"
#include "text/token_store.h"

namespace acevec {
namespace {

constexpr size_t kSettingsColumns = 100;

// Turns off the outputs that only the first process has.
void silence_secondary_process(RunSettings& run) {
  run.debug = 0;
  run.log.clear();
  run.record.clear();
  run.save_every.reset();
}

// Checks, before anything is read, that all processes have the same version and the same options,
// in the form in which checkpoints record them.
void require_one_job(const std::vector<std::string>& arguments, Peers& peers) {
  if (peers.count() == 1) return;
  std::string job = version();
  for (const std::string& argument : arguments) {
    if (argument.ends_with("=-") && argument != "-output=-") {
      throw UsageError(format("%d processes cannot share standard input; give %s a file",
                              peers.count(), argument.substr(0, argument.size() - 2).c_str()));
    }
    job += "\n" + argument;
  }
  require_same(peers, job, "another version of acevec or other options");
}

constexpr CommandText kTrain{
    "", "acevec -train FILE -output FILE [OPTION VALUE ...]",
    "Learns word vectors from text: skip-gram or CBOW with negative sampling.\n"
    "Options are word2vec's, with one dash or two.\n"};

// Histories differ in length; lines such as user, item, rating and time do not.
void note_possible_table(const Corpus& corpus, Progress& progress) {
  constexpr int64_t kLeastLines = 100, kMostColumns = 10;
  std::vector<int32_t> ids;
  if (corpus.chunks() > 0) corpus.read(0, ids);
  int64_t lines = 0, columns = 0, tokens = 0;
  for (const int32_t id : ids) {
    if (id != kLineEnd) {
      ++tokens;
    } else if (tokens > 0) {
      if (lines++ == 0) columns = tokens;
      if (std::exchange(tokens, 0) != columns) return;
    }
  }
  if (lines < kLeastLines || columns < 2 || columns > kMostColumns) return;
  progress.note(format(
      "note: each line has %s, and counts as one history; if it is a row of a table, such as "
      "user, item and time, make one line of each user's items",
      counted(columns, "item").c_str()));
}

class TrainCommand final : public TrainingCommand {
 public:
  TrainCommand() : TrainingCommand(kTrain) { declare_words(arguments_, run_arguments_, table()); }
  void resolve() override { resolve_words(arguments_, run_arguments_, *this); }

  // Adds the context vectors that no option names.
  std::vector<RunFile> more_files() const override {
    std::vector<RunFile> files = TrainingCommand::more_files();
    const std::string contexts = items_context_path(arguments_, run_arguments_.settings.output);
    if (arguments_.outputs.contexts.empty() && !contexts.empty()) {
      const char* const name = "the context vectors of -preset items";
      files.push_back({name, contexts, true, true});
      add_words_file(name, contexts, format_of_ending(contexts), true, files);
    }
    return files;
  }

 protected:
  void train(std::optional<CheckpointReader>& checkpoint) override {
    RunSettings& run = run_arguments_.settings;
    require_one_job(run.arguments, all_);
    run.checkpoint_suffix = part_suffix(all_);
    if (!is_first(all_)) silence_secondary_process(run);
    InitialVectors initial = read_init();
    arguments_.corpus.counting_bytes = counting_memory(run.max_memory);
    arguments_.exchange = exchange_settings(arguments_.exchanges, all_.count(), run.plan.threads);
    WordHooks hooks{[this](Progress& progress) { report_settings(progress); },
                    [this](const Corpus& corpus, Progress& progress) {
                      choose_length(corpus, progress);
                      choose_filter(corpus, progress);
                      if (arguments_.preset == Preset::kItems) {
                        note_possible_table(corpus, progress);
                      }
                    }};
    train_job(*make_word_job(arguments_, run, std::move(initial), std::move(hooks)), checkpoint);
  }

 private:
  // Reads the initial vectors, which decide the size unless -size is given.
  InitialVectors read_init() {
    int64_t& size = arguments_.skip_gram.size;
    InitialVectors initial = read_initial_vectors(arguments_.init, arguments_.init_context,
                                                  table().given(&size) ? size : 0);
    if (initial.words) size = initial.words->vectors.columns();
    return initial;
  }

  void report_settings(Progress& progress) const {
    progress.note(settings_table(*this, columns_of(STDERR_FILENO, kSettingsColumns)));
    const PresetWord* const preset = table().find("preset")->chosen_preset();
    if (preset == nullptr) return;
    std::string own;
    for (const OptionRow& row : table().rows()) {
      if (row.given && (" " + preset->meaning).find(" -" + row.name + " ") != std::string::npos) {
        own += (own.empty() ? "; here -" : " -") + row.name + " " + row.short_value();
      }
    }
    progress.note("preset " + preset->word + " stands for " + preset->meaning + own);
  }

  // Chooses the epochs by the length of the text and the preset, and the learning rate by both,
  // where they are not given. Checkpoints record the choice.
  void choose_length(const Corpus& corpus, Progress& progress) {
    std::optional<int64_t>& iter = arguments_.iter;
    std::optional<double>& alpha = arguments_.alpha;
    const int64_t tokens = corpus.report().tokens;
    TaskRunner::Plan& plan = run_arguments_.settings.plan;
    std::string chosen;
    std::string reason =
        arguments_.init.empty() ? "default for " + counted(tokens, "token") : "default for -init";
    choose_start(tokens, progress);
    if (!iter) {
      iter = usual_epochs(tokens);
      if (arguments_.preset == Preset::kBest && *iter < 8) {
        iter = 8;
        reason = "-preset best";
      }
      chosen += decide(&iter);
    }
    if (!alpha) {
      alpha = default_rate(tokens, *iter, *arguments_.pace());  // without one it has a default
      decide(&alpha);
      table().fill_defaults();  // -min-alpha follows from it
      plan.rate = {*alpha, *arguments_.min_alpha};
      chosen += format("  -alpha %.3g", *alpha);
    }
    if (!chosen.empty()) progress.note(chosen + " (" + reason + ")");
    plan.epochs = *iter;
  }

  // Chooses the initial vectors of words by the length of the text, where no option does.
  void choose_start(int64_t tokens, Progress& progress) {
    const bool may = arguments_.has_plain_steps() && arguments_.subwords.longest == 0 &&
                     !arguments_.skip_gram.one_sided;
    if (!arguments_.start && may && tokens < kFewTokens && all_.count() == 1) {
      arguments_.start = true;
      progress.note(decide(&arguments_.start) + " (default for " + counted(tokens, "token") + ")");
    }
    arguments_.start_from_counts = arguments_.start.value_or(false);
  }

  // Returns the default epochs for a text of `tokens` tokens. With -init, a short text needs no
  // more epochs than a long one.
  int64_t usual_epochs(int64_t tokens) const {
    if (!arguments_.init.empty()) return 5;
    const Pace* const chosen = arguments_.pace();
    if (chosen == nullptr) return default_epochs(tokens, 50e6, 5, 50);
    const double rate = arguments_.alpha.value_or(chosen->slow);
    const int64_t most = std::max<int64_t>(chosen->fewest, std::lround(chosen->most / rate));
    return default_epochs(tokens, chosen->product / rate, chosen->fewest, most);
  }

  // Chooses the size of the adversary's filter by the text and the memory where -ace-filter is not
  // given. Checkpoints record it, whatever memory is available later.
  void choose_filter(const Corpus& corpus, Progress& progress) {
    std::optional<AdversarySettings>& adversary = arguments_.skip_gram.adversary;
    std::optional<int64_t>& filter = arguments_.filter;
    if (!adversary || filter) return;
    const int64_t limit = run_arguments_.settings.max_memory;
    const double pairs = expected_pairs(pair_statistics(corpus, arguments_.skip_gram.window));
    const int64_t memory = limit > 0 ? limit - resident_bytes() : available_bytes();
    filter = all_.bcast(filter_mebibytes(pairs, memory));
    adversary->filter_bytes = *filter << 20;
    progress.note(decide(&filter) + " (default for about " +
                  counted(static_cast<int64_t>(pairs), "pair") + ")");
  }

  WordArguments arguments_;
  Peers& all_ = peers();
};

}  // namespace

const Maker make_train = make_command<TrainCommand>;

}  // namespace acevec
