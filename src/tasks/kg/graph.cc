#include "tasks/kg/graph.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"
#include "base/progress.h"
#include "base/same_file.h"
#include "base/utf8.h"
#include "text/lines.h"

namespace acevec {
namespace {

// 0 .. 2³¹ − 1.
std::optional<int32_t> id_number(std::string_view text) {
  const auto number = number_of<int32_t>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

// Triples with an entity or a relation that no training triple has.
int64_t count_unseen(const Graph& graph, const TripleFile& file) {
  std::vector<bool> entities(static_cast<size_t>(graph.entities.size()));
  std::vector<bool> relations(static_cast<size_t>(graph.relations.size()));
  for (const Triple& triple : graph.train.triples) {
    entities[static_cast<size_t>(triple.head)] = true;
    entities[static_cast<size_t>(triple.tail)] = true;
    relations[static_cast<size_t>(triple.relation)] = true;
  }
  return std::count_if(file.triples.begin(), file.triples.end(), [&](const Triple& triple) {
    return !entities[static_cast<size_t>(triple.head)] ||
           !entities[static_cast<size_t>(triple.tail)] ||
           !relations[static_cast<size_t>(triple.relation)];
  });
}

// Whether the first triple, whose names are in no other one, may be a line of titles.
bool may_be_header(const std::vector<Triple>& triples) {
  constexpr size_t kFewest = 4;  // lines that tell anything
  const Triple& first = triples.front();
  return triples.size() >= kFewest &&
         std::ranges::none_of(triples.begin() + 1, triples.end(), [&](const Triple& triple) {
           return triple.relation == first.relation || triple.head == first.head ||
                  triple.head == first.tail || triple.tail == first.head ||
                  triple.tail == first.tail;
         });
}

// Leaves each triple once, in order.
void drop_repeats(TripleFile& file) {
  std::sort(file.triples.begin(), file.triples.end());
  const auto last = std::unique(file.triples.begin(), file.triples.end());
  file.repeated = file.triples.end() - last;
  file.triples.erase(last, file.triples.end());
}

// Reads one file. Knows what to make of names, and of ids, which are names unless there is a list
// of names.
class Reader {
 public:
  explicit Reader(Graph& graph) : graph_(graph) {}

  TripleFile read(const std::string& path, bool is_train) {
    LineReader lines(path);
    std::optional<std::string_view> line = lines.next();
    const std::optional<int32_t> count = count_of(line);
    if (is_train && count) read_lists(path);
    if (count) line = lines.next();
    TripleFile file;
    for (; line; line = lines.next()) {
      ++file.lines;
      file.triples.push_back(count ? ids(lines, *line) : names(lines, *line));
    }
    if (count) check_count(lines.name(), *count, file.lines);
    if (is_train && !count && !file.triples.empty() && may_be_header(file.triples)) {
      graph_.header = shown(file.triples.front());
    }
    drop_repeats(file);
    return file;
  }

 private:
  std::string shown(const Triple& triple) const {
    return graph_.entities.name(triple.head) + " " + graph_.relations.name(triple.relation) + " " +
           graph_.entities.name(triple.tail);
  }

  void read_lists(const std::string& path) {
    const auto [entities, relations] = name_lists(path);
    graph_.entities = read_names(entities);
    graph_.relations = read_names(relations);
    has_entities_ = graph_.entities.size() > 0;
    has_relations_ = graph_.relations.size() > 0;
  }

  Triple names(const LineReader& lines, std::string_view line) {
    const std::vector<std::string_view> columns =
        names_on(lines, line, 3, "give head, relation and tail with tabs between them");
    return {graph_.entities.add(std::string(columns[0])),
            graph_.relations.add(std::string(columns[1])),
            graph_.entities.add(std::string(columns[2]))};
  }

  Triple ids(const LineReader& lines, std::string_view line) {
    const auto numbers = ids_on(line);
    if (!numbers) lines.refuse("is not three numbers; give the ids of head, tail and relation");
    const auto [head, tail, relation] = *numbers;
    return {listed(lines, graph_.entities, has_entities_, head),
            listed(lines, graph_.relations, has_relations_, relation),
            listed(lines, graph_.entities, has_entities_, tail)};
  }

  static int32_t listed(const LineReader& lines, Names& names, bool has_list, int32_t id) {
    if (!has_list) return names.add(std::to_string(id));
    if (id < names.size()) return id;
    lines.refuse(
        format("has the id %d, and the highest name's is %d; give names for "
               "all in entity2id.txt and relation2id.txt",
               id, names.size() - 1));
  }

  Graph& graph_;
  bool has_entities_ = false, has_relations_ = false;
};

}  // namespace

std::optional<int32_t> count_of(const std::optional<std::string_view>& first) {
  return first ? id_number(*first) : std::nullopt;
}

void check_count(const std::string& file, int64_t promised, int64_t lines) {
  if (lines == promised) return;
  throw Error(format("cannot use %s: its first line declares %s, but there are %s; is it complete?",
                     file.c_str(), counted(promised, "line").c_str(), grouped(lines).c_str()));
}

Names read_names(const std::optional<std::string>& path) {
  Names names;
  if (!path) return names;
  LineReader lines(*path);
  const std::optional<int32_t> count = count_of(lines.next());
  if (!count) lines.refuse("is not the number of names; give one");
  std::vector<std::pair<int32_t, std::string>> by_id;
  while (const std::optional<std::string_view> line = lines.next()) {
    const size_t blank = line->find_last_of(" \t");
    const std::optional<int32_t> id =
        blank == std::string_view::npos ? std::nullopt : id_number(line->substr(blank + 1));
    if (!id || *id >= *count) lines.refuse("is not a name, a tab and an id below the count");
    const std::string_view name = line->substr(0, blank);
    if (name.empty() || !is_utf8(name)) lines.refuse("has no name, or one that is not UTF-8");
    by_id.emplace_back(*id, name);
  }
  check_count(lines.name(), *count, std::ssize(by_id));
  std::sort(by_id.begin(), by_id.end());
  for (const auto& [id, name] : by_id) {
    const int32_t next = names.size();
    if (id != next || names.add(name) != next) {
      throw Error(format("cannot use %s: an id or a name occurs twice; number them from 0",
                         lines.name().c_str()));
    }
  }
  return names;
}

std::optional<std::array<int32_t, 3>> ids_on(std::string_view line) {
  std::vector<std::string_view> columns = split(line, " \t");
  std::erase(columns, std::string_view());
  if (columns.size() != 3 || !std::all_of(columns.begin(), columns.end(), id_number)) return {};
  return std::array{*id_number(columns[0]), *id_number(columns[1]), *id_number(columns[2])};
}

std::array<std::optional<std::string>, 2> name_lists(const std::string& train) {
  const auto beside = [&](const char* name) -> std::optional<std::string> {
    const std::filesystem::path path = std::filesystem::path(train).replace_filename(name);
    return exists(path.string()) ? std::optional(path.string()) : std::nullopt;
  };
  return {beside("entity2id.txt"), beside("relation2id.txt")};
}

Graph read_graph(const std::string& train, const std::string& valid, const std::string& test) {
  Graph graph;
  Reader reader(graph);
  graph.train = reader.read(train, true);
  if (graph.train.triples.empty()) {
    throw Error(
        format("%s holds no triples; give lines of head, relation and tail with tabs "
               "between them",
               train.c_str()));
  }
  if (!valid.empty()) graph.valid = reader.read(valid, false);
  if (!test.empty()) graph.test = reader.read(test, false);
  graph.valid.unseen = count_unseen(graph, graph.valid);
  graph.test.unseen = count_unseen(graph, graph.test);
  return graph;
}

}  // namespace acevec
