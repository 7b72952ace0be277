// Running text -> sentences, by Unicode's rules (UAX #29) as ICU has them.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

struct UBreakIterator;

namespace acevec {

// One object per thread.
class SentenceSplitter {
 public:
  SentenceSplitter();  // throws Error when ICU lacks its rules

  // Calls on_sentence() for each sentence of a paragraph, without the white space around it;
  // sentences of nothing else are left out. Bytes that are not UTF-8 count as letters. Throws Error
  // for a paragraph of more than 2 GiB.
  void split(std::string_view paragraph, const std::function<void(std::string_view)>& on_sentence);

 private:
  struct Close {
    void operator()(UBreakIterator* iterator) const;
  };

  std::unique_ptr<UBreakIterator, Close> iterator_;
};

}  // namespace acevec
