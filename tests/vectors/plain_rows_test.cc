// Rows without words, as text and as numpy's array.

#include "vectors/plain_rows.h"

#include <doctest/doctest.h>

#include "temporary_folder.h"
#include "text/look_ahead.h"
#include "vectors/npy_head.h"

namespace acevec {
namespace {

// Two parts of 1 and 2 rows, the second with bytes that were made before.
void write_parts(const std::string& path, VectorFormat format) {
  Matrix rows(3, 2);
  for (int64_t i = 0; i < 3; ++i) {
    rows.row(i)[0] = static_cast<float>(i);
    rows.row(i)[1] = 0.5F;
  }
  PlainRows out(path, format);
  out.write(out.bytes_of(rows, 0, 1), 1);
  out.write(out.bytes_of(rows, 1, 3), 2);
  out.commit(2);
}

}  // namespace

TEST_CASE("rows stand in the order in which they came") {
  const TemporaryFolder folder;
  write_parts(folder.path("x"), VectorFormat::kText);
  CHECK(folder.read("x") == "0 0.5\n1 0.5\n2 0.5\n");
  write_parts(folder.path("x"), VectorFormat::kTsv);
  CHECK(folder.read("x") == "0\t0.5\n1\t0.5\n2\t0.5\n");
}

TEST_CASE("an array's head has the number of all rows, of none too") {
  const TemporaryFolder folder;
  write_parts(folder.path("x"), VectorFormat::kNpy);
  LookAhead input(folder.path("x"));
  CHECK(read_npy_head(input).shape == std::vector<int64_t>{3, 2});
  CHECK(input.peek(100).size() == 24);
  PlainRows(folder.path("none"), VectorFormat::kNpy).commit(5);
  LookAhead none(folder.path("none"));
  CHECK(read_npy_head(none).shape == std::vector<int64_t>{0, 5});
  CHECK(none.at_end());
}

}  // namespace acevec
