#include "train/checkpoint.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/error.h"

namespace acevec {

void save_arguments(std::string_view command, const std::vector<std::string>& arguments,
                    CheckpointWriter& file) {
  file.put("command", std::string(command));
  file.put("options", static_cast<int64_t>(arguments.size()));
  for (const std::string& text : arguments) file.put("option", text);
}

std::vector<std::string> load_arguments(std::string_view command, CheckpointReader& file) {
  std::string wrote;
  if (file.next_is("process")) file.get("process", wrote);  // already checked by the caller
  file.get("command", wrote);
  if (!wrote.starts_with("acevec")) {  // as in files of 0.2.0
    throw Error(
        format("%s was written by acevec 0.2.0; resume it with that version", file.path().c_str()));
  }
  if (wrote != command) {
    throw Error(format("%s is a checkpoint of %s; resume it with %s -resume", file.path().c_str(),
                       wrote.c_str(), wrote.c_str()));
  }
  std::vector<std::string> arguments;
  const auto count = file.get<int64_t>("options");
  for (int64_t i = 0; i < count; ++i) {
    std::string text;
    file.get("option", text);
    if (!text.starts_with('-')) {
      throw Error(format("%s is damaged: it has an option without a name; use another",
                         file.path().c_str()));
    }
    arguments.push_back(std::move(text));
  }
  return arguments;
}

uint64_t hash_of_bytes(const void* data, size_t bytes, uint64_t hash) {
  return XXH3_64bits_withSeed(data, bytes, hash);
}

void save_identities(const std::vector<Identity>& identities, CheckpointWriter& file) {
  for (const Identity& identity : identities) {
    file.put("identity", identity.hash);
    file.put("identity detail", identity.detail);
  }
}

void check_identities(const std::vector<Identity>& now, CheckpointReader& file) {
  for (const Identity& identity : now) {
    const auto hash = file.get<uint64_t>("identity");
    std::string before;
    file.get("identity detail", before);
    if (hash == identity.hash) continue;
    const std::string details =
        identity.detail.empty() ? "" : " (" + identity.detail + "; before: " + before + ")";
    throw Error(format("%s%s since %s was written; give the original, or start a new run",
                       identity.change.c_str(), details.c_str(), file.path().c_str()));
  }
}

}  // namespace acevec
