#include "tasks/metric/point_array.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "base/error.h"
#include "vectors/half.h"
#include "vectors/npy_head.h"

namespace acevec {
namespace {

static_assert(std::endian::native == std::endian::little);

using NumberKind = NumberLayout::Kind;

constexpr const char* kAdvice =
    "give an IDX file, or an array of floats or integers saved by rows with numpy.save";

// The type byte of an IDX file, 0x08 for MNIST's.
std::optional<NumberLayout> idx_layout(char type) {
  switch (type) {
    case 0x08:
      return NumberLayout{NumberKind::kUnsigned, 1, true};
    case 0x09:
      return NumberLayout{NumberKind::kSigned, 1, true};
    case 0x0B:
      return NumberLayout{NumberKind::kSigned, 2, true};
    case 0x0C:
      return NumberLayout{NumberKind::kSigned, 4, true};
    case 0x0D:
      return NumberLayout{NumberKind::kFloat, 4, true};
    case 0x0E:
      return NumberLayout{NumberKind::kFloat, 8, true};
    default:
      return std::nullopt;
  }
}

// numpy's name of a type, "<f4" or "|u1".
std::optional<NumberLayout> npy_layout(std::string_view type) {
  if (type.size() != 3 || std::string_view("<>|").find(type[0]) == std::string_view::npos) {
    return std::nullopt;
  }
  const int bytes = type[2] - '0';
  const bool known = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  const size_t kind = std::string_view("uif").find(type[1]);
  if (!known || kind == std::string_view::npos) return std::nullopt;
  const NumberLayout layout{static_cast<NumberKind>(kind), bytes, type[0] == '>'};
  if (layout.kind == NumberKind::kFloat && bytes == 1) return std::nullopt;
  return layout;
}

template <class Number>
Number number_at(const char* bytes, bool swapped) {
  std::array<char, sizeof(Number)> copy;
  std::memcpy(copy.data(), bytes, copy.size());
  if (swapped) std::reverse(copy.begin(), copy.end());
  Number number;
  std::memcpy(&number, copy.data(), sizeof number);
  return number;
}

template <class Stored, class Wanted>
void decode_as(const char* bytes, int64_t count, bool swapped, Wanted* numbers) {
  for (int64_t k = 0; k < count; ++k) {
    const auto number = number_at<Stored>(bytes + k * int64_t{sizeof(Stored)}, swapped);
    // int8_t is a number here: NOLINTNEXTLINE(bugprone-signed-char-misuse)
    numbers[k] = static_cast<Wanted>(number);
  }
}

template <class Wanted>
void decode_integers(NumberLayout layout, const char* bytes, int64_t count, Wanted* numbers) {
  const bool is_signed = layout.kind == NumberKind::kSigned;
  const auto decode = [&]<class Signed, class Unsigned>(Signed, Unsigned) {
    is_signed ? decode_as<Signed>(bytes, count, layout.swapped, numbers)
              : decode_as<Unsigned>(bytes, count, layout.swapped, numbers);
  };
  switch (layout.bytes) {
    case 1:
      return decode(int8_t{}, uint8_t{});
    case 2:
      return decode(int16_t{}, uint16_t{});
    case 4:
      return decode(int32_t{}, uint32_t{});
    default:
      return decode(int64_t{}, uint64_t{});
  }
}

void decode_floats(NumberLayout layout, const char* bytes, int64_t count, float* numbers) {
  switch (layout.bytes) {
    case 2:
      for (int64_t k = 0; k < count; ++k) {
        numbers[k] = from_half(number_at<uint16_t>(bytes + 2 * k, layout.swapped));
      }
      return;
    case 4:
      return decode_as<float>(bytes, count, layout.swapped, numbers);
    default:
      // Beyond a float's range they become infinite, which next() refuses.
      for (int64_t k = 0; k < count; ++k) {
        const auto wide = number_at<double>(bytes + 8 * k, layout.swapped);
        constexpr double kMost = double{std::numeric_limits<float>::max()};
        numbers[k] = std::abs(wide) <= kMost ? static_cast<float>(wide)
                                             : std::numeric_limits<float>::infinity();
      }
  }
}

}  // namespace

bool PointArray::begins(LookAhead& input) {
  if (begins_npy(input)) return true;
  const std::string_view start = input.peek(4);
  return start.size() >= 4 && start[0] == 0 && start[1] == 0 && idx_layout(start[2]) &&
         start[3] != 0;
}

PointArray::PointArray(std::unique_ptr<LookAhead> input)
    : RowReader(input->name(), kAdvice), input_(std::move(input)) {
  begins_npy(*input_) ? read_npy_shape() : read_idx_head();
}

// Two zeros, the type, the number of dimensions, and their lengths, big-endian.
void PointArray::read_idx_head() {
  if (!begins(*input_)) fail("it is neither an IDX file nor an .npy file");
  const std::string_view start = input_->peek(4);
  layout_ = *idx_layout(start[2]);
  const auto dimensions = static_cast<size_t>(static_cast<uint8_t>(start[3]));
  const size_t bytes = 4 + 4 * dimensions;
  const std::string_view head = input_->peek(bytes);
  if (head.size() < bytes) fail("its header is truncated");
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < dimensions; ++i) {
    lengths.push_back(number_at<uint32_t>(head.data() + 4 + 4 * i, true));
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
  const auto layout = npy_layout(head.type);
  if (!layout) fail("its numbers are of type " + excerpt(head.type));
  layout_ = *layout;
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
  const auto bytes = static_cast<size_t>(columns() * layout_.bytes);
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
  layout_.kind == NumberKind::kFloat ? decode_floats(layout_, row, columns(), numbers)
                                     : decode_integers(layout_, row, columns(), numbers);
  input_->skip(static_cast<size_t>(columns() * layout_.bytes));
  return true;
}

std::optional<int64_t> PointArray::next_label() {
  if (!shape_.empty()) fail("it is not a list of labels: it has more than one dimension");
  if (layout_.kind == NumberKind::kFloat) fail("its labels are not integers");
  const char* const row = peek_row();
  if (row == nullptr) return std::nullopt;
  int64_t label = 0;
  decode_integers(layout_, row, 1, &label);
  input_->skip(static_cast<size_t>(layout_.bytes));
  ++labels_;
  return label;
}

}  // namespace acevec
