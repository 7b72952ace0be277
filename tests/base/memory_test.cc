// What the system tells of our memory follows what we take.
// Memory from the system is zero, aligned, and refused when there is not so much.
// Which nodes of memory are near the process's processors, as Linux describes them in files.

#include "base/memory.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

void describe(const std::filesystem::path& folder, const std::string& node,
              const std::vector<std::string>& processors) {
  std::filesystem::create_directories(folder / node);
  for (const std::string& name : processors)
    std::filesystem::create_directory(folder / node / name);
}

}  // namespace

TEST_CASE("taking memory shows, and the peak stays") {
#ifdef ACEVEC_ADDRESS_SANITIZER
  MESSAGE("skipped: the address sanitizer takes and gives back memory of its own");
  return;
#endif
  constexpr int64_t kBytes = 64 << 20;
  const int64_t before = resident_bytes();
  REQUIRE(before > 0);
  {
    const std::vector<char> taken(kBytes, 1);
    CHECK(taken[kBytes / 2] == 1);
    CHECK(resident_bytes() >= before + kBytes * 9 / 10);
  }
  CHECK(peak_resident_bytes() >= before + kBytes * 9 / 10);
  CHECK(peak_resident_bytes() >= resident_bytes());
}

TEST_CASE("what is available is something, and less for a process with a limit") {
  CHECK(available_bytes() > 0);
#ifdef ACEVEC_ADDRESS_SANITIZER
  MESSAGE("skipped: the address sanitizer cannot live with a limit");
  return;
#endif
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  const rlimit none{0, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_AS, &none) == 0);
  rlimit now{};
  getrlimit(RLIMIT_AS, &now);
  if (now.rlim_cur != 0) {
    MESSAGE("skipped: an emulator gives its programs no limit");
    return;
  }
  const int64_t left = available_bytes();
  setrlimit(RLIMIT_AS, &before);
  CHECK(left == 0);
}

TEST_CASE("sizes are powers of 1024") {
  CHECK(bytes_of("1K") == 1024);
  CHECK(bytes_of("500M") == int64_t{500} << 20);
  CHECK(bytes_of("1.5G") == int64_t{3} << 29);
  CHECK(bytes_of("8T") == int64_t{8} << 40);
  for (const char* typed : {"", "4", "G", "-1G", "0G", "4g", "4GB", "nanG", "1e30T", " 4G"}) {
    CAPTURE(typed);
    CHECK_THROWS_WITH_AS(bytes_of(typed), doctest::Contains("give a size"), Error);
  }
}

TEST_CASE("mapped memory is zeros, on a page's start, and writable to its end") {
  constexpr int64_t kBytes = (4 << 20) + 123;
  const std::unique_ptr<char, Unmap> memory(static_cast<char*>(map_zeros(kBytes)), Unmap{kBytes});
  CHECK(reinterpret_cast<uintptr_t>(memory.get()) % 4096 == 0);
  CHECK(memory.get()[0] == 0);
  CHECK(memory.get()[kBytes - 1] == 0);
  memory.get()[kBytes - 1] = 1;
  CHECK(memory.get()[kBytes - 1] == 1);
}

TEST_CASE("pages that nothing was written to are untouched") {
  constexpr int64_t kBytes = 64 << 20;
  const std::unique_ptr<char, Unmap> memory(static_cast<char*>(map_zeros(kBytes)), Unmap{kBytes});
  CHECK(untouched_bytes(memory.get(), kBytes) == kBytes);
  CHECK(std::count(memory.get(), memory.get() + kBytes, 0) == kBytes);  // only reads them
  CHECK(untouched_bytes(memory.get(), kBytes) == kBytes);
  std::fill_n(memory.get(), kBytes / 2, 'x');
  CHECK(untouched_bytes(memory.get(), kBytes) <= kBytes / 2);
  CHECK(untouched_bytes(memory.get(), kBytes) >= kBytes / 4);
  CHECK(untouched_bytes(memory.get(), 0) == 0);
}

TEST_CASE("more memory than can be addressed is refused") {
  CHECK_THROWS_AS(map_zeros(int64_t{1} << 62), std::bad_alloc);
}

TEST_CASE("nodes are those with a processor that the process may use") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path("nodes");
  cpu_set_t set;
  REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
  int own = 0;
  while (!CPU_ISSET(own, &set)) ++own;
  const std::string mine = "cpu" + std::to_string(own);
  describe(path, "node10", {mine});
  describe(path, "node2", {"cpu5000", "cpu6000", mine});
  describe(path, "node1", {"cpu5000", "cpu8000", "cpu20000"});
  describe(path, "node0", {});  // memory without processors
  describe(path, "node3", {"cpu", "cpu-7", "cpulist"});
  describe(path, "node4x", {mine});
  describe(path, "memory", {mine});
  CHECK(memory_nodes(path.string()) == std::vector<int>{2, 10});
}

TEST_CASE("where the system does not tell there are no nodes") {
  CHECK(memory_nodes("/no/such/folder").empty());
}

TEST_CASE("spread pages are zeros that can be written, whatever the nodes") {
  constexpr int64_t kBytes = 8 << 20;
  for (const std::vector<int>& nodes : {std::vector<int>{}, {0}, {0, 0}, {0, 1023}}) {
    const std::unique_ptr<char, Unmap> memory(static_cast<char*>(map_zeros(kBytes)), Unmap{kBytes});
    spread_pages(memory.get(), kBytes, nodes);
    CHECK(std::all_of(memory.get(), memory.get() + kBytes, [](char c) { return c == 0; }));
    std::fill_n(memory.get(), kBytes, 'x');
    CHECK(memory.get()[kBytes - 1] == 'x');
  }
}

}  // namespace acevec
