#include "word/checkpoint.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "cli/file_options.h"
#include "word/settings.h"

namespace acevec {
namespace {

// Options that leave the vectors of one thread as they are: where things come from (that they are
// the same things is checked), where they go to, and what is said meanwhile. And the learning rate,
// for runs that diverged.
constexpr std::string_view kMayChange[] = {
    "train",           "read-vocab", "init",  "init-context", "output",     "output-context",
    "binary",          "save-vocab", "log",   "log-every",    "save-every", "checkpoint",
    "threads",         "debug",      "quiet", "max-memory",   "alpha",      "min-alpha",
    "checkpoint-every"};

bool may_change(std::string_view name) {
  return std::find(std::begin(kMayChange), std::end(kMayChange), name) != std::end(kMayChange);
}

std::string argument(std::string_view name, const std::string& value) {
  return "-" + std::string(name) + "=" + value;
}

uint64_t hash_of(const Vocabulary& vocabulary) {
  uint64_t hash = 0;
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string& word = vocabulary.word(id);
    hash = XXH3_64bits_withSeed(word.data(), word.size(), hash);
    const int64_t count = vocabulary.count(id);
    hash = XXH3_64bits_withSeed(&count, sizeof count, hash);
  }
  return hash;
}

// Of the vectors that are not trained, which the output will hold too.
uint64_t hash_of(const std::optional<WordVectors>& vectors) {
  uint64_t hash = 0;
  if (!vectors) return hash;
  for (const std::string& word : vectors->words) {
    hash = XXH3_64bits_withSeed(word.data(), word.size(), hash + 1);
  }
  const Matrix& rows = vectors->vectors;
  return XXH3_64bits_withSeed(rows.row(0), static_cast<size_t>(rows.bytes()), hash);
}

// No gaps between its members.
struct Identity {
  uint64_t text;
  uint64_t vocabulary;
  uint64_t initial_words;
  uint64_t initial_contexts;
  int64_t lines;
  int64_t tokens;
  int64_t kept_tokens;
};

Identity identity_of(const Corpus& corpus, const InitialVectors& initial) {
  return {corpus.fingerprint(),      hash_of(corpus.vocabulary()), hash_of(initial.words),
          hash_of(initial.contexts), corpus.report().lines,        corpus.report().tokens,
          corpus.kept_tokens()};
}

}  // namespace

void save_options(const Options& options, CheckpointWriter& file) {
  std::vector<std::string> given;
  for (const Option& option : kTrainCommand.table) {
    if (!options.given(option.name)) continue;
    given.push_back(argument(option.name, options.text(option.name)));
  }
  file.put("options", static_cast<int64_t>(given.size()));
  for (const std::string& text : given) file.put("option", text);
}

Options resumed_options(const Options& typed, CheckpointReader& file) {
  std::vector<std::string> arguments;
  const auto count = file.get<int64_t>("options");
  for (int64_t i = 0; i < count; ++i) {
    std::string text;
    file.get("option", text);
    if (!text.starts_with('-')) {
      throw Error(format("%s is damaged: it holds an option without a name; use another",
                         file.path().c_str()));
    }
    const std::string name = text.substr(1, text.find('=') - 1);
    const bool said_otherwise = typed.given(name) || (name == "quiet" && typed.given("debug"));
    if (!said_otherwise && name != "checkpoint") arguments.push_back(text);
  }
  for (const Option& option : kTrainCommand.table) {
    if (!typed.given(option.name) || option.name == "resume") continue;
    if (!may_change(option.name)) {
      throw UsageError(
          format("-%s cannot change in a run that goes on; leave it out, or start anew",
                 std::string(option.name).c_str()));
    }
    arguments.push_back(argument(option.name, typed.text(option.name)));
  }
  if (!typed.given("checkpoint")) arguments.push_back(argument("checkpoint", file.path()));
  Options options(kTrainCommand, arguments);
  check_files(kTrainCommand, options);
  return options;
}

void save_identity(const Corpus& corpus, const InitialVectors& initial, CheckpointWriter& file) {
  file.put("identity", identity_of(corpus, initial));
}

void check_identity(const Corpus& corpus, const InitialVectors& initial, CheckpointReader& file) {
  const Identity now = identity_of(corpus, initial);
  const auto before = file.get<Identity>("identity");
  const auto refuse = [&](const std::string& what) {
    throw Error(format("%s since %s was written; give what the run began with, or start anew",
                       what.c_str(), file.path().c_str()));
  };
  if (now.text != before.text) {
    refuse(format("the text has changed (%s tokens in %s lines, %s in %s before)",
                  grouped(now.tokens).c_str(), grouped(now.lines).c_str(),
                  grouped(before.tokens).c_str(), grouped(before.lines).c_str()));
  }
  if (now.vocabulary != before.vocabulary || now.kept_tokens != before.kept_tokens) {
    refuse("the vocabulary of -read-vocab has changed");
  }
  if (now.initial_words != before.initial_words ||
      now.initial_contexts != before.initial_contexts) {
    refuse("the vectors of -init have changed");
  }
}

}  // namespace acevec
