#include "lang/core/print.h"

#include <iostream>
#include <unordered_map>
#include <utility>

namespace sinter::core {

namespace {

std::string_view name_of(primitives::ArrayOperation operation) {
  switch (operation) {
#define SINTER_ARRAY_OPERATION(id, name, ...)                                                      \
  case primitives::ArrayOperation::id:                                                             \
    return name;
#include "lang/primitives/array_operations.def"
  }
  return "";
}

class Printer {
public:
  std::string text;

  void function(const Function& function) {
    text += name(function);
    for (const Pattern* parameter : function.parameters) {
      text += " ";
      pattern(*parameter);
    }
    text += " = ";
    for (const Function::Check& check : function.checks) {
      text += "(check #" + std::to_string(check.parameter);
      size_check(check.check);
      text += ") ";
    }
    if (function.body) expr(*function.body);
    text += "\n";
  }
  void global(const Global& global) {
    text += "@" + name(global) + " = ";
    if (global.body) expr(*global.body);
    text += "\n";
  }
  void expr(const Expr& e) { std::visit(*this, (type_ = e.type, e.node)); }
  void pattern(const Pattern& p) {
    if (const auto* slot = std::get_if<SlotPattern>(&p.node)) {
      text += "%" + std::to_string(slot->slot);
    } else if (std::holds_alternative<WildcardPattern>(p.node)) {
      text += "_";
    } else if (const auto* literal = std::get_if<LiteralPattern>(&p.node)) {
      text += sinter::print(literal->type, literal->value);
    } else if (const auto* record = std::get_if<RecordPattern>(&p.node)) {
      patterns("(", record->fields);
    } else {
      const auto& sum = std::get<SumPattern>(p.node);
      patterns("#" + std::to_string(sum.tag) + "(", sum.payload);
    }
    sizes(p.sizes);
  }
  /// What has been mentioned and not yet printed.
  void rest() {
    while (!functions_.empty() || !globals_.empty()) {
      auto functions = std::exchange(functions_, {});
      for (const Function* one : functions)
        function(*one);
      auto globals = std::exchange(globals_, {});
      for (const Global* one : globals)
        global(*one);
    }
  }
  void mention(const Function& function) {
    if (name(function); !functions_.empty() && functions_.back() == &function)
      functions_.pop_back();
  }

