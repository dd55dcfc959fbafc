#include "operation_cases.h"

#include <set>

namespace sinter::gpu {

std::string LaneType::text() const {
  return lanes == 1 ? element : "<" + std::to_string(lanes) + " x " + element + ">";
}

std::string LaneType::suffix() const {
  const std::string name = is_float() ? "f" + std::to_string(bits()) : element;
  return lanes == 1 ? name : "v" + std::to_string(lanes) + name;
}

unsigned LaneType::bits() const {
  if (element == "half") return 16;
  if (element == "float") return 32;
  if (element == "double") return 64;
  return static_cast<unsigned>(std::stoul(element.substr(1)));
}

namespace {

/// Writes cases over %x, %y and %z of a type, which code calls T.
class Writer {
public:
  explicit Writer(const LaneType& type) : type_(type) {}

  /// `code` defines %r of type `result`.
  void add(const std::string& code, const LaneType& result, const std::string& declaration = "") {
    std::string text = "define void @kernel_" + type_.suffix() + "_" +
                       std::to_string(cases_.size()) +
                       "(ptr addrspace(1) %memory, ptr addrspace(1) %bytes) {\n";
    for (const std::string name : {"x", "y", "z"})
      text += load(name);
    text += "  " + in_type(code) + "\n";
    // A bool is a byte in memory.
    const bool is_bits = result.element == "i1";
    const LaneType stored = is_bits ? LaneType{"i8", result.lanes} : result;
    if (is_bits) text += "  %wide = zext " + result.text() + " %r to " + stored.text() + "\n";
    text += "  store " + stored.text() + (is_bits ? " %wide" : " %r") +
            ", ptr addrspace(1) %memory\n  ret void\n}\n";
    cases_.push_back({in_type(declaration), text});
  }
  void add(const std::string& code) { add(code, type_); }
  /// Of operands of the type.
  void call(const std::string& name, unsigned operands, const std::string& more = "",
            const std::string& more_types = "") {
    std::string types, arguments;
    const char* const names[] = {"%x", "%y", "%z"};
    for (unsigned i = 0; i < operands; ++i) {
      types += (i ? ", " : "") + type_.text();
      arguments += (i ? ", " : "") + type_.text() + " " + names[i];
    }
    const std::string function = "@llvm." + name + "." + type_.suffix();
    add("%r = call T " + function + "(" + arguments + more + ")", type_,
        "declare T " + function + "(" + types + more_types + ")");
  }
  const std::vector<OperationCase>& cases() const { return cases_; }

private:
  std::string load(const std::string& name) const {
    const bool is_bits = type_.element == "i1";
    const std::string type = is_bits ? LaneType{"i8", type_.lanes}.text() : type_.text();
    const std::string loaded = name + (is_bits ? ".byte" : "");
    const std::string place = std::to_string(name[0] - 'x');
    std::string text = "  %p" + name + " = getelementptr " + type +
                       ", ptr addrspace(1) %memory, i64 " + place + "\n  %" + loaded + " = load " +
                       type + ", ptr addrspace(1) %p" + name + "\n";
    if (is_bits)
      text += "  %" + name + " = trunc " + type + " %" + loaded + " to " + type_.text() + "\n";
    return text;
  }
  std::string in_type(std::string code) const {
    for (std::size_t at = code.find('T'); at != std::string::npos; at = code.find('T', at)) {
      code.replace(at, 1, type_.text());
      at += type_.text().size();
    }
    return code;
  }

