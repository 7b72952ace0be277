// Files of triples, read a line at a time: columns of names, ids with their count above, or RDF's
// N-Triples.
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
  std::array<std::string, 3> titles;  // on the first line, in place of places; empty for none

  bool by_title() const { return !titles[0].empty(); }
};

// How the lines of a file are laid out.
struct TripleFormat {
  // Between the columns; a blank stands for any number of blanks and tabs. None: a tab. With
  // another one than a tab, names may be in quotes, as in CSV.
  std::optional<char> delimiter;
  // None: the columns that the first line calls head, relation and tail, or else all three, in this
  // order.
  std::optional<TripleColumns> columns;

  bool is_given() const { return delimiter || columns; }
};

// The files that name the ids of `train`, entity2id.txt and relation2id.txt in its folder; none in
// place of one that does not exist.
std::array<std::optional<std::string>, 2> name_lists(const std::string& train);

// Reads head, relation and tail of each line. Where no format is given, the first line tells ids
// and N-Triples from names.
//
// Ids: a line with the number of triples, then lines of head, tail and relation, numbered from 0,
// with blanks between them. Their names are those of name_lists(); without one the numbers are the
// names.
// N-Triples: lines "<head> <relation> <tail> ."; brackets are no part of a name, and lines that
// begin with # are passed over.
// Names: all others. A first line of titles is no triple.
class TripleReader {
 public:
  // "-" is standard input; packed files are unpacked. `train`: the file that lists of names lie
  // beside. Throws Error as LineReader does, on lists that are no lists of names, and when columns
  // have titles that the first line lacks.
  TripleReader(const std::string& path, const TripleFormat& format, const std::string& train);

  // Goes to the next line. False at the end. Throws Error as LineReader does, and at the end of
  // ids when there are not as many as declared.
  bool next();

  // What is wrong with the line, to be said after "line 7" or "which": "has 2 columns; give ...".
  // Empty for a triple.
  const std::string& fault() const { return fault_; }

  // Throws Error: the line cannot be used for its fault.
  [[noreturn]] void refuse() const { lines_.refuse(fault_); }

  // The head, relation and tail of a triple: valid UTF-8 without tabs, and not empty.
  const std::array<std::string, 3>& names() const { return names_; }

  std::string_view line() const { return line_; }
  const std::string& file() const { return lines_.name(); }

  // The line of titles that was left out; empty for none.
  const std::string& titles() const { return titles_; }

  // Whether the first line may still be one of titles that are not known.
  bool may_have_titles() const { return layout_ == Layout::kColumns && titles_.empty(); }

  // In the order of their ids, of ids with lists; otherwise empty.
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
  size_t fewest_ = 3, most_ = 3;           // columns of a line
  Names entities_, relations_;
  int64_t promised_ = 0, read_ = 0;  // lines of ids
  bool waiting_ = false;             // whether line_ is still to be read
  std::string_view line_;
  std::vector<std::string> fields_;
  std::array<std::string, 3> names_;
  std::string titles_, fault_;
};

}  // namespace acevec
