// The option that chooses the precision of products, for every command that has it.
#pragma once

#include <optional>

#include "cli/option_table.h"
#include "kernels/bfloat16.h"

namespace acevec {

using PrecisionArgument = std::optional<ProductPrecision>;  // none: the processor decides

OptionRow& declare_precision(PrecisionArgument& precision, OptionTable& table);

// What auto stands for, once and for all, whatever machine the run is resumed on. Processes for
// which it is not the same have other options (require_one_job()).
ProductPrecision resolve_precision(PrecisionArgument& precision, OptionTable& table);

}  // namespace acevec
