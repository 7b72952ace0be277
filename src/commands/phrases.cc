// acevec phrases: writes a text with its collocations joined.

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/numbers.h"
#include "base/output_file.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "phrases/phrases.h"
#include "text/corpus.h"
#include "text/source.h"

namespace acevec {
namespace {

void write_phrases(const Phrases& phrases, OutputFile& file) {
  for (const PhrasePass& pass : phrases.passes()) {
    for (const Phrase& phrase : pass.phrases) {
      file.write(format("%s\t%ld\t%.6g\n", phrases.spelling(phrase).c_str(),
                        static_cast<long>(phrase.count), phrase.score));
    }
  }
}

// Writes the joined text; returns the number of joins.
int64_t write_text(const Phrases& phrases, const Corpus& corpus, int threads, OutputFile& file) {
  std::atomic<int64_t> joined{0};
  bool line_open = false;  // a line longer than a chunk continues in the next
  in_order(
      threads, corpus.chunks(),
      [&](int64_t chunk) {
        int64_t own = 0;
        std::string text = phrases.text(chunk, own);
        joined += own;
        return text;
      },
      [&](const std::string& text) {
        if (text.empty()) return;
        if (line_open && text.front() != '\n') file.write(" ");
        file.write(text);
        line_open = text.back() != '\n';
      });
  if (line_open) file.write("\n");
  return joined;
}

constexpr CommandText kPhrases{
    "phrases", "acevec phrases -train FILE -output FILE [OPTION VALUE ...]",
    "Joins words that follow each other more often than by chance: new york becomes new_york.\nTwo "
    "words a b of N tokens are joined if\n(count(a b) - min-count) / (count(a) count(b)) N is "
    "above the threshold, as in word2phrase.\nPunctuation is not joined.\n",
    "text"};

class PhrasesCommand final : public CommandLine {
 public:
  PhrasesCommand() : CommandLine(kPhrases) { declare(); }

  void run() override {
    resolve();
    Source source(whole_files(train_), format_, settings_.threads);
    std::optional<OutputFile> output(std::in_place, output_), list;
    open_if(list, save_phrases_);

    Progress progress(debug_ == 0);
    const Stopwatch watch;
    const Corpus corpus = read(source, progress);
    const Phrases phrases(corpus, settings_, [&](int pass, const PhrasePass& found) {
      progress.note(format("pass %d: %s of %s counted, in %s", pass,
                           counted(static_cast<int64_t>(found.phrases.size()), "phrase").c_str(),
                           counted(found.pairs, "pair").c_str(),
                           counted(found.scans, "scan").c_str()));
    });
    if (list) write_phrases(phrases, *list);
    const int64_t joined = write_text(phrases, corpus, settings_.threads, *output);
    commit_together(list, output);
    progress.note(
        format("joined words %s; %.2f s in all", counted(joined, "time").c_str(), watch.seconds()));
  }

 private:
  void declare() {
    OptionTable& table = this->table();
    table.group("File");
    table
        .input_files(
            "train", train_,
            "the text, one file or several; packed files are unpacked, - is standard input")
        .common("the text, packed or not; - is standard input");
    table.output_file("output", output_, "write the joined text here; - is standard output")
        .common("the joined text; - is standard output");
    table
        .output_file("save-phrases", save_phrases_,
                     "also write the phrases: lines of phrase, count and score, separated by tabs")
        .common("the phrases, with counts and scores");
    table.group("Phrases");
    table
        .real("threshold", settings_.threshold, {0, 1e18},
              "join two words whose score is above this; higher: fewer phrases")
        .common("higher: fewer phrases (default: 100)");
    table.integer(
        "min-count", settings_.min_count, {1, 1e15},
        "subtracted from the count of a pair, so that rare pairs are not joined by chance");
    table
        .integer("passes", settings_.passes, {1, 10},
                 "passes over the text; 2 passes find phrases of up to 4 words")
        .common("2 passes find phrases of up to 4 words (default: 1)");
    table
        .text("connectors", "WORD,...", connectors_,
              "words that join others, such as of,the,de; never at the end of a phrase: with of, "
              "bank of england becomes bank_of_england")
        .common("words that join others, such as of,the,de");
    table.text("delimiter", "TEXT", settings_.delimiter, "text between joined words");
    declare_format(format_, tokens_, table);
    table.group("Run");
    declare_threads(threads_, table);
    declare_debug(debug_, table);
  }

  void resolve() {
    require_given(!train_.empty(), "no text; give some with -train FILE");
    require_given(!output_.empty(), "no output; give -output FILE");
    const std::string& delimiter = settings_.delimiter;
    if (std::any_of(delimiter.begin(), delimiter.end(), is_space)) {
      throw UsageError("-delimiter contains white space, so nothing would be joined; give another");
    }
    for (const std::string_view word : split(connectors_, ",")) {
      if (!word.empty()) settings_.connectors.emplace_back(word);
    }
    if (settings_.connectors.size() > PairRules::kMostConnectors) {
      throw UsageError(format("-connectors has more than %zu words; leave some out",
                              PairRules::kMostConnectors));
    }
    table().refuse_idle();
    settings_.threads = threads_of(threads_);
  }

  Corpus read(Source& source, Progress& progress) const {
    const Stopwatch watch;
    Corpus corpus = read_corpus(
        source,
        {.mode = *tokens_, .threads = settings_.threads, .counting_bytes = counting_memory()},
        shown_on(progress));
    progress.note(
        format("read %s, %s, %s in %.2f s", counted(corpus.report().tokens, "token").c_str(),
               counted(corpus.report().lines, "line").c_str(),
               counted(corpus.distinct_tokens(), "distinct word").c_str(), watch.seconds()));
    note_repairs(corpus.report(), progress);
    require_text(corpus.report());
    return corpus;
  }

  std::vector<std::string> train_;
  std::string output_, save_phrases_, connectors_;
  TextFormat format_;
  std::optional<TokenMode> tokens_;
  PhraseSettings settings_;
  std::optional<int> threads_;
  int debug_ = 1;
};

}  // namespace

const Maker make_phrases = make_command<PhrasesCommand>;

}  // namespace acevec