  void operator()(const Constant& constant) {
    text += sinter::print(type_->scalar(), constant.value);
  }
  void operator()(const Bytes& bytes) { text += "\"" + bytes.bytes + "\""; }
  void operator()(const Local& local) {
    text += "%" + std::to_string(local.slot) + (local.is_last_use ? "!" : "");
  }
  void operator()(const Captured& captured) { text += "^" + std::to_string(captured.index); }
  void operator()(const GlobalValue& value) { text += "@" + name(*value.global); }
  void operator()(const FunctionValue& value) { text += name(*value.function); }
  void operator()(const Closure& closure) {
    call("closure " + name(*closure.function), closure.captures);
  }
  void operator()(const Let& let) {
    text += "(let ";
    pattern(*let.pattern);
    text += " = ";
    expr(*let.value);
    text += " in ";
    expr(*let.body);
    text += ")";
  }
  void operator()(const BindSizes& bind) {
    text += "(sizes ";
    expr(*bind.value);
    sizes(bind.bindings);
    text += ")";
  }
  void operator()(const Apply& apply) {
    text += "(";
    expr(*apply.function);
    all(apply.arguments);
    text += ")";
  }
  void operator()(const PrimitiveCall& primitive) {
    call(std::string(sinter::name(primitive.primitive->operand)) + "." +
             std::string(primitive.primitive->name),
         primitive.arguments);
  }
  void operator()(const ArrayCall& array) {
    text += "(array." + std::string(name_of(array.operation));
    all(array.arguments);
    sized(array.result);
    text += ")";
  }
  void operator()(const And& node) { call("&&", {node.left, node.right}); }
  void operator()(const Or& node) { call("||", {node.left, node.right}); }
  void operator()(const If& node) {
    call("if", {node.condition, node.then_branch, node.else_branch});
  }
  void operator()(const Match& match) {
    text += "(match ";
    expr(*match.scrutinee);
    for (const Case& one : match.cases) {
      text += " | ";
      pattern(*one.pattern);
      text += " -> ";
      expr(*one.body);
    }
    text += ")";
  }
  void operator()(const Loop& loop) {
    text += loop.parallel ? "(parallel loop " : "(loop ";
    pattern(*loop.pattern);
    sizes(loop.sizes);
    text += " = ";
    expr(*loop.initial);
    if (const auto* less = std::get_if<ForLess>(&loop.form)) {
      text += " for %" + std::to_string(less->slot) + " < ";
      expr(*less->bound);
    } else if (const auto* in = std::get_if<ForIn>(&loop.form)) {
      text += " for ";
      pattern(*in->pattern);
      text += " in ";
      expr(*in->array);
    } else {
      text += " while ";
      expr(*std::get<While>(loop.form).condition);
    }
    text += " do ";
    expr(*loop.body);
    text += ")";
  }
  void operator()(const Record& record) { call("record", record.fields); }
  void operator()(const Project& project) {
    expr(*project.record);
    text += "." + std::to_string(project.field) + (project.is_last_use ? "!" : "");
  }
  void operator()(const Sum& sum) { call("#" + std::to_string(sum.tag), sum.payload); }
  void operator()(const ArrayLiteral& literal) {
    text += "[";
    for (std::size_t i = 0; i < literal.elements.size(); ++i) {
      if (i > 0) text += " ";
      expr(*literal.elements[i]);
    }
    sized(literal.type);
    text += "]";
  }
  void operator()(const Index& index) {
    expr(*index.array);
    parts(index.parts);
  }
  void operator()(const Update& update) {
    text += "(";
    expr(*update.value);
    text += " with ";
    for (const auto& step : update.path)
      if (const auto* field = std::get_if<FieldStep>(&step))
        text += "." + std::to_string(field->field);
      else
        parts(std::get<IndexStep>(step).parts);
    text += " = ";
    expr(*update.replacement);
    text += ")";
  }
  void operator()(const Range& range) {
    text += "(";
    expr(*range.first);
    if (range.second) {
      text += "..";
      expr(*range.second);
    }
    switch (range.kind) {
    case syntax::RangeEnd::Inclusive:
      text += "...";
      break;
    case syntax::RangeEnd::UpTo:
      text += "..<";
      break;
    case syntax::RangeEnd::DownTo:
      text += "..>";
      break;
    }
    expr(*range.end);
    text += ")";
  }
  void operator()(const Coerce& coerce) {
    text += "(coerce ";
    expr(*coerce.value);
    for (const SizeCheck& check : coerce.checks)
      size_check(check);
    text += ")";
  }
  void operator()(const Assert& node) { call("assert", {node.condition, node.body}); }
  void operator()(const Attributed& node) {
    call(node.attribute == Attribute::Accelerate ? syntax::text(node.mark)
                                                 : std::string(sinter::core::text(node.attribute)),
         {node.body});
  }
  void operator()(const Hole&) { text += "???"; }
  void operator()(const Unsupported& node) { text += "(unsupported \"" + node.reason + "\")"; }

private:
  void call(const std::string& head, const std::vector<const Expr*>& arguments) {
    text += "(" + head;
    all(arguments);
    text += ")";
  }
  void all(const std::vector<const Expr*>& list) {
    for (const Expr* e : list) {
      text += " ";
      expr(*e);
    }
  }
  void patterns(const std::string& head, const std::vector<const Pattern*>& list) {
    text += head;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) text += " ";
      pattern(*list[i]);
    }
    text += ")";
  }
  void path(const SizePath& path) {
    for (std::uint32_t field : path.fields)
      text += "." + std::to_string(field);
    text += "[" + std::to_string(path.dimension) + "]";
  }
  void sizes(const std::vector<SizeBinding>& bindings) {
    for (const SizeBinding& binding : bindings) {
      text += " {%" + std::to_string(binding.slot) + " = ";
      path(binding.path);
      text += "}";
    }
  }
  void size_check(const SizeCheck& check) {
    text += " {";
    path(check.path);
    text += " == ";
    expr(*check.expected);
    text += "}";
  }
  void sized(const SizedType& type) {
    text += " : " + sinter::print(type.representation);
    for (const Expr* extent : type.extents) {
      text += " ";
      if (extent)
        expr(*extent);
      else
        text += "?";
    }
  }
  void parts(const std::vector<IndexPart>& list) {
    text += "[";
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) text += ", ";
      const IndexPart& part = list[i];
      if (part.index) expr(*part.index);
      if (part.begin) expr(*part.begin);
      if (part.is_slice) text += ":";
      if (part.end) expr(*part.end);
      if (part.stride) {
        text += ":";
        expr(*part.stride);
      }
    }
    text += "]";
  }
  std::string numbered(const std::string& name, std::size_t number) {
    return number > 1 ? name + "'" + std::to_string(number) : name;
  }
  std::string name(const Function& function) {
    auto [at, is_new] = function_names_.try_emplace(&function);
    if (is_new) {
      at->second = numbered(function.name, ++counts_[function.name]);
      if (!function.primitive) functions_.push_back(&function);
    }
    return at->second;
  }
  std::string name(const Global& global) {
    auto [at, is_new] = global_names_.try_emplace(&global);
    if (is_new) {
      at->second = numbered(global.name, ++counts_["@" + global.name]);
      globals_.push_back(&global);
    }
    return at->second;
  }

  const Representation* type_ = nullptr; ///< of the expression that is being printed
  std::unordered_map<const Function*, std::string> function_names_;
  std::unordered_map<const Global*, std::string> global_names_;
  std::unordered_map<std::string, std::size_t> counts_;
  std::vector<const Function*> functions_;
  std::vector<const Global*> globals_;
};

} // namespace

std::string print(const Expr& expr) {
  Printer printer;
  printer.expr(expr);
  return printer.text;
}

std::string print(const Pattern& pattern) {
  Printer printer;
  printer.pattern(pattern);
  return printer.text;
}

std::string print(const Function& function) {
  Printer printer;
  printer.mention(function);
  printer.function(function);
  printer.rest();
  return printer.text;
}

std::string print(const Toplevel& toplevel) {
  Printer printer;
  printer.expr(*toplevel.body);
  printer.text += "\n";
  printer.rest();
  return printer.text;
}

void dump(const Expr& expr) {
  std::cerr << print(expr) << '\n';
}
void dump(const Function& function) {
  std::cerr << print(function);
}

} // namespace sinter::core
