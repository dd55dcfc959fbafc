// Numbers and truth values: operators whose operands cannot make them fail, and reductions.
#include "tests/generate/expression_writer.h"
#include "tests/generate/join.h"
#include "tests/generate/pairs.h"

#include <utility>

namespace sinter::generate {

std::string ExpressionWriter::arithmetic(const TypeRef& type) {
  const std::string& name = type->text;
  if (type->primitive == PrimitiveKind::Bool) return truth();
  std::string left = expression(type);
  auto binary = [&](const std::string& middle, const std::string& end = "") {
    return join({"(", left, middle, expression(type), end, ")"});
  };
  if (type->primitive == PrimitiveKind::Float) {
    static const std::vector<std::string> functions = {"sqrt", "sin",  "exp",   "abs",
                                                       "log",  "tanh", "floor", "round"};
    switch (random.below(7)) {
    case 0:
      return "(" + name + "." + random.pick(functions) + " " + left + ")";
    case 1:
      return join(
          {"(", name, random.chance(50) ? ".max " : ".min ", left, " ", expression(type), ")"});
    case 2:
      return binary(" / ");
    case 3:
      return "(-" + left + ")";
    default:
      return binary(random.chance(50) ? " * " : random.chance(50) ? " + " : " - ");
    }
  }
  std::string one = suffixed(1, name);
  switch (random.below(10)) {
  case 0: // an odd divisor is not zero
    if (options.run_time_errors && random.chance(30)) return binary(" / ");
    return binary(random.chance(50) ? " / (" : " // (", " | " + one + ")");
  case 1:
    return binary(random.chance(50) ? " % (" : " %% (", " | " + one + ")");
  case 2:
    return binary(random.chance(50) ? " << (" : " >> (", " & " + suffixed(7, name) + ")");
  case 3:
    return binary(" ** (", " & " + suffixed(3, name) + ")");
  case 4: {
    static const std::vector<std::string> operators = {" & ", " | ", " ^ "};
    return binary(random.pick(operators));
  }
  case 5:
    return join(
        {"(", name, random.chance(50) ? ".max " : ".min ", left, " ", expression(type), ")"});
  case 6:
    return random.chance(50) ? "(" + name + ".abs " + left + ")" : "(!" + left + ")";
  default:
    return binary(random.chance(50) ? " + " : random.chance(50) ? " * " : " - ");
  }
}

std::string ExpressionWriter::truth() {
  TypeRef type = primitive("bool");
  switch (random.below(4)) {
  case 0:
    return join(
        {"(", expression(type), random.chance(50) ? " && " : " || ", expression(type), ")"});
  case 1:
    return "(!" + expression(type) + ")";
  default: {
    static const std::vector<std::string> comparisons = {" == ", " != ", " < ",
                                                         " <= ", " > ",  " >= "};
    TypeRef compared = random_primitive();
    bool ordered = compared->primitive != PrimitiveKind::Bool;
    std::string comparison = comparisons[random.below(ordered ? comparisons.size() : 2)];
    return join({"(", expression(compared), comparison, expression(compared), ")"});
  }
  }
}

std::string ExpressionWriter::conversion(const TypeRef& type) {
  TypeRef from = random_primitive();
  if (same(from, type)) return "";
  if (type->primitive == PrimitiveKind::Bool) {
    if (is_float(*from)) return "";
    return "(bool." + from->text + " " + expression(from) + ")";
  }
  return "(" + type->text + "." + from->text + " " + expression(from) + ")";
}

std::pair<std::string, std::string> ExpressionWriter::monoid(const Type& type) {
  const std::string& name = type.text;
  using Choices = std::vector<std::pair<std::string, std::string>>;
  switch (type.primitive) {
  case PrimitiveKind::Bool: {
    static const Choices choices = {{"(&&)", "true"}, {"(||)", "false"}};
    return random.pick(choices);
  }
  case PrimitiveKind::Float: {
    const Choices choices = {{name + ".max", "(-" + name + ".inf)"},
                             {name + ".min", name + ".inf"},
                             {"(+)", "0" + name},
                             {"(*)", "1" + name}};
    return random.pick(choices);
  }
  case PrimitiveKind::Signed:
  case PrimitiveKind::Unsigned: {
    Choices choices = {{"(+)", "0" + name},
                       {"(*)", "1" + name},
                       {"(^)", "0" + name},
                       {name + ".max", name + ".lowest"},
                       {name + ".min", name + ".highest"}};
    return random.pick(choices);
  }
  }
  __builtin_unreachable();
}

std::string ExpressionWriter::reduction(const TypeRef& type) {
  if (random.chance(25)) { // of pairs
    TypeRef other = random.chance(40) ? type : random_primitive();
    std::string left = fresh("a"), right = fresh("b"), size = random_size();
    Monoid of_first = monoid(*type), of_second = monoid(*other);
    Monoid pairs = pair_monoid(random, type, other, of_first, of_second, left, right);
    return join({"(reduce ", pairs.first, " ", pairs.second, " (zip ",
                 expression(array(size, type)), " ", expression(array(size, other)), ")).0"});
  }
  std::vector<std::string> candidates; // arrays from `filter` too: reductions may be empty
  for (const Variable& variable : variables)
    if (variable.type->kind == TypeKind::Array && same(variable.type->element, type))
      candidates.push_back(variable.name);
  std::string source;
  if (!candidates.empty() && random.chance(60)) {
    source = random.pick(candidates);
  } else {
    std::string size = random_size();
    source = expression(array(size, type));
  }
  auto [operation, neutral] = monoid(*type);
  if (type->primitive == PrimitiveKind::Bool && random.chance(30))
    return join({random.chance(50) ? "(all " : "(any ", lambda({type}, type), " ", source, ")"});
  return join({random.chance(50) ? "(reduce " : "(reduce_comm ", operation, " ", neutral, " ",
               source, ")"});
}

std::string ExpressionWriter::record_update(const TypeRef& type) {
  if (type->is_tuple) return "";
  Field field = random.pick(type->fields);
  std::string name = fresh("r");
  return join({"(let ", name, ": ", annotation(type), " = ", expression(type), " in ", name,
               " with ", field.name, " = ", expression(field.type), ")"});
}

} // namespace sinter::generate
