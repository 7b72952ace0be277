#include "phrases/phrases_command.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/paths.h"
#include "base/in_order.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "cli/file_options.h"
#include "phrases/phrases.h"
#include "text/corpus.h"
#include "text/read_text.h"
#include "text/source.h"

namespace acevec {
namespace {

constexpr std::string_view kFiles = "Files";
constexpr std::string_view kPhrases = "Phrases";
constexpr std::string_view kRun = "Run";

const Option kTable[] = {
    input_files(kFiles, "train",
                "the text, one file or several; .gz is unpacked, - is standard input"),
    output_file(kFiles, "output", "write the joined text here; - is standard output"),
    output_file(kFiles, "save-phrases",
                "also write the phrases: lines of phrase, count and score, separated by tabs"),

    real(kPhrases, "threshold", "100", 0, 1e18,
         "join two words above this score; higher: fewer phrases"),
    integer(kPhrases, "min-count", "5", 1, 1e15,
            "subtracted from the count of a pair, so that rare pairs are not joined by chance"),
    integer(kPhrases, "passes", "1", 1, 10,
            "passes over the text; 2 passes find phrases of up to 4 words"),
    text(kPhrases, "delimiter", "TEXT", "_", "text between joined words"),
    format_row(kPhrases),
    tokens_row(kPhrases),

    integer(kRun, "memory", "1024", 1, 1e9,
            "MiB for counts of pairs; if that is not enough, more scans share the work"),
    threads_row(kRun),
    flag(kRun, "quiet", "0", "print only errors"),
};

PhraseSettings read_settings(const Options& options) {
  PhraseSettings settings;
  settings.threshold = options.real("threshold");
  settings.min_count = options.integer("min-count");
  settings.passes = static_cast<int>(options.integer("passes"));
  settings.delimiter = options.text("delimiter");
  settings.most_bytes = options.integer("memory") << 20;
  settings.threads = threads_of(options);
  if (std::any_of(settings.delimiter.begin(), settings.delimiter.end(), is_space)) {
    throw UsageError("the delimiter holds white space, so that nothing would be joined");
  }
  return settings;
}

void require_files(const Options& options) {
  if (options.text("train").empty()) {
    throw UsageError("no text; give some with -train FILE (see --help)");
  }
  if (options.text("output").empty()) {
    throw UsageError("no output; give -output FILE (see --help)");
  }
}

void write_phrases(const Phrases& phrases, OutputFile& file) {
  for (const PhrasePass& pass : phrases.passes()) {
    for (const Phrase& phrase : pass.phrases) {
      file.write(format("%s\t%ld\t%.6g\n", phrases.spelling(phrase).c_str(),
                        static_cast<long>(phrase.count), phrase.score));
    }
  }
  file.commit();
}

// Writes the joined text; returns how many times two words were joined.
int64_t write_text(const Phrases& phrases, const Corpus& corpus, int threads, OutputFile& file) {
  std::atomic<int64_t> joined{0};
  bool line_open = false;  // a line longer than a chunk goes on in the next
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
  file.commit();
  return joined;
}

}  // namespace

const Command kPhrasesCommand{
    "phrases", "acevec phrases -train FILE -output FILE [OPTION VALUE ...]",
    "Joins words that follow each other more often than by chance: new york becomes new_york.\nTwo "
    "words a b of N tokens are joined if\n(count(a b) - min-count) / (count(a) count(b)) N is "
    "above the threshold, as in word2phrase.\n",
    "", kTable};

void run_phrases(const Options& options) {
  require_files(options);
  const PhraseSettings settings = read_settings(options);
  Source source(whole_files(split_paths(options.text("train"))), text_format(options));
  OutputFile output(options.text("output"));
  std::optional<OutputFile> list;
  if (!options.text("save-phrases").empty()) list.emplace(options.text("save-phrases"));

  Progress progress(options.flag("quiet"));
  const Stopwatch watch;
  const Corpus corpus = read_corpus(source,
                                    {.mode = token_mode(options),
                                     .threads = settings.threads,
                                     .counting_bytes = counting_memory()},
                                    progress);
  progress.note(
      format("read %s, %s, %s in %.2f s", counted(corpus.report().tokens, "token").c_str(),
             counted(corpus.report().lines, "line").c_str(),
             counted(corpus.distinct_tokens(), "distinct word").c_str(), watch.seconds()));
  note_mended(corpus.report(), progress);

  const Phrases phrases(corpus, settings, [&](int pass, const PhrasePass& found) {
    progress.note(format("pass %d: %s of %s counted, in %s", pass,
                         counted(static_cast<int64_t>(found.phrases.size()), "phrase").c_str(),
                         counted(found.pairs, "pair").c_str(),
                         counted(found.scans, "scan").c_str()));
  });
  if (list) write_phrases(phrases, *list);
  const int64_t joined = write_text(phrases, corpus, settings.threads, output);
  progress.note(
      format("joined words %s; %.2f s in all", counted(joined, "time").c_str(), watch.seconds()));
}

}  // namespace acevec
