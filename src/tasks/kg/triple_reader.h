// Reads lines of triples: columns of names, ids below a line with their count, or N-Triples of RDF.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/lines.h"

namespace acevec {

// The columns of head, relation and tail.
struct TripleColumns {
  std::array<size_t, 3> places{0, 1, 2};
  std::array<std::string, 3> titles;  // header names, in place of places; empty: none

  bool by_title() const { return !titles[0].empty(); }
};

// The layout of a file's lines.
struct TripleFormat {
  // Separates columns; a space stands for any number of spaces and tabs. None: a tab. With a
  // delimiter other than a tab, names may be quoted, as in CSV.
  std::optional<char> delimiter;
  // None: the columns that the header calls head, relation and tail, or else three in this order.
  std::optional<TripleColumns> columns;

  bool is_given() const { return delimiter || columns; }
};

// The files in the folder of `train` that name its ids, entity2id.txt and relation2id.txt, if any.
std::array<std::optional<std::string>, 2> name_lists(const std::string& train);

// Reads head, relation and tail of each line. If no format is given, the first line decides between
// ids, N-Triples and names.
//
// Ids: a line with the number of triples, then lines of head, tail and relation, numbered from 0
// and separated by spaces. Names come from name_lists(); without a list the numbers are the names.
// N-Triples: lines "<head> <relation> <tail> ."; brackets are not part of a name, and lines that
// begin with # are skipped.
// Names: all other files. A header line is not a triple.
class TripleReader {
 public:
  // "-" is standard input; compressed files are decompressed. `train`: the file in whose folder the
  // lists of names are. Throws Error as LineReader does, on malformed lists of names, and if
  // `format` names columns that the first line lacks.
  TripleReader(const std::string& path, const TripleFormat& format, const std::string& train);

  // Advances to the next line; false at the end. Throws Error as LineReader does, and at the end of
  // a file of ids if their number differs from the declared one.
  bool next();

  // LineReader::joins_batch(), for lines that are answered as they come.
  bool joins_batch(size_t lines) { return pending_ || lines_.joins_batch(lines); }

  // The line's fault, to follow "line 7" in a message: "has 2 columns; give ..."; empty: none.
  const std::string& fault() const { return fault_; }

  // Throws an Error that names the line and its fault.
  [[noreturn]] void refuse() const { lines_.refuse(fault_); }

  // The head, relation and tail of a triple: valid UTF-8 without tabs, and not empty.
  const std::array<std::string, 3>& names() const { return names_; }

  std::string_view line() const { return line_; }
  const std::string& file() const { return lines_.name(); }

  // The header line, which was skipped; empty if none.
  const std::string& titles() const { return titles_; }

  // Whether the first line may still be a header with unknown titles.
  bool may_have_titles() const { return layout_ == Layout::kColumns && titles_.empty(); }

  // Names in the order of ids, for files of ids with lists; otherwise empty.
  const Names& entities() const { return entities_; }
  const Names& relations() const { return relations_; }

 private:
  enum class Layout { kColumns, kIds, kNTriples };

  void begin_ids(const std::string& train);
  bool find_titles();
  std::string read_columns();
  std::string wrong_columns() const;
  std::string name_ids();
  std::string read_ntriple();

  LineReader lines_;
  TripleFormat format_;
  Layout layout_ = Layout::kColumns;
  char delimiter_ = '\t';
  std::array<size_t, 3> places_{0, 1, 2};  // of head, relation and tail
  size_t fewest_ = 3, most_ = 3;           // limits for the columns of a line
  Names entities_, relations_;
  int64_t declared_ = 0, read_ = 0;  // lines of ids, declared and read
  bool pending_ = false;             // line_ has not been returned by next() yet
  std::string_view line_;
  std::vector<std::string> fields_;
  std::array<std::string, 3> names_;
  std::string titles_, fault_;
};

}  // namespace acevec
