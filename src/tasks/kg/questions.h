// Training triples as questions: an entity and a relation, and all the entities that answer them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "tasks/kg/triple.h"

namespace acevec {

// At `side` stand the answers, at the other one `kept`.
struct Question {
  Side side;
  int32_t kept, relation;
  std::span<const int32_t> answers;
};

// The loss of a softmax over all entities is the same for all triples of a question but for the
// true one, so they are learned from together; no more than kMostAnswers at once, so that what has
// thousands of answers is not one step.
class Questions {
 public:
  static constexpr int64_t kMostAnswers = 16;

  // `both`: heads are asked for too.
  Questions(std::span<const Triple> triples, bool both);

  // Puts questions into an order, and their answers, that follows from `random` alone.
  void shuffle(Random& random);

  // How likely each of so many entities is the first answer of a question: their sum is 1.
  std::vector<float> first_answers(int64_t entities) const;

  int64_t count() const { return static_cast<int64_t>(parts_.size()); }
  int64_t answers() const { return static_cast<int64_t>(answers_.size()); }  // of all
  Question at(int64_t i) const;

 private:
  struct Part {
    Side side;
    int32_t kept, relation;
    int64_t begin, end;  // its answers
  };

  void cut();  // parts_, anew

  std::vector<Part> whole_, parts_;  // whole questions; parts of them, shuffled
  std::vector<int32_t> answers_;
};

// Of each triple (h, r, t) also (t, r + relations, h), its reverse.
std::vector<Triple> with_reverses(std::span<const Triple> triples, int32_t relations);

}  // namespace acevec
