#include "vectors/expression.h"

#include "base/numbers.h"

namespace acevec {
namespace {

bool is_sign(std::string_view text) {
  return text == "+" || text == "-";
}

// Of the words from number `at` as many as make an expression; moves `at` behind them.
Expression take_expression(const std::vector<std::string>& words, size_t& at) {
  Expression expression{words[at], {{words[at], 1}}};
  for (++at; at + 1 < words.size() && is_sign(words[at]); at += 2) {
    expression.text += ' ' + words[at] + ' ' + words[at + 1];
    expression.terms.push_back({words[at + 1], words[at] == "-" ? -1 : 1});
  }
  return expression;
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
  if (expression.terms.size() == 1) {
    if (vectors.look_up(expression.terms[0].word, unit)) return true;
    unknown.push_back(expression.terms[0].word);
    return false;
  }
  std::vector<float> sum(columns);
  std::vector<float> one(columns);
  const size_t unknown_before = unknown.size();
  for (const Term& term : expression.terms) {
    if (!vectors.look_up(term.word, one.data())) {
      unknown.push_back(term.word);
      continue;
    }
    for (size_t k = 0; k < columns; ++k) sum[k] += static_cast<float>(term.sign) * one[k];
  }
  if (unknown.size() > unknown_before) return false;
  scale_to_unit(sum.data(), vectors.rows().columns());
  std::copy(sum.begin(), sum.end(), unit);
  return true;
}

}  // namespace acevec
