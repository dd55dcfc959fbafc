// What is marked: expressions with `#[accelerate]`, loops with `#[parallel]` whose iterations need
// nothing of each other.
#include "tests/generate/expression_writer.h"
#include "tests/generate/join.h"

namespace sinter::generate {

std::string ExpressionWriter::accelerated(const std::string& text) {
  return join({"(#[accelerate(prefer)] (", text, "))"});
}

std::string ExpressionWriter::parallel_loop(const TypeRef& type) {
  if (!may_repeat()) return "";
  if (type->kind == TypeKind::Array) return parallel_writes(type);
  return type->kind == TypeKind::Primitive && is_integer(*type) ? parallel_fold(type) : "";
}

std::string ExpressionWriter::parallel_fold(const TypeRef& type) {
  const std::string state = fresh("s"), number = fresh("at");
  const std::string initial = expression(type);
  const std::size_t before = variables.size();
  variables.push_back({number, primitive("i64")});
  static const std::vector<std::string> infix = {"+", "-", "*", "^", "&", "|"};
  const std::string term = repeated(5, [&] { return expression(type); });
  std::string step;
  if (random.chance(70))
    step = join({state, " ", random.pick(infix), " ", term});
  else
    step = join({type->text, random.chance(50) ? ".max " : ".min ", state, " ", term});
  if (random.chance(30))
    step = join({"if ", repeated(5, [&] { return expression(primitive("bool")); }), " then ", step,
                 " else ", state});
  forget(before);
  return join({"(#[parallel] loop ", state, " = ", initial, " for ", number, " < ",
               suffixed(random.between(0, 5), "i64"), " do ", step, ")"});
}

std::string ExpressionWriter::parallel_writes(const TypeRef& type) {
  const TypeRef& element = type->element;
  const bool is_scalar = element->kind == TypeKind::Primitive;
  const bool is_number = is_scalar && is_integer(*element);
  const bool is_literal = type->size[0] >= '0' && type->size[0] <= '9';
  const std::string size = is_literal ? type->size + "i64" : type->size;
  const std::string state = fresh("s"), number = fresh("at");
  const std::string initial = expression(type);
  const std::size_t before = variables.size();
  variables.push_back({number, primitive("i64")});
  const std::uint64_t times = steps(type->size);
  const auto value = [&] { return repeated(times, [&] { return expression(element); }); };
  std::string step;
  if (is_number && random.chance(30)) { // a histogram
    static const std::vector<std::string> infix = {" + ", " - ", " * ", " ^ "};
    const std::string bin = fresh("b");
    const std::string at = repeated(times, [&] { return expression(primitive("i64")); });
    step = join({"(let ", bin, " = i64.abs (", at, " % 1024i64) % ", size, " in ", state, " with [",
                 bin, "] = ", state, "[", bin, "]", random.pick(infix), value(), ")"});
  } else if (random.chance(30)) { // places of which none comes twice
    step = join({state, " with [(", number, " + ", std::to_string(random.below(5)), ") % ", size,
                 "] = ", value()});
  } else {
    // (What an element is may be read where it is written.)
    if (is_scalar) variables.push_back({join({state, "[", number, "]"}), element});
    step = join({state, " with [", number, "] = ", value()});
    if (random.chance(25))
      step = join({"if ", repeated(times, [&] { return expression(primitive("bool")); }), " then ",
                   step, " else ", state});
  }
  forget(before);
  return join({"(#[parallel] loop (", state, ": *", type->text, ") = copy (", initial, ") for ",
               number, " < ", size, " do ", step, ")"});
}

} // namespace sinter::generate
