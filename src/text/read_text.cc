#include "text/read_text.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/memory.h"

namespace acevec {

int64_t counting_memory(int64_t max_memory) {
  constexpr int64_t kLeast = 8 << 20;
  return std::max(kLeast, (max_memory > 0 ? max_memory : available_bytes()) / 4);
}

ReadProgress shown_on(Progress& progress) {
  return [&progress, watch = Stopwatch()](double fraction, int64_t tokens) {
    if (!progress.due()) return;
    std::vector<ProgressPart> parts{{"reading", 0}, {counted(tokens, "token"), 2}};
    if (fraction > 0) {
      const double left = watch.seconds() * (1 - fraction) / fraction;
      parts.front().text += format("  %5.1f%%", 100 * fraction);
      parts.push_back({"ETA " + clock_text(left), 1});
    }
    progress.show(parts);
  };
}

void require_tokens(const TextReport& report) {
  if (report.tokens == 0) throw Error("the text holds no tokens; check what -train reads");
}

void note_mended(const TextReport& report, Progress& progress) {
  const auto say = [&](const char* what, int64_t count, const char* noun, const char* more) {
    if (count > 0) progress.note(format("note: %s%s%s", what, counted(count, noun).c_str(), more));
  };
  say("left out ", report.long_tokens, "token", " longer than 1000 bytes");
  say("", report.invalid_tokens, "token", " held invalid UTF-8; the bad bytes became U+FFFD");
  say("treated ", report.nul_bytes, "NUL byte", " as white space");
  const PageCounts& pages = report.pages;
  if (pages.total() > 0) {
    progress.note(format("articles: %s; left out %s and %s", grouped(pages.articles).c_str(),
                         counted(pages.redirects, "redirect").c_str(),
                         counted(pages.others, "other page").c_str()));
  }
  say("cut ", pages.cut, "article", " longer than 4 MiB there");
}

}  // namespace acevec
