// Which nodes of memory are near the process's processors, as Linux describes them in files.

#include "base/memory_nodes.h"

#include <doctest/doctest.h>
#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "base/pages.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

void describe(const std::filesystem::path& folder, const std::string& node,
              const std::string& processors) {
  std::filesystem::create_directories(folder / node);
  std::ofstream(folder / node / "cpulist") << processors << '\n';
}

}  // namespace

TEST_CASE("nodes are those with a processor that the process may use") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path("nodes");
  cpu_set_t set;
  REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
  int own = 0;
  while (!CPU_ISSET(own, &set)) ++own;
  const std::string mine = std::to_string(own);
  describe(path, "node10", mine + "-" + mine);
  describe(path, "node2", "5000,6000-7000," + mine);
  describe(path, "node1", "5000-5003,8000-20000");
  describe(path, "node0", "");  // memory without processors
  describe(path, "node3", "no number,-7");
  describe(path, "node4x", mine);
  describe(path, "memory", mine);
  std::filesystem::create_directories(path / "node5");  // says nothing
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
