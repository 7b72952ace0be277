#include "commands/precision_arguments.h"

namespace acevec {

OptionRow& declare_precision(PrecisionArgument& precision, OptionTable& table) {
  return table.choice<PrecisionArgument>(
      "precision", precision,
      {{"auto", std::nullopt},
       {"float", ProductPrecision::kFloat},
       {"bf16", ProductPrecision::kBfloat16}},
      "of products; bf16: rows are rounded to bfloat16, sums are float; auto: bf16 where the "
      "processor has AVX-512 BF16, else float");
}

ProductPrecision resolve_precision(PrecisionArgument& precision, OptionTable& table) {
  if (!precision) {
    precision = has_bfloat16_products() ? ProductPrecision::kBfloat16 : ProductPrecision::kFloat;
    table.row_of(&precision).given = true;
  }
  return *precision;
}

}  // namespace acevec
