// Small dumps for tests, and what is read of them.
#pragma once

#include <string>
#include <vector>

#include "temporary_folder.h"
#include "text/wiki/dump.h"

namespace acevec {

// A page of a dump; `more` stands before the revision.
inline std::string page(const std::string& title, const std::string& text,
                        const std::string& more = "") {
  return "<page><title>" + title + "</title>" + more + "<revision><text xml:space=\"preserve\">" +
         text + "</text></revision></page>\n";
}

inline std::string dump(const std::string& pages) {
  return "<mediawiki xml:lang=\"xx\">\n<siteinfo><namespaces><namespace key=\"0\" />"
         "<namespace key=\"1\">Беседа</namespace><namespace key=\"6\">Файл</namespace>"
         "</namespaces></siteinfo>\n" +
         pages + "</mediawiki>\n";
}

struct ReadDump {
  std::vector<std::string> articles;
  PageCounts pages;
};

inline ReadDump read_dump(const std::string& bytes, size_t step = 1) {
  const TemporaryFolder folder;
  Source source(folder.write("dump.xml", bytes), TextFormat::kWiki);
  WikiDump dump(source);
  ReadDump result;
  PageCounts pages;
  for (std::vector<std::string> articles; dump.next(step, articles, pages);) {
    result.articles.insert(result.articles.end(), articles.begin(), articles.end());
    result.pages += pages;
  }
  return result;
}

}  // namespace acevec
