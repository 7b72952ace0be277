// Words as a shell reads them.
#pragma once

#include <string>
#include <string_view>

namespace acevec {

// `word` so that bash and zsh read it back byte by byte: as it is where nothing in it is special,
// else in single quotes; with control characters or invalid UTF-8 as $'...' with octal escapes.
std::string shell_quoted(std::string_view word);

}  // namespace acevec
