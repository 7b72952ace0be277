#include "tasks/metric/point_array.h"

#include <limits>
#include <string_view>

#include "base/error.h"
#include "vectors/arrays.h"

namespace acevec {
namespace {

constexpr const char* kAdvice =
    "give an IDX file, or an array of floats or integers saved by rows with numpy.save";

}  // namespace

bool PointArray::begins(LookAhead& input) {
  if (begins_npy(input)) return true;
  const std::string_view start = input.peek(4);
  return start.size() >= 4 && start[0] == 0 && start[1] == 0 && idx_number(start[2]) != nullptr &&
         start[3] != 0;
}

PointArray::PointArray(std::unique_ptr<LookAhead> input)
    : RowReader(input->name(), kAdvice), input_(std::move(input)) {
  take_every_row();
  begins_npy(*input_) ? read_npy_shape() : read_idx_head();
}

// Two zeros, the type, the number of dimensions, and their lengths, big-endian.
void PointArray::read_idx_head() {
  if (!begins(*input_)) fail("it is neither an IDX file nor an .npy file");
  const std::string_view start = input_->peek(4);
  number_ = idx_number(start[2]);
  swapped_ = true;
  const auto dimensions = static_cast<size_t>(static_cast<uint8_t>(start[3]));
  const size_t bytes = 4 + 4 * dimensions;
  const std::string_view head = input_->peek(bytes);
  if (head.size() < bytes) fail("its header is truncated");
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < dimensions; ++i) {
    lengths.push_back(npy_number(">u4")->to_integer(head.data() + 4 + 4 * i, true));
  }
  input_->skip(bytes);
  set_array(lengths);
}

void PointArray::read_npy_shape() {
  NpyHead head;
  try {
    head = read_npy_head(*input_);
  } catch (const Error& error) {
    fail(error.what());
  }
  number_ = npy_number(head.type);
  if (number_ == nullptr) fail("its numbers are of type " + excerpt(head.type));
  swapped_ = head.type[0] == '>';
  if (head.by_columns) fail("it is stored by columns");
  if (!head.shape || head.shape->empty()) fail("its shape is not a list of lengths");
  set_array(*head.shape);
}

void PointArray::set_array(const std::vector<int64_t>& lengths) {
  if (lengths[0] < 1 || lengths[0] > std::numeric_limits<int32_t>::max()) {
    fail(format("its header declares %ld points", static_cast<long>(lengths[0])));
  }
  shape_.assign(lengths.begin() + 1, lengths.end());
  int64_t columns = 1;
  for (const int64_t length : shape_) {
    if (length < 1) fail("its points have no numbers");
    if (length > kMostColumns / columns) {
      fail(format("its points have more than %ld numbers", static_cast<long>(kMostColumns)));
    }
    columns *= length;
  }
  set_shape(lengths[0], columns);
}

// The bytes of the next point; null behind the last one.
const char* PointArray::peek_row() {
  if (count() + labels_ == promised()) {
    if (!input_->at_end()) fail("there are more numbers than its header declares");
    return nullptr;
  }
  const size_t bytes = static_cast<size_t>(columns()) * number_->bytes;
  const std::string_view row = input_->peek(bytes);
  if (row.size() < bytes) {
    fail(format("point %ld of %ld is truncated", static_cast<long>(count() + labels_ + 1),
                static_cast<long>(promised())));
  }
  return row.data();
}

bool PointArray::read_row(std::string& word, float* numbers) {
  const char* const row = peek_row();
  if (row == nullptr) return false;
  word.clear();
  number_->to_floats(row, columns(), swapped_, numbers);
  input_->skip(static_cast<size_t>(columns()) * number_->bytes);
  return true;
}

std::optional<int64_t> PointArray::next_label() {
  if (!shape_.empty()) fail("it is not a list of labels: it has more than one dimension");
  if (number_->to_integer == nullptr) fail("its labels are not integers");
  const char* const row = peek_row();
  if (row == nullptr) return std::nullopt;
  const int64_t label = number_->to_integer(row, swapped_);
  input_->skip(number_->bytes);
  ++labels_;
  return label;
}

}  // namespace acevec
