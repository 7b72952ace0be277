// Analogies against plain arithmetic, and the reading of question files.

#include "vectors/analogies.h"

#include <doctest/doctest.h>

#include <cctype>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

constexpr int64_t kCount = 1100;  // no multiple of the rows that are looked at together

// Words w0, w1, ... of which some come again in capitals.
WordVectors random_vectors() {
  Random random(5);
  WordVectors result{{}, Matrix(kCount, 6)};
  for (int64_t i = 0; i < kCount; ++i) {
    result.words.push_back((i % 10 == 9 ? "W" : "w") + std::to_string(i % 10 == 9 ? i - 7 : i));
    for (int64_t k = 0; k < 6; ++k) result.vectors.row(i)[k] = 2 * random.uniform() - 1;
  }
  return result;
}

std::string lower(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(c));
  return word;
}

struct Plain {
  std::string added;
  std::string multiplied;
};

// The answers by a loop over all words.
Plain answer(const UnitVectors& vectors, const std::vector<std::string>& question) {
  const auto same = [](const std::string& x, const std::string& y) { return lower(x) == lower(y); };
  std::vector<int64_t> ids;
  for (const std::string& word : question) {
    int64_t id = 0;
    while (!same(vectors.words()[static_cast<size_t>(id)], word)) ++id;
    ids.push_back(id);
  }
  Plain best;
  double most_added = -9;
  double most_multiplied = -9;
  for (int64_t d = 0; d < kCount; ++d) {
    const std::string& word = vectors.words()[static_cast<size_t>(d)];
    if (same(word, question[0]) || same(word, question[1]) || same(word, question[2])) continue;
    const auto cosine = [&](size_t i) {
      return dot(vectors.rows().row(d), vectors.rows().row(ids[i]), vectors.rows().columns());
    };
    const double added = cosine(1) + cosine(2) - cosine(0);
    const double multiplied =
        (cosine(1) + 1) / 2 * (cosine(2) + 1) / 2 / ((cosine(0) + 1) / 2 + 0.001);
    if (added > most_added) best.added = word;
    if (multiplied > most_multiplied) best.multiplied = word;
    most_added = std::max(added, most_added);
    most_multiplied = std::max(multiplied, most_multiplied);
  }
  return best;
}

}  // namespace

TEST_CASE("answers to analogies are those of plain arithmetic, for any number of threads") {
  const UnitVectors vectors(random_vectors());
  Random random(7);
  const WordClasses classes(vectors.words());
  // Two sections ask for the right answers by either way, two ask for something else.
  std::vector<AnalogySection> sections{{"added", {}}, {"multiplied", {}}, {"unknown", {}}};
  int64_t differ = 0;
  for (int i = 0; i < 500; ++i) {
    std::vector<std::string> question;
    for (int k = 0; k < 3; ++k) question.push_back(vectors.words()[random.below(kCount)]);
    const Plain best = answer(vectors, question);
    differ += best.added != best.multiplied ? 1 : 0;
    const auto ask = [&](size_t section, const std::string& c, const std::string& answer) {
      sections[section].questions.push_back({question[0], question[1], c, answer});
    };
    ask(0, question[2], best.added);
    ask(1, question[2], best.multiplied);
    ask(2, "none", best.added);
  }
  REQUIRE(differ > 50);
  for (const int threads : {1, 3}) {
    const auto scores = score_analogies(sections, vectors, classes, threads);
    REQUIRE(scores.size() == 3);
    CHECK(scores[0].questions == 500);
    CHECK(scores[0].covered == 500);
    CHECK(scores[0].added == 500);
    CHECK(scores[1].multiplied == 500);
    CHECK(scores[0].multiplied == 500 - differ);
    CHECK(scores[1].added == 500 - differ);
    CHECK(scores[2].questions == 500);
    CHECK(scores[2].covered == 0);
  }
}

TEST_CASE("question files are read as word2vec's, and what is none is refused by its line") {
  const TemporaryFolder folder;
  const auto sections = read_analogies(folder.write(
      "q", ": capital-common\r\na b c d\r\n\n: gram1\ne\tf  g h \ni j k l\n:\nm n o p"));
  REQUIRE(sections.size() == 3);
  CHECK(sections[0].name == "capital-common");
  CHECK(sections[0].questions.size() == 1);
  CHECK(sections[1].questions[0] == AnalogyQuestion{"e", "f", "g", "h"});
  CHECK(sections[1].questions.size() == 2);
  CHECK(sections[2].name.empty());
  CHECK(read_analogies(folder.write("q", "a b c d\n"))[0].name == "questions");
  CHECK_THROWS_WITH_AS(read_analogies(folder.write("q", ": x\na b c d\na b c\n")),
                       doctest::Contains("line 3"), Error);
  CHECK_THROWS_WITH_AS(read_analogies(folder.write("q", "a\tb/c\n")),
                       doctest::Contains("line 1 is neither four words nor"), Error);
  CHECK_THROWS_WITH_AS(read_analogies(folder.write("q", "a b c d e\n")),
                       doctest::Contains("line 1"), Error);
  CHECK_THROWS_WITH_AS(read_analogies(folder.write("q", ": x\n")),
                       doctest::Contains("no questions"), Error);
}

}  // namespace acevec
