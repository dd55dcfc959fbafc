// Writes expressions of a wanted type from what is in scope.
#pragma once

#include "tests/generate/mutations.h"
#include "tests/generate/random.h"
#include "tests/generate/type.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::generate {

/// A function that may be called.  With `is_size_polymorphic`, its first parameter is `[n]t`, and
/// `n` in the others' and the result's types is the same size.
struct Function {
  std::string name;
  std::vector<TypeRef> parameters;
  TypeRef result;
  bool is_size_polymorphic = false;
  bool consumes_first = false; ///< the first parameter is unique
  std::uint64_t cost = 1;      ///< estimated steps of a call
  bool hides_size = false;     ///< `result` is declared as `[]t`, whatever its size
};

struct Variable {
  std::string name;
  TypeRef type;
};

/// `type name = …`, other than a sum: another way to write a type.
struct Abbreviation {
  std::string name;
  std::string meaning;
};

class ExpressionWriter {
public:
  ExpressionWriter(Random& random, const Options& options) : random(random), options(options) {}

  /// An expression of this type, in parentheses unless it is an atom.
  std::string expression(const TypeRef& type);
  /// Starts a declaration: a fresh allowance of expressions, nothing but globals in scope.
  void begin_declaration();
  /// The steps that the current declaration takes, for callers.
  std::uint64_t cost() const { return cost_; }

  /// A type that may stand anywhere in the current scope.
  TypeRef random_type(unsigned depth = 2);
  TypeRef random_primitive();
  TypeRef random_value_type(); ///< a primitive type or an array of them, of constant size
  std::string random_size();   ///< a number or a size in scope that is not zero
  /// How a declaration writes the type: now and then by an abbreviation.
  std::string annotation(const TypeRef& type);
  std::string literal(const Type& primitive);
  std::string fresh(std::string_view prefix);
  std::string lambda(std::initializer_list<TypeRef> parameters, const TypeRef& result);
  /// A call, of a size-polymorphic function with arrays of this size.
  std::string call_of(const Function& function, const std::string& size);
  /// A function that hides its result's size, mapped over `count` rows of a length, or over some of
  /// them, or none: an array `[][]t`.
  std::string any_hidden_rows(const Function& function, const std::string& count,
                              const std::string& length);

  /// From the n-th expression on (counted from 0), break this rule once.
  void plan_fault(const Mutation* fault, std::size_t at) {
    fault_ = fault;
    fault_at_ = at;
  }
  std::size_t expressions_written() const { return written_; }

  Random& random;
  const Options& options;
  std::vector<Variable> variables; ///< in scope, innermost last
  std::vector<Function> functions; ///< in scope, local ones last
  std::vector<TypeRef> sums;
  std::vector<Abbreviation> abbreviations;
  std::vector<std::string> sizes; ///< names of sizes in scope, which are not zero

private:
  // A form that does not apply gives "", before it writes any part.
  std::string compound(const TypeRef& type);
  std::string leaf(const TypeRef& type);
  /// A leaf that depends on some variable of another type, or on an index; "" if there is none.
  std::string derived_leaf(const TypeRef& type);
  std::string constructed(const TypeRef& type);
  // Any type.
  std::string conditional(const TypeRef& type);
  std::string binding(const TypeRef& type);
  std::string pattern_binding(const TypeRef& type);
  std::string filter_binding(const TypeRef& type);
  std::string local_function(const TypeRef& type);
  std::string match(const TypeRef& type);
  std::string for_loop(const TypeRef& type);
  std::string while_loop(const TypeRef& type);
  std::string call(const TypeRef& type);
  std::string projection(const TypeRef& type);
  std::string indexing(const TypeRef& type);
  std::string polymorphic_call(const TypeRef& type);
  std::string of_hidden_rows(const TypeRef& type);
  /// Marked, if it can be, with `#[accelerate]`.
  static std::string accelerated(const std::string& text);
  /// A loop with `#[parallel]` to whose result no order of its iterations matters.
  std::string parallel_loop(const TypeRef& type);
  std::string parallel_fold(const TypeRef& type);
  std::string parallel_writes(const TypeRef& type);
  // Primitive types.
  std::string arithmetic(const TypeRef& type);
  std::string truth();
  std::string conversion(const TypeRef& type);
  std::string reduction(const TypeRef& type);
  std::string range_of_index(const TypeRef& type);
  // Records.
  std::string record_update(const TypeRef& type);
  // Arrays.
  std::string array_expression(const TypeRef& type);
  std::string mapped(const TypeRef& type);
  std::string scanned(const TypeRef& type);
  std::string rearranged(const TypeRef& type);
  std::string updated(const TypeRef& type);
  std::string scattered(const TypeRef& type);
  std::string zipped(const TypeRef& type);

  /// The same over all of the rows.
  std::string hidden_rows(const Function& function, const std::string& count,
                          const std::string& length);
  std::string mapped_over(const Function& function, const TypeRef& row, const std::string& rows);
  /// An index into an array of this size, and an expression whose value it guards against nothing.
  std::string index(const Type& array);
  /// An associative operator on a primitive type and its neutral element.
  std::pair<std::string, std::string> monoid(const Type& type);
  /// Runs `body` counting its steps `times` as often.
  template <typename Body>
  std::string repeated(std::uint64_t times, Body body) {
    std::uint64_t before = multiplier_;
    multiplier_ *= times;
    std::string text = body();
    multiplier_ = before;
    return text;
  }
  bool may_repeat() const { return multiplier_ < 600; }
  /// How often a function is applied to the elements of an array of this size.
  std::uint64_t steps(const std::string& size) const {
    return size[0] == 'n' ? std::max<std::uint64_t>(options.length, 5) : 5;
  }
  void forget(std::size_t variable_count) {
    variables.erase(variables.begin() + static_cast<std::ptrdiff_t>(variable_count),
                    variables.end());
  }

  unsigned depth_ = 0;
  unsigned left_ = 0; ///< expressions that the declaration may still have
  std::uint64_t cost_ = 0;
  std::uint64_t multiplier_ = 1;
  std::size_t names_ = 0;
  std::size_t written_ = 0;
  const Mutation* fault_ = nullptr;
  std::size_t fault_at_ = 0;
};

} // namespace sinter::generate
