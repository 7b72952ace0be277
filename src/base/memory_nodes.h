// Machines with several processors have several nodes of memory, each near one of them. Training
// touches rows at random from every thread, so the matrices' pages are spread over the nodes: else
// all would be on the node of the thread that made them, whose memory would have to serve every
// other processor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace acevec {

// The numbers of the nodes that have a processor on which this process may run, rising; a process
// bound to one node has one. Empty where the system does not tell. `folder`: where Linux describes
// them.
std::vector<int> memory_nodes(const std::string& folder = "/sys/devices/system/node");

// Asks the system to take the pages of this memory, none of which has been touched, from these
// nodes in turn. Advice: it does nothing where the system has no such call, or with fewer than two
// nodes.
void spread_pages(void* memory, int64_t bytes, const std::vector<int>& nodes);

}  // namespace acevec
