#include "vectors/array_reader.h"

#include <limits>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"
#include "base/same_file.h"

namespace acevec {
namespace {

// Returns the words file of the vectors at `path`, which users often forget to copy.
std::string words_beside(const std::string& path, VectorFormat format) {
  std::string words = words_path(path, format);
  if (is_special_file(words)) {
    throw Error(
        acevec::format("the words of %s would be %s, which is not a regular file; move it away",
                       path.c_str(), words.c_str()));
  }
  if (exists(words)) return words;
  throw Error(acevec::format(
      "cannot use %s as vectors: there is no %s with its words; write them there, one per line "
      "and in the order of the rows",
      path.c_str(), words.c_str()));
}

std::unique_ptr<RowReader> open_numbers(std::unique_ptr<LookAhead> input, VectorFormat format) {
  if (format == VectorFormat::kTsv) return std::make_unique<NumberTable>(std::move(input), "\t ");
  const char* const advice = "save a 2-D array of float32 with numpy.save";
  const std::string path = input->name();
  auto array = std::make_unique<NumberArray>(std::move(input), advice);
  if (array->shape().size() != 1) {
    throw Error("cannot use " + path + ": it is not 2-D; " + advice);
  }
  return array;
}

// Numbers, and their words from a second file.
class ArrayReader final : public RowReader {
 public:
  ArrayReader(std::unique_ptr<LookAhead> input, VectorFormat format)
      : RowReader(input->name(), "give a word for each row"),
        words_(words_beside(input->name(), format)),
        numbers_(open_numbers(std::move(input), format)) {
    set_shape(numbers_->declared_rows(), numbers_->columns());
  }

 private:
  bool read_row(std::string& word, float* numbers) override {
    const bool more = numbers_->next(word, numbers);
    if (more == words_.at_end()) {
      fail(format("it has %s rows than %s has words", more ? "more" : "fewer",
                  words_.name().c_str()));
    }
    if (!more) return false;
    const auto line = words_.peek_until('\n', kLongestWord);
    if (!line) fail_row("has an unterminated word");
    word = without_return(*line);
    words_.skip(line->size() + 1);
    return true;
  }

  LookAhead words_;
  std::unique_ptr<RowReader> numbers_;
};

}  // namespace

bool NumberArray::begins(LookAhead& input) {
  if (begins_npy(input)) return true;
  const std::string_view start = input.peek(4);
  return start.size() >= 4 && start[0] == 0 && start[1] == 0 && idx_number(start[2]) != nullptr &&
         start[3] != 0;
}

NumberArray::NumberArray(std::unique_ptr<LookAhead> input, const char* advice)
    : RowReader(input->name(), advice), input_(std::move(input)) {
  take_every_row();
  begins_npy(*input_) ? read_npy_shape() : read_idx_head();
}

// Two zeros, the type, the number of dimensions, and their lengths, big-endian.
void NumberArray::read_idx_head() {
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

void NumberArray::read_npy_shape() {
  const NpyHead head = read_npy_rows(*input_);
  number_ = npy_number(head.type);
  if (number_ == nullptr) fail("its numbers are of type " + excerpt(head.type));
  swapped_ = head.type[0] == '>';
  if (!head.shape || head.shape->empty()) fail("its shape is not a list of lengths");
  set_array(*head.shape);
}

void NumberArray::set_array(const std::vector<int64_t>& lengths) {
  if (lengths[0] < 1 || lengths[0] > std::numeric_limits<int32_t>::max()) {
    fail(format("its header declares %ld rows", static_cast<long>(lengths[0])));
  }
  shape_.assign(lengths.begin() + 1, lengths.end());
  int64_t columns = 1;
  for (const int64_t length : shape_) {
    if (length < 1) fail("its rows have no numbers");
    if (length > kMostColumns / columns) {
      fail(format("its rows have more than %ld numbers", static_cast<long>(kMostColumns)));
    }
    columns *= length;
  }
  set_shape(lengths[0], columns);
}

// The bytes of the next row; null after the last one.
const char* NumberArray::peek_row() {
  if (count() + labels_ == declared_rows()) {
    if (!input_->at_end()) fail("there are more numbers than its header declares");
    return nullptr;
  }
  const size_t bytes = static_cast<size_t>(columns()) * number_->bytes;
  const std::string_view row = input_->peek(bytes);
  if (row.size() < bytes) {
    fail(format("row %ld of %ld is truncated", static_cast<long>(count() + labels_ + 1),
                static_cast<long>(declared_rows())));
  }
  return row.data();
}

bool NumberArray::read_row(std::string& word, float* numbers) {
  const char* const row = peek_row();
  if (row == nullptr) return false;
  word.clear();
  number_->to_floats(row, columns(), swapped_, numbers);
  input_->skip(static_cast<size_t>(columns()) * number_->bytes);
  return true;
}

std::optional<int64_t> NumberArray::next_label() {
  if (!shape_.empty()) fail("it is not a list of labels: it has more than one dimension");
  if (number_->to_integer == nullptr) fail("its labels are not integers");
  const char* const row = peek_row();
  if (row == nullptr) return std::nullopt;
  const int64_t label = number_->to_integer(row, swapped_);
  input_->skip(number_->bytes);
  ++labels_;
  return label;
}

NumberTable::NumberTable(std::unique_ptr<LookAhead> input, const char* delimiters)
    : RowReader(input->name(), "give as many numbers in each line"),
      input_(std::move(input)),
      delimiters_(delimiters) {
  take_every_row();
  const auto first = fields();
  if (!first || first == std::vector<std::string_view>{""}) fail("it contains no numbers");
  if (std::ssize(*first) > kMostColumns) fail("its lines are too long");
  set_shape(-1, std::ssize(*first));
  const auto is_number = [](std::string_view field) { return float_of(field).has_value(); };
  if (std::ranges::any_of(*first, is_number)) return;
  input_->skip(line_bytes_);
  if (input_->at_end()) fail("it contains no numbers");
}

// Peeks at the next line's fields; nothing at the end.
std::optional<std::vector<std::string_view>> NumberTable::fields() {
  const auto peeked = input_->peek_until('\n', kLongestFirstLine);
  if (!peeked) fail_row("is longer than 16 MiB");
  line_bytes_ = peeked->size() + 1;
  if (input_->at_end()) return std::nullopt;
  return split(trimmed(without_return(*peeked), " \t"), delimiters_);
}

bool NumberTable::read_row(std::string& /*word*/, float* numbers) {
  const auto row = fields();
  if (!row) return false;
  if (std::ssize(*row) != columns()) fail_row("has another number of columns");
  for (size_t k = 0; k < row->size(); ++k) {
    const auto number = float_of(trimmed((*row)[k], " \""));
    if (!number) fail_row(format("has no number in column %zu", k + 1));
    numbers[k] = *number;
  }
  input_->skip(line_bytes_);
  return true;
}

std::unique_ptr<RowReader> open_array(const std::string& path, VectorFormat format) {
  return std::make_unique<ArrayReader>(std::make_unique<LookAhead>(path), format);
}

}  // namespace acevec
