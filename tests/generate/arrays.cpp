// Arrays of a wanted size.
#include "tests/generate/expression_writer.h"
#include "tests/generate/join.h"
#include "tests/generate/pairs.h"

namespace sinter::generate {

std::string ExpressionWriter::array_expression(const TypeRef& type) {
  if (may_be_empty(*type)) { // what fits a size from `filter` is made by `map` or `replicate`
    return may_repeat() ? mapped(type) : leaf(type);
  }
  if (has_constant_size(*type) && random.chance(20)) {
    if (type->element->text == "u8" && random.chance(30))
      return "\"" + std::string("hello, world").substr(0, std::stoul(type->size)) + "\"";
    std::string text = "[";
    for (std::size_t i = 0; i < std::stoul(type->size); ++i)
      text += join({i ? ", " : "", expression(type->element)});
    return text + "]";
  }
  switch (random.below(8)) {
  case 0:
    return scanned(type);
  case 1:
  case 2:
    return rearranged(type);
  case 3:
    return updated(type);
  case 4:
    return scattered(type);
  case 5:
    return zipped(type);
  default:
    return may_repeat() ? mapped(type) : leaf(type);
  }
}

std::string ExpressionWriter::mapped(const TypeRef& type) {
  TypeRef element = type->element, from = random_type(1);
  const std::string& size = type->size;
  if (may_be_empty(*type) && random.chance(50)) from = primitive("i64");
  switch (random.below(5)) {
  case 0:
    return join({"(tabulate ", size, " ",
                 repeated(steps(size), [&] { return lambda({primitive("i64")}, element); }), ")"});
  case 1: {
    TypeRef second = random_type(1);
    return join({"(map2 ",
                 repeated(steps(size),
                          [&] {
                            return lambda({from, second}, element);
                          }),
                 " ", expression(array(size, from)), " ", expression(array(size, second)), ")"});
  }
  case 2:
    if (is_integer(*element) || is_float(*element)) {
      // An operator section; its operand stands outside because an argument that is a function must
      // not consume anything when it is made.
      std::string name = fresh("v");
      return join({"(let ", name, " = ", expression(element), " in map (",
                   random.chance(50) ? "+ " : "* ", name, ") ", expression(type), ")"});
    }
    [[fallthrough]];
  default: {
    std::string function = repeated(steps(size), [&] { return lambda({from}, element); });
    std::string source = expression(array(size, from));
    if (random.chance(30)) return join({"(", source, " |> map ", function, ")"});
    return join({"(map ", function, " ", source, ")"});
  }
  }
}

std::string ExpressionWriter::scanned(const TypeRef& type) {
  if (type->element->kind != TypeKind::Primitive) return "";
  auto [operation, neutral] = monoid(*type->element);
  if (random.chance(25)) { // of pairs
    TypeRef other = random.chance(40) ? type->element : random_primitive();
    std::string left = fresh("a"), right = fresh("b");
    Monoid of_second = monoid(*other);
    Monoid pairs =
        pair_monoid(random, type->element, other, {operation, neutral}, of_second, left, right);
    return join({"(unzip (scan ", pairs.first, " ", pairs.second, " (zip ", expression(type), " ",
                 expression(array(type->size, other)), "))).0"});
  }
  if (random.chance(50))
    return join({random.chance(70) ? "(scan " : "(exscan ", operation, " ", neutral, " ",
                 expression(type), ")"});
  std::string from = random_size();
  std::string places = repeated(5, [&] { return expression(array(from, primitive("i64"))); });
  return join({"(hist ", operation, " ", neutral, " ", type->size, " ", places, " ",
               expression(array(from, type->element)), ")"});
}

std::string ExpressionWriter::rearranged(const TypeRef& type) {
  const std::string coercion = ") :> " + type->text + ")";
  switch (random.below(7)) {
  case 0:
    return join({"(rotate ", expression(primitive("i64")), " ", expression(type), ")"});
  case 1:
    return join({"(reverse ", expression(type), ")"});
  case 2:
    if (type->element->kind == TypeKind::Array && !may_be_empty(*type->element))
      return join(
          {"(transpose ",
           expression(array(type->element->size, array(type->size, type->element->element))), ")"});
    return "";
  case 3:
    if (type->element->text == "i64")
      return random.chance(50) ? "(iota " + type->size + ")" : "((0i64..<" + type->size + coercion;
    return "";
  case 4: { // a part of something longer
    if (!has_constant_size(*type)) return "";
    std::size_t size = std::stoul(type->size), before = random.below(3), after = random.below(3);
    std::string longer = expression(array(std::to_string(before + size + after), type->element));
    return join({"(((", longer, ")[", std::to_string(before), ":", std::to_string(before + size),
                 "]", coercion});
  }
  case 5: { // two pieces
    if (!has_constant_size(*type)) return "";
    std::size_t size = std::stoul(type->size), first = random.between(0, size);
    if (first == 0 || first == size) return "";
    TypeRef left = array(std::to_string(first), type->element);
    TypeRef right = array(std::to_string(size - first), type->element);
    if (random.chance(50))
      return join({"((", expression(left), " ++ ", expression(right), coercion});
    return join({"((concat ", expression(left), " ", expression(right), coercion});
  }
  default: {
    if (!has_constant_size(*type)) return "";
    std::size_t size = std::stoul(type->size);
    if (size != 4) return "";
    return join({"((flatten ", expression(array("2", array("2", type->element))), coercion});
  }
  }
}

std::string ExpressionWriter::updated(const TypeRef& type) {
  std::string old = fresh("old");
  std::string value = expression(type);
  std::size_t before = variables.size();
  if (may_repeat() && random.chance(33)) { // a loop that owns its array
    std::string counter = fresh("at");
    variables.push_back({counter, primitive("i64")});
    // An element that is an array itself could be a part of the array that is written.
    if (type->element->kind == TypeKind::Primitive) variables.push_back({old, type});
    std::string body = repeated(3, [&] { return expression(type->element); });
    forget(before);
    return join({"(loop (", old, ": *", type->text, ") = copy ", value, " for ", counter,
                 " < 3i64 do ", old, " with [", counter, " % ", type->size, "] = ", body, ")"});
  }
  std::string at = index(*type);
  std::string start = join({"(let ", old, " = copy ", value});
  std::string element = expression(type->element);
  if (random.chance(50)) return join({start, " in ", old, " with [", at, "] = ", element, ")"});
  // The same name goes on.
  variables.push_back({old, type});
  std::string text =
      join({start, " let ", old, "[", at, "] = ", element, " in ", expression(type), ")"});
  forget(before);
  return text;
}

std::string ExpressionWriter::scattered(const TypeRef& type) {
  std::string size = random_size();
  std::string places = join({"(rotate ", expression(primitive("i64")), " (iota ", size, "))"});
  return join({"(scatter (copy ", expression(type), ") ", places, " ",
               expression(array(size, type->element)), ")"});
}

std::string ExpressionWriter::zipped(const TypeRef& type) {
  TypeRef element = type->element;
  if (element->is_tuple && element->fields.size() == 2)
    return join({"(zip ", expression(array(type->size, element->fields[0].type)), " ",
                 expression(array(type->size, element->fields[1].type)), ")"});
  if (element->is_tuple)
    return join({"(zip3 ", expression(array(type->size, element->fields[0].type)), " ",
                 expression(array(type->size, element->fields[1].type)), " ",
                 expression(array(type->size, element->fields[2].type)), ")"});
  TypeRef other = random_primitive();
  bool first = random.chance(50);
  std::vector<TypeRef> parts = {first ? element : other, first ? other : element};
  return join({"(unzip ", expression(array(type->size, tuple(parts))), first ? ").0" : ").1"});
}

} // namespace sinter::generate
