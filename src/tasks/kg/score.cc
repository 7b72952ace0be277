#include "tasks/kg/score.h"

#include "base/error.h"
#include "tasks/kg/scores.h"

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

std::unique_ptr<Score> make_score(ScoreKind kind, int64_t size) {
  switch (kind) {
    case ScoreKind::kTransE:
      return make_transe(size);
    case ScoreKind::kDistMult:
      return make_distmult(size);
    case ScoreKind::kComplEx:
      return make_complex(size);
    case ScoreKind::kRotatE:
      return make_rotate(size);
    case ScoreKind::kTransD:
      return make_transd(size);
  }
  refuse_case("score");
}

}  // namespace acevec
