#include "tasks/kg/score.h"

#include "base/error.h"
#include "tasks/kg/complex.h"
#include "tasks/kg/distmult.h"
#include "tasks/kg/rotate.h"
#include "tasks/kg/transd.h"
#include "tasks/kg/transe.h"

namespace acevec {

float Score::shift(const float* /*entity*/) const {
  return 0;
}

const char* name_of(ScoreKind kind) {
  switch (kind) {
    case ScoreKind::kTransE:
      return "transe";
    case ScoreKind::kDistMult:
      return "distmult";
    case ScoreKind::kComplEx:
      return "complex";
    case ScoreKind::kRotatE:
      return "rotate";
    case ScoreKind::kTransD:
      return "transd";
  }
  refuse_case("score");
}

std::unique_ptr<Score> make_score(ScoreKind kind, int64_t size, Norm norm) {
  switch (kind) {
    case ScoreKind::kTransE:
      return std::make_unique<TransE>(size, norm);
    case ScoreKind::kDistMult:
      return std::make_unique<DistMult>(size);
    case ScoreKind::kComplEx:
      return std::make_unique<ComplEx>(size);
    case ScoreKind::kRotatE:
      return std::make_unique<RotatE>(size, norm);
    case ScoreKind::kTransD:
      return std::make_unique<TransD>(size, norm);
  }
  refuse_case("score");
}

}  // namespace acevec
