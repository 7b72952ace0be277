// What is told about a wiki's pages.

#include "text/page_counts.h"

#include <doctest/doctest.h>

namespace acevec {

TEST_CASE("pages add up, and nothing is said of none") {
  CHECK(report_lines({}).empty());
  PageCounts pages{1200, 1, 0, 0};
  pages += {0, 0, 7, 1};
  CHECK(pages.total() == 1208);
  CHECK(report_lines(pages) ==
        std::vector<std::string>{"articles: 1,200; left out 1 redirect and 7 other pages",
                                 "note: cut 1 article longer than 4 MiB there"});
}

}  // namespace acevec
