#include "text/page_counts.h"

#include "base/error.h"
#include "base/progress.h"

namespace acevec {

std::vector<std::string> report_lines(const PageCounts& pages) {
  std::vector<std::string> lines;
  if (pages.total() > 0) {
    lines.push_back(format("articles: %s; left out %s and %s", grouped(pages.articles).c_str(),
                           counted(pages.redirects, "redirect").c_str(),
                           counted(pages.others, "other page").c_str()));
  }
  if (pages.cut > 0) {
    lines.push_back(
        format("note: cut %s longer than 4 MiB there", counted(pages.cut, "article").c_str()));
  }
  return lines;
}

}  // namespace acevec
