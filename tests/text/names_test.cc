// Numbers of names, and names as words.

#include "text/names.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace acevec {

TEST_CASE("names are numbered as they come") {
  Names names;
  CHECK(names.add("new york") == 0);
  CHECK(names.add("rome") == 1);
  CHECK(names.add("new york") == 0);
  CHECK(names.size() == 2);
  CHECK(names.all() == std::vector<std::string>{"new york", "rome"});
  CHECK(names.find("rome") == 1);
  CHECK(names.find("oslo") == -1);
}

TEST_CASE("words have no white space") {
  CHECK(as_word("golden retriever") == "golden_retriever");
  CHECK(as_word("a\tb") == "a_b");
  CHECK(as_word("dog.n.01") == "dog.n.01");
}

}  // namespace acevec
