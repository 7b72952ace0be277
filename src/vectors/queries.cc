#include "vectors/queries.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "base/error.h"
#include "base/numbers.h"
#include "base/output_file.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/spelling.h"
#include "text/lines.h"

namespace acevec {
namespace {

bool is_sign(std::string_view text) {
  return text == "+" || text == "-";
}

// Takes the expression that begins at words[at], and moves `at` past it.
Expression take_expression(const std::vector<std::string>& words, size_t& at) {
  Expression expression{words[at], {{words[at], 1}}};
  for (++at; at + 1 < words.size() && is_sign(words[at]); at += 2) {
    expression.text += ' ' + words[at] + ' ' + words[at + 1];
    expression.terms.push_back({words[at + 1], words[at] == "-" ? -1 : 1});
  }
  return expression;
}

// Returns whether `text` consists of several of the words, separated or preceded by `marks`.
bool is_several(std::string_view text, std::string_view marks,
                const std::vector<std::string>& words) {
  const auto is_known = [&](std::string_view part) {
    return part.empty() || std::ranges::find(words, part) != words.end();
  };
  return text.find_first_of(marks) != text.npos && text.find_first_not_of(marks) != text.npos &&
         std::ranges::all_of(split(text, marks), is_known);
}

// Returns advice on an unknown word; empty when nothing is similar.
std::string advice_for(const std::string& unknown, const std::vector<std::string>& words) {
  if (is_several(unknown, " \t", words)) {
    return "for several words give several arguments, or a line for each";
  }
  if (is_several(unknown, "+-", words)) {
    return "the signs of a sum stand alone, as in king - man + woman";
  }
  std::string near;
  for (const std::string& candidate : near_spellings(unknown, words, 3)) {
    near += (near.empty() ? "similar spellings: " : ", ") + excerpt(candidate);
  }
  return near;
}

}  // namespace

Expression expression_of_line(const std::string& line,
                              const std::function<bool(std::string_view)>& known) {
  Expression word{line, {{line, 1}}};
  if (known(line)) return word;
  std::vector<std::string> words;
  std::string_view rest = line;
  for (std::string_view field; !(field = take_field(rest)).empty();) words.emplace_back(field);
  if (words.size() < 3) return word;
  size_t at = 0;
  Expression sum = take_expression(words, at);
  return at == words.size() ? sum : word;
}

std::vector<Expression> expressions_of_arguments(
    const std::vector<std::string>& arguments, const std::function<bool(std::string_view)>& known) {
  std::vector<Expression> expressions;
  for (size_t at = 0; at < arguments.size();) {
    Expression next = take_expression(arguments, at);
    expressions.push_back(next.terms.size() > 1 ? std::move(next)
                                                : expression_of_line(next.text, known));
  }
  return expressions;
}

bool look_up(const Expression& expression, const UnitVectors& vectors, float* unit,
             std::vector<std::string>& unknown) {
  const auto columns = static_cast<size_t>(vectors.rows().columns());
  std::vector<float> sum(columns), one(columns);
  const size_t unknown_before = unknown.size();
  for (const Term& term : expression.terms) {
    if (!vectors.look_up(term.word, one.data())) {
      unknown.push_back(term.word);
      continue;
    }
    for (size_t k = 0; k < columns; ++k) sum[k] += static_cast<float>(term.sign) * one[k];
  }
  if (unknown.size() > unknown_before) return false;
  if (expression.terms.size() > 1) scale_to_unit(sum.data(), vectors.rows().columns());
  std::ranges::copy(sum, unit);
  return true;
}

bool for_query_words(const std::vector<std::string>& words,
                     const std::function<void(const std::vector<std::string>&)>& answer) {
  if (!words.empty()) {
    answer(words);
    return true;
  }
  bool any = false;
  LineReader input("-");
  for (std::vector<std::string> lines; input.next_batch(lines); any = true) {
    answer(lines);
    flush_output();
  }
  return any;
}

void report_unknown(std::vector<std::string> unknown, const std::vector<std::string>& words,
                    bool answered, const std::string& kind) {
  constexpr size_t kMostNamed = 8;  // in one line
  std::set<std::string> named_before;
  std::erase_if(unknown, [&](const auto& word) { return !named_before.insert(word).second; });
  const bool all_in_one = !answered && unknown.size() > 1;
  std::vector<std::string> near(all_in_one ? std::min(unknown.size(), kMostNamed) : unknown.size());
  for_each_piece(machine_threads(), std::ssize(near), [&](int, int64_t piece) {
    const auto i = static_cast<size_t>(piece);
    near[i] = advice_for(unknown[i], words);
  });
  std::vector<std::string> named;
  for (size_t i = 0; i < near.size(); ++i) {
    std::string& word = named.emplace_back(format("\"%s\"", excerpt(unknown[i]).c_str()));
    if (!answered && !all_in_one && near[i].empty()) near[i] = "give another word";
    if (!near[i].empty()) word += all_in_one ? " (" : "; ";
    word += near[i];
    if (all_in_one && !near[i].empty()) word += ')';
    if (!all_in_one) print_message(format("acevec: no %s %s", kind.c_str(), word.c_str()));
  }
  if (!all_in_one) return;
  if (named.size() < unknown.size()) named.emplace_back("...");
  print_message("acevec: none of " + counted(std::ssize(unknown), "word") +
                " has a vector: " + joined(named, ", "));
}

}  // namespace acevec
