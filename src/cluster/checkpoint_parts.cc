#include "cluster/checkpoint_parts.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/same_file.h"

namespace acevec {
namespace {

constexpr const char* kPart = "process";

std::string previous(const std::string& path) {
  return path + ".previous";
}

// The first part of a file; rank −1 if there is no file. Throws Error if it is damaged.
CheckpointPart part_of(const std::string& path) {
  if (!exists(path)) return {.rank = -1, .count = 0, .number = -1};
  CheckpointReader file(path);
  return file.next_is(kPart) ? file.get<CheckpointPart>(kPart) : CheckpointPart{};
}

void rename_file(const std::string& from, const std::string& to) {
  std::error_code failed;
  std::filesystem::rename(from, to, failed);
  if (failed) {
    throw Error(format("cannot rename %s: %s; check the folder's permissions", from.c_str(),
                       failed.message().c_str()));
  }
}

// Performs a step that may fail in one process, and waits for all. If it failed in one, all throw
// Error.
void run_in_all(Peers& peers, const std::function<void()>& step) {
  std::string failure;
  try {
    step();
  } catch (const Error& error) {
    failure = is_first(peers) ? "" : "process " + std::to_string(peers.rank()) + ": ";
    failure += error.what();
  }
  if (peers.allreduce_sum(failure.empty() ? 0 : 1) == 0) return;
  const std::vector<std::string> all = gather_lists(peers, failure);
  throw Error(*std::ranges::find_if_not(all, &std::string::empty));
}

}  // namespace

void write_part(const std::string& path, int64_t number,
                const std::function<void(CheckpointWriter&)>& save, Peers& peers) {
  std::optional<CheckpointWriter> file;
  run_in_all(peers, [&] {
    file.emplace(path, true);
    file->put(kPart, CheckpointPart{peers.rank(), peers.count(), number});
    save(*file);
    file->finish();
  });
  run_in_all(peers, [&] {
    if (exists(path)) rename_file(path, previous(path));
    file->commit();
  });
}

std::string part_suffix(const Peers& peers) {
  return peers.count() == 1 ? "" : format(".%d", peers.rank());
}

std::string part_to_resume(const std::string& path, Peers& peers) {
  std::string last = path + part_suffix(peers);
  const auto require_count = [&](const CheckpointPart& part) {
    if (part.count == peers.count()) return;
    throw Error(format("%s is a checkpoint of %ld processes; resume it under mpirun -n %ld",
                       path.c_str(), static_cast<long>(part.count), static_cast<long>(part.count)));
  };
  if (peers.count() == 1) {
    const CheckpointPart part = part_of(exists(path) ? path : path + ".0");
    if (part.number >= 0) require_count(part);
    return path;
  }
  CheckpointPart now, before;
  run_in_all(peers, [&] {
    now = part_of(last);
    before = part_of(previous(last));
  });
  const std::vector<CheckpointPart> parts = gather(peers, now.number >= 0 ? now : before);
  for (const CheckpointPart& part : parts) {
    if (part.number < 0) {
      throw Error(
          format("there is no checkpoint of %d processes called %s; give the name that "
                 "-checkpoint had",
                 peers.count(), path.c_str()));
    }
    require_count(part);
  }
  const int64_t number = std::ranges::min(parts, {}, &CheckpointPart::number).number;
  if (peers.allreduce_sum(now.number == number || before.number == number ? 0 : 1) > 0) {
    throw Error(format("the files of checkpoint %s were saved at different times; start a new run",
                       path.c_str()));
  }
  run_in_all(peers, [&] {
    if (now.number != number) rename_file(previous(last), last);
  });
  return last;
}

}  // namespace acevec
