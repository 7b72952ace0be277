#include "commands/graph_options.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"

namespace acevec {
namespace {

constexpr int64_t kMostColumns = 1'000'000;

char parsed_delimiter(const std::string& typed) {
  if (typed == "tab") return '\t';
  if (typed == "comma") return ',';
  if (typed == "space") return ' ';
  const bool is_one = typed.size() == 1 && typed[0] >= 0 && typed != "\"" && typed != "\n";
  if (!is_one) throw Error("give tab, comma, space or one character of ASCII, but no quote");
  return typed[0];
}

template <class Values>
bool all_differ(Values values) {
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) == values.end();
}

TripleColumns parsed_columns(const std::string& typed) {
  const std::vector<std::string_view> parts = split(typed, ",");
  std::vector<int64_t> numbers;
  for (const std::string_view part : parts) {
    if (const auto number = number_of<int64_t>(part)) numbers.push_back(*number);
  }
  const bool by_title = numbers.size() < parts.size();
  const bool fit = by_title ? all_differ(parts) && std::ranges::count(parts, "") == 0
                            : all_differ(numbers) && std::ranges::min(numbers) > 0 &&
                                  std::ranges::max(numbers) <= kMostColumns;
  if (parts.size() != 3 || !fit) {
    throw Error("give three different numbers from 1, or titles, as in 3,1,4");
  }
  TripleColumns columns;
  for (size_t i = 0; i < 3; ++i) {
    if (by_title) columns.titles[i] = parts[i];
    if (!by_title) columns.places[i] = static_cast<size_t>(numbers[i] - 1);
  }
  return columns;
}

}  // namespace

void declare_triple_format(TripleFormat& format, OptionTable& table) {
  table
      .parsed("delimiter", "TEXT", "", format.delimiter, parsed_delimiter,
              "column separator: tab, comma, space (any number of blanks) or one character; except "
              "with tab, names may be quoted")
      .default_later("tab");
  table
      .parsed("columns", "HEAD,RELATION,TAIL", "", format.columns, parsed_columns,
              "columns of head, relation and tail: numbers from 1, or titles on the first line")
      .default_later("those called head, relation and tail on the first line, or else 1,2,3");
}

void declare_graph_vectors(GraphVectorPaths& paths, OptionTable& table) {
  table
      .output_file("output-entities", paths.entities,
                   "write the entities' vectors; the ending decides the format: .bin word2vec's "
                   "binary, .npy, "
                   ".tsv and .glove as in acevec convert, .txt, .vec or none word2vec's text")
      .vectors();
  table
      .output_file("output-relations", paths.relations,
                   "the same for the relations; with softmax their inverses follow")
      .vectors();
}

}  // namespace acevec
