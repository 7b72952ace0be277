// Lines of triples as people have them, and what is wrong with others.

#include "tasks/kg/triple_reader.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "base/error.h"
#include "temporary_folder.h"

namespace acevec::triple_reader_test {
namespace {

using Lines = std::vector<std::string>;

// "a|r|b" for a triple, "!" and the fault for another line, "#" and the line of titles first.
Lines read(const std::string& text, const TripleFormat& format = {}) {
  const TemporaryFolder folder;
  const std::string path = folder.write("triples", text);
  TripleReader reader(path, format, path);
  Lines lines;
  if (!reader.titles().empty()) lines.push_back("#" + reader.titles());
  while (reader.next()) {
    const auto& [head, relation, tail] = reader.names();
    lines.push_back(reader.fault().empty() ? head + "|" + relation + "|" + tail
                                           : "!" + reader.fault());
  }
  return lines;
}

TripleFormat with(char delimiter) {
  return {.delimiter = delimiter, .columns = {}};
}

TripleFormat in_columns(size_t head, size_t relation, size_t tail) {
  return {.delimiter = {}, .columns = TripleColumns{{head, relation, tail}, {}}};
}

}  // namespace

TEST_CASE("tabs separate names as they stand, ends of lines of any kind and empty lines aside") {
  CHECK(read("a b\tin\t\"c\"\r\n\r\n d\tin\te\n") == Lines{"a b|in|\"c\"", " d|in|e"});
  CHECK(read("a,in,b\n") == Lines{"!has no tabs; try -delimiter comma"});
  CHECK(read("x,a,in,b\n", in_columns(1, 2, 3)) == Lines{"!has no tabs; try -delimiter comma"});
  CHECK(read("a in\n") == Lines{"!has 1 column; give head, relation and tail with tabs between "
                                "them, or -delimiter or -columns"});
  CHECK(read("a\tin\tb\t\n")[0].starts_with("!has 4 columns"));
  CHECK(read("a\t\tb\n")[0].starts_with("!has an empty name"));
  CHECK(read("a\tin\t\xff\n") == Lines{"!is not UTF-8; convert the file"});
  CHECK(read("") == Lines{});
}

TEST_CASE("other delimiters have quotes, and blanks around names do not count") {
  CHECK(read("oslo, in ,norway\n\"a, \"\"b\"\"\" , in,\"c\"\n", with(',')) ==
        Lines{"oslo|in|norway", "a, \"b\"|in|c"});
  CHECK(read("  a   in\t b \n\"new york\" in usa\n", with(' ')) ==
        Lines{"a|in|b", "new york|in|usa"});
  CHECK(read("a;in;5\" pipe\n", with(';')) == Lines{"a|in|5\" pipe"});
  CHECK(read("a,in,\n", with(','))[0].starts_with("!has an empty name"));
  CHECK(read("a,in,\"\"\n", with(','))[0].starts_with("!has an empty name"));
  CHECK(read("a,\"in,b\n", with(','))[0].starts_with("!has a quote that does not end"));
  CHECK(read("a,\"in\"x,b\n", with(','))[0].starts_with("!has a quote that does not end"));
  CHECK(read("a,\"in\" x,b\n", with(','))[0].starts_with("!has a quote that does not end"));
  CHECK(read("a,in,\"b\tc\"\n", with(','))[0].starts_with("!has a tab in a name"));
  CHECK(read("a,in\n", with(',')) ==
        Lines{"!has 2 columns; give head, relation and tail, or -columns"});
}

TEST_CASE("columns have numbers, and there may be more of them") {
  CHECK(read("7\tin\tx\ta\tb\n", in_columns(3, 1, 4)) == Lines{"a|in|b"});
  CHECK(read("x\tb\ta\n", in_columns(2, 0, 1)) == Lines{"a|x|b"});
  CHECK(read("a\tb\n", in_columns(0, 1, 3)) == Lines{"!has 2 columns; give at least 4"});
}

TEST_CASE("the usual titles are no triple, and tell the order of columns") {
  CHECK(read("head\trelation\ttail\na\tin\tb\n") == Lines{"#head\trelation\ttail", "a|in|b"});
  CHECK(read("source,rel,target\na,in,b\n", with(',')) == Lines{"#source,rel,target", "a|in|b"});
  CHECK(read("Relation,Object,Subject,Weight\nin,b,a,1\nin,b\n", with(',')) ==
        Lines{"#Relation,Object,Subject,Weight", "a|in|b", "!has 2 columns; the titles are 4"});
  CHECK(read("id\thead\trelation\ttail\n1\ta\tin\tb\n", in_columns(3, 2, 1)) ==
        Lines{"#id\thead\trelation\ttail", "b|in|a"});
  CHECK(read("head\tin\ttail\n") == Lines{"head|in|tail"});
  CHECK(read("o,p,s\nb,in,a\n", with(',')) == Lines{"#o,p,s", "a|in|b"});
  CHECK(read("H\tR\tT\na\tin\tb\n") == Lines{"#H\tR\tT", "a|in|b"});
  CHECK(read("s\tr\tt\nh\trel\ttail\n") == Lines{"s|r|t", "h|rel|tail"});
  CHECK(read("h\trel\ttail\n") == Lines{"h|rel|tail"});
  CHECK(read("head\trelation\ttail\tb\n", in_columns(0, 1, 3)) == Lines{"head|relation|b"});
}

TEST_CASE("columns are found by their titles") {
  const TripleFormat format{.delimiter = ',', .columns = TripleColumns{{}, {"von", "art", "nach"}}};
  CHECK(read("nr,art,\"nach\",von\n1,in,b,a\n", format) == Lines{"#nr,art,\"nach\",von", "a|in|b"});
  const TemporaryFolder folder;
  const std::string path = folder.write("triples", "a,in,b\n");
  CHECK_THROWS_WITH_AS(TripleReader(path, format, path),
                       doctest::Contains("line 1 has no column \"von\""), Error);
  CHECK(read("", format) == Lines{});
}

TEST_CASE("ids are head, tail and relation, with blanks between them") {
  CHECK(read("2\n0 1 5\n 00\t2  7 \n") == Lines{"0|5|1", "0|7|2"});
  CHECK(read("1\n0,5,1\n", with(',')) ==
        Lines{"!has 1 column; give head, relation and tail, or -columns", "0|5|1"});
  for (const char* line : {"0 1", "0 1 2 3", "0 x 1", "0 -1 1", "0 99999999999 1", "0 1 "}) {
    CHECK(read("1\n" + std::string(line) + "\n") ==
          Lines{"!is not three numbers; give the ids of head, tail and relation"});
  }
  CHECK_THROWS_WITH_AS(read("2\n0 1 0\n"), doctest::Contains("declares 2 lines, but there are 1"),
                       Error);
}

TEST_CASE("N-Triples lose their brackets and comments") {
  CHECK(read("# made by hand\n<http://a> <http://in> <http://b> .\n_:x <in> \"5 \\\"km\\\"\"@en .\n"
             "# end\n<a>\t<in>\t_:y.\n") ==
        Lines{"http://a|http://in|http://b", "_:x|in|\"5 \\\"km\\\"\"@en", "a|in|_:y"});
  for (const char* line : {"<a> <in> <b>", "<a> <in> .", "<a> in <b> .", "<a> <in> <b> <g> .",
                           "<> <in> <b> .", ". .", "a\tin\tb"}) {
    CAPTURE(line);
    CHECK(read("<a> <in> <b> .\n" + std::string(line) + "\n") ==
          Lines{"a|in|b", "!is not <head> <relation> <tail> . of N-Triples; correct or remove it"});
  }
  CHECK(read("#1\tin\tb\n") == Lines{"#1|in|b"});
  CHECK(read("<a>\tin\t<b>\n") == Lines{"<a>|in|<b>"});
}

}  // namespace acevec::triple_reader_test
