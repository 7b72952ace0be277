#include "text/page_counts.h"

#include "base/error.h"
#include "base/progress.h"

namespace acevec {

std::vector<std::string> report_lines(const PageCounts& pages) {
  std::vector<std::string> lines;
  if (pages.total() > 0) {
    lines.push_back(format("articles: %s; left out %s redirects and %s pages that are no articles",
                           grouped(pages.articles).c_str(), grouped(pages.redirects).c_str(),
                           grouped(pages.others).c_str()));
  }
  if (pages.cut > 0) {
    lines.push_back(
        format("note: %s articles longer than 4 MiB were cut there", grouped(pages.cut).c_str()));
  }
  return lines;
}

}  // namespace acevec
