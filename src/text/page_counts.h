// Pages of a wiki: how many were read as text and how many were not.
#pragma once

#include <cstdint>

namespace acevec {

struct PageCounts {
  int64_t articles = 0;
  int64_t redirects = 0;
  int64_t others = 0;  // of other namespaces, such as talk, or no wikitext
  int64_t cut = 0;     // articles longer than kMaxArticleBytes, whose end was left out

  PageCounts& operator+=(const PageCounts& other) {
    articles += other.articles;
    redirects += other.redirects;
    others += other.others;
    cut += other.cut;
    return *this;
  }

  int64_t total() const { return articles + redirects + others; }
};

}  // namespace acevec