  LaneType type_;
  std::vector<OperationCase> cases_;
};

void integer_cases(Writer& writer, const LaneType& type) {
  for (const char* operation : {"add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"})
    writer.add("%r = " + std::string(operation) + " T %x, %y");
  const bool is_wide = type.bits() > 64;
  if (!is_wide && type.bits() > 1)
    for (const char* operation : {"udiv", "sdiv", "urem", "srem"})
      writer.add("%r = " + std::string(operation) + " T %x, %y");
  for (const char* predicate : {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"})
    writer.add("%r = icmp " + std::string(predicate) + " T %x, %y", {"i1", type.lanes});
  for (const char* element : {"i1", "i8", "i16", "i32", "i64", "i128"}) {
    const LaneType other{element, type.lanes};
    if (other.bits() > type.bits())
      for (const char* cast : {"zext", "sext"})
        writer.add("%r = " + std::string(cast) + " T %x to " + other.text(), other);
    if (other.bits() < type.bits()) writer.add("%r = trunc T %x to " + other.text(), other);
  }
  if (is_wide) return;
  for (const char* element : {"half", "float", "double"}) {
    const LaneType other{element, type.lanes};
    for (const char* cast : {"sitofp", "uitofp"})
      writer.add("%r = " + std::string(cast) + " T %x to " + other.text(), other);
    if (other.bits() == type.bits()) writer.add("%r = bitcast T %x to " + other.text(), other);
  }
  if (type.bits() == 1) {
    if (type.lanes > 1) { // how masks are asked whether any lane is set
      const LaneType all{"i" + std::to_string(type.lanes), 1};
      writer.add("%a = bitcast T %x to " + all.text() + "\n  %r = icmp ne " + all.text() + " %a, 0",
                 {"i1", 1});
    }
    return;
  }
  for (const char* name :
       {"smin", "smax", "umin", "umax", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"})
    writer.call(name, 2);
  for (const char* name : {"ctlz", "cttz", "abs"})
    writer.call(name, 1, ", i1 false", ", i1");
  writer.call("ctpop", 1);
  writer.call("bitreverse", 1);
  if (type.bits() > 8) writer.call("bswap", 1);
  writer.call("fshl", 3);
  writer.call("fshr", 3);
  const LaneType bits{"i1", type.lanes};
  for (const char* name : {"sadd", "ssub", "smul", "uadd", "usub", "umul"}) {
    const std::string function = "@llvm." + std::string(name) + ".with.overflow." + type.suffix();
    const std::string pair = "{T, " + bits.text() + "}";
    writer.add("%both = call " + pair + " " + function + "(T %x, T %y)\n  %r = extractvalue " +
                   pair + " %both, 0",
               type, "declare " + pair + " " + function + "(T, T)");
    writer.add("%both = call " + pair + " " + function + "(T %x, T %y)\n  %r = extractvalue " +
                   pair + " %both, 1",
               bits, "declare " + pair + " " + function + "(T, T)");
  }
}

void float_cases(Writer& writer, const LaneType& type) {
  for (const char* operation : {"fadd", "fsub", "fmul", "fdiv"}) {
    writer.add("%r = " + std::string(operation) + " T %x, %y");
    writer.add("%r = " + std::string(operation) + " contract T %x, %y");
  }
  writer.add("%p = fmul contract T %x, %y\n  %r = fadd contract T %p, %z");
  writer.add("%r = fneg T %x");
  for (const char* predicate : {"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt",
                                "uge", "ult", "ule", "une", "uno"}) {
    writer.add("%r = fcmp " + std::string(predicate) + " T %x, %y", {"i1", type.lanes});
    const std::string condition = LaneType{"i1", type.lanes}.text();
    writer.add("%c = fcmp " + std::string(predicate) + " T %x, zeroinitializer\n  %r = select " +
               condition + " %c, T %x, T zeroinitializer");
  }
  for (const char* name :
       {"fabs", "sqrt", "rint", "nearbyint", "roundeven", "floor", "ceil", "trunc"})
    writer.call(name, 1);
  writer.call("copysign", 2);
  writer.call("minimum", 2);
  writer.call("maximum", 2);
  writer.call("fma", 3);
  for (const char* element : {"half", "float", "double"}) {
    const LaneType other{element, type.lanes};
    if (other.bits() > type.bits()) writer.add("%r = fpext T %x to " + other.text(), other);
    if (other.bits() < type.bits()) writer.add("%r = fptrunc T %x to " + other.text(), other);
  }
  for (const char* element : {"i8", "i16", "i32", "i64"}) {
    const LaneType other{element, type.lanes};
    for (const char* cast : {"fptosi", "fptoui"})
      writer.add("%r = " + std::string(cast) + " T %x to " + other.text(), other);
    if (other.bits() == type.bits()) writer.add("%r = bitcast T %x to " + other.text(), other);
  }
  writer.add("%r = call " + LaneType{"i1", type.lanes}.text() + " @llvm.is.fpclass." +
                 type.suffix() + "(T %x, i32 3)",
             {"i1", type.lanes},
             "declare " + LaneType{"i1", type.lanes}.text() + " @llvm.is.fpclass." + type.suffix() +
                 "(T, i32)");
}

/// Lanes moved about, and memory that is touched in some lanes.
void vector_cases(Writer& writer, const LaneType& type) {
  const LaneType element{type.element, 1}, bits{"i1", type.lanes};
  const std::string lanes = std::to_string(type.lanes);
  writer.add("%r = extractelement T %x, i32 1", element);
  writer.add("%i = load i32, ptr addrspace(1) %memory\n  %r = extractelement T %x, i32 %i",
             element);
  writer.add("%r = insertelement T %x, " + element.text() + " zeroinitializer, i32 1");
  writer.add("%i = load i32, ptr addrspace(1) %memory\n  %e = extractelement T %y, i32 0\n"
             "  %r = insertelement T %x, " +
             element.text() + " %e, i32 %i");
  std::string reversed, spread;
  for (unsigned i = 0; i < type.lanes; ++i) {
    reversed += (i ? ", i32 " : "i32 ") + std::to_string(type.lanes - 1 - i);
    spread += i ? ", i32 0" : "i32 0";
  }
  for (const std::string& order : {reversed, spread})
    writer.add("%r = shufflevector T %x, T %y, <" + lanes + " x i32> <" + order + ">");
  if (type.element == "i1" || type.bits() > 64) return;
  const std::string mask = "%b = load <" + lanes +
                           " x i8>, ptr addrspace(1) %bytes\n  %m = trunc <" + lanes +
                           " x i8> %b to " + bits.text() + "\n  ";
  const std::string suffix = type.suffix(), pointers = "v" + lanes + "p1";
  const std::string addresses = "<" + lanes + " x ptr addrspace(1)>";
  writer.add(mask + "%r = call T @llvm.masked.load." + suffix +
                 ".p1(ptr addrspace(1) %px, i32 1, " + bits.text() + " %m, T %y)",
             type,
             "declare T @llvm.masked.load." + suffix + ".p1(ptr addrspace(1), i32, " + bits.text() +
                 ", T)");
  writer.add(mask + "call void @llvm.masked.store." + suffix +
                 ".p1(T %x, ptr addrspace(1) %py, i32 1, " + bits.text() +
                 " %m)\n  %r = freeze T %x",
             type,
             "declare void @llvm.masked.store." + suffix + ".p1(T, ptr addrspace(1), i32, " +
                 bits.text() + ")");
  const std::string places =
      "%i = load <" + lanes + " x i64>, ptr addrspace(1) %memory\n  %ps = getelementptr " +
      element.text() + ", ptr addrspace(1) %memory, <" + lanes + " x i64> %i\n  ";
  writer.add(mask + places + "%r = call T @llvm.masked.gather." + suffix + "." + pointers + "(" +
                 addresses + " %ps, i32 1, " + bits.text() + " %m, T %y)",
             type,
             "declare T @llvm.masked.gather." + suffix + "." + pointers + "(" + addresses +
                 ", i32, " + bits.text() + ", T)");
  writer.add(mask + places + "call void @llvm.masked.scatter." + suffix + "." + pointers +
                 "(T %x, " + addresses + " %ps, i32 1, " + bits.text() + " %m)\n  %r = freeze T %x",
             type,
             "declare void @llvm.masked.scatter." + suffix + "." + pointers + "(T, " + addresses +
                 ", i32, " + bits.text() + ")");
  writer.add(mask + "call void @llvm.masked.compressstore." + suffix +
                 "(T %x, ptr addrspacecast (ptr addrspace(1) null to ptr), " + bits.text() +
                 " %m)\n  %r = freeze T %x",
             type,
             "declare void @llvm.masked.compressstore." + suffix + "(T, ptr, " + bits.text() + ")");
  if (type.is_float()) return;
  for (const char* name : {"add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax"}) {
    const std::string function = "@llvm.vector.reduce." + std::string(name) + "." + suffix;
    writer.add("%r = call " + element.text() + " " + function + "(T %x)", element,
               "declare " + element.text() + " " + function + "(T)");
  }
}

void common_cases(Writer& writer, const LaneType& type) {
  writer.add("%b = load i8, ptr addrspace(1) %bytes\n  %c = trunc i8 %b to i1\n"
             "  %r = select i1 %c, T %x, T %y");
  const std::string condition = LaneType{"i1", type.lanes}.text();
  const std::string bytes = LaneType{"i8", type.lanes}.text();
  writer.add("%b = load " + bytes + ", ptr addrspace(1) %bytes\n  %c = trunc " + bytes + " %b to " +
             condition + "\n  %r = select " + condition + " %c, T %x, T %y");
  writer.add("%r = freeze T %x");
  writer.add("%i = load i64, ptr addrspace(1) %memory\n  %slots = alloca [8 x T]\n"
             "  %at = getelementptr T, ptr %slots, i64 %i\n  store T %x, ptr %slots\n"
             "  store T %y, ptr %at\n  %r = load T, ptr %slots");
  if (type.element != "i1") {
    writer.add("store volatile T %x, ptr addrspace(1) %py\n"
               "  %r = load volatile T, ptr addrspace(1) %px");
    writer.add("store T %x, ptr addrspace(1) %py, align 1, !nontemporal !{i32 1}\n"
               "  %r = load T, ptr addrspace(1) %pz, align 1");
  }
}

} // namespace

std::vector<OperationCase> operation_cases(const LaneType& type) {
  Writer writer(type);
  if (type.is_float())
    float_cases(writer, type);
  else
    integer_cases(writer, type);
  common_cases(writer, type);
  if (type.lanes > 1) vector_cases(writer, type);
  return writer.cases();
}

std::string text_of(const std::vector<OperationCase>& cases) {
  std::set<std::string> declarations;
  std::string functions;
  for (const OperationCase& one : cases) {
    declarations.insert(one.declaration);
    functions += one.function;
  }
  std::string text;
  for (const std::string& declaration : declarations)
    text += declaration + "\n";
  return text + functions;
}

} // namespace sinter::gpu
