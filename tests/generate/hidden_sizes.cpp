// Functions whose type hides the size of their result, `f [n] (xs: [n]a): []b`, mapped over rows:
// only the rows that come out tell how long they are, and where there is none, nothing does.
#include "tests/generate/expression_writer.h"
#include "tests/generate/join.h"

namespace sinter::generate {

std::string ExpressionWriter::mapped_over(const Function& function, const TypeRef& row,
                                          const std::string& rows) {
  if (random.chance(50)) return join({"(map ", function.name, " ", rows, ")"});
  const std::string name = fresh("row");
  return join(
      {"(map (\\(", name, ": ", row->text, ") -> ", function.name, " ", name, ") ", rows, ")"});
}

std::string ExpressionWriter::hidden_rows(const Function& function, const std::string& count,
                                          const std::string& length) {
  cost_ += multiplier_ * steps(count) * function.cost;
  const TypeRef row = array(length, function.parameters[0]->element);
  return mapped_over(function, row, expression(array(count, row)));
}

std::string ExpressionWriter::any_hidden_rows(const Function& function, const std::string& count,
                                              const std::string& length) {
  cost_ += multiplier_ * steps(count) * function.cost;
  const TypeRef row = array(length, function.parameters[0]->element);
  std::string rows = expression(array(count, row));
  switch (random.below(4)) {
  case 0:
    rows = join({"(take 0 ", rows, ")"});
    break;
  case 1:
    rows = join({"(filter (\\_ -> ", expression(primitive("bool")), ") ", rows, ")"});
    break;
  }
  return mapped_over(function, row, rows);
}

std::string ExpressionWriter::of_hidden_rows(const TypeRef& type) {
  if (!may_repeat()) return "";
  std::vector<Function> choices;
  for (const Function& function : functions)
    if (function.hides_size && multiplier_ * function.cost <= 600 && cost_ <= 50000)
      choices.push_back(function);
  if (choices.empty()) return "";
  const Function function = random.pick(choices);
  const TypeRef& made = function.result->element;
  if (type->kind == TypeKind::Primitive) {
    const bool is_length = type->text == "i64";
    if (!is_length && !same(type, made)) return "";
    const std::string count = random_size(), length = random_size();
    const std::string rows = any_hidden_rows(function, count, length);
    if (is_length && (!same(type, made) || random.chance(50)))
      return join(
          {random.chance(50) ? "(length (transpose " : "(i64.sum (map length ", rows, "))"});
    auto [operation, neutral] = monoid(*made);
    return join({"(reduce ", operation, " ", neutral, " (flatten ", rows, "))"});
  }
  if (type->kind != TypeKind::Array) return "";
  const TypeRef& element = type->element;
  if (same(element, made)) {
    auto [operation, neutral] = monoid(*made);
    return join({"(map (reduce ", operation, " ", neutral, ") ",
                 hidden_rows(function, type->size, random_size()), ")"});
  }
  if (element->text == "i64")
    return join({"(map length ", hidden_rows(function, type->size, random_size()), ")"});
  // Where there is no row, its size is not what the coercion says.
  if (element->kind != TypeKind::Array || !same(element->element, made) || may_be_empty(*type))
    return "";
  const bool is_as_long = function.result->size == "n";
  if (!is_as_long && function.result->size != element->size) return "";
  return join({"(", hidden_rows(function, type->size, is_as_long ? element->size : random_size()),
               " :> ", type->text, ")"});
}

} // namespace sinter::generate
