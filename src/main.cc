// The entry point of acevec.

#include "program.h"

int main(int argc, char** argv) {
  return acevec::run_program(std::vector<std::string>(argv + 1, argv + argc));
}
