#include "lang/primitives/primitives.h"

#include "lang/primitives/meanings.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace sinter::primitives {
namespace {

constexpr std::size_t operation_count = 0
#define SINTER_OPERATION(...) +1
#include "lang/primitives/primitives.def"
#undef SINTER_OPERATION
    ;

// ---- rows
// ----------------------------------------------------------------------------------------

template <typename T>
constexpr ElementType element_of() {
  constexpr std::array<bool, 12> same = {
      std::is_same_v<T, std::int8_t>,   std::is_same_v<T, std::int16_t>,
      std::is_same_v<T, std::int32_t>,  std::is_same_v<T, std::int64_t>,
      std::is_same_v<T, std::uint8_t>,  std::is_same_v<T, std::uint16_t>,
      std::is_same_v<T, std::uint32_t>, std::is_same_v<T, std::uint64_t>,
      std::is_same_v<T, Half>,          std::is_same_v<T, float>,
      std::is_same_v<T, double>,        std::is_same_v<T, bool>};
  return all_element_types[static_cast<std::size_t>(std::find(same.begin(), same.end(), true) -
                                                    same.begin())];
}

/// Names in `intrinsics` for each class of types; see primitives.def.
struct Patterns {
  std::string_view of_signed, of_unsigned, of_floats, of_bool;

  constexpr std::string_view at(ElementType element) const {
    if (is_signed(element)) return of_signed;
    if (is_unsigned(element)) return of_unsigned;
    return is_float(element) ? of_floats : of_bool;
  }
};

#define SINTER_OPERATION(id, text, price, s, u, f, b, sentence)                                    \
  struct Row##id {                                                                                 \
    using Meaning = meanings::id;                                                                  \
    static constexpr Operation operation = Operation::id;                                          \
    static constexpr std::string_view name = text;                                                 \
    static constexpr std::uint16_t cost = price;                                                   \
    static constexpr Patterns patterns{s, u, f, b};                                                \
    static constexpr std::string_view documentation = sentence;                                    \
  };
#include "lang/primitives/primitives.def"
#undef SINTER_OPERATION

/// `pattern` with its placeholders filled in.
std::string fill(std::string_view pattern, ElementType operand, ElementType result) {
  std::string text;
  for (char c : pattern) {
    if (c == '#')
      text += name(operand).substr(1);
    else if (c == '@')
      text += name(operand);
    else if (c == '$')
      text += name(result);
    else
      text += c;
  }
  return text;
}

/// "sext_i8_i32": how the module `intrinsics` calls the conversion.
std::string conversion_name(ElementType from, ElementType to) {
  const auto verb = [&]() -> std::string_view {
    if (to == ElementType::Bool)
      return is_integer(from) ? "itob" : is_float(from) ? "ftob" : "btob";
    if (from == ElementType::Bool) return is_integer(to) ? "btoi" : "btof";
    if (is_float(from) && is_float(to)) return "fpconv";
    if (is_float(from)) return is_signed(to) ? "fptosi" : "fptoui";
    if (is_float(to)) return is_signed(from) ? "sitofp" : "uitofp";
    return is_signed(from) && is_signed(to) ? "sext" : "zext";
  };
  return std::string(verb()) + "_" + std::string(name(from)) + "_" + std::string(name(to));
}

/// Everything, built once, on first use.
class Table {
public:
  Table() {
    primitives_.reserve(1024);
    intrinsics_.reserve(1280);
#define SINTER_OPERATION(id, ...) add_operation<Row##id>();
#include "lang/primitives/primitives.def"
#undef SINTER_OPERATION
    add_conversions();
    add_aliases();
    add_array_operations();
    for (const Intrinsic& intrinsic : intrinsics_)
      by_name_.emplace(intrinsic.name, &intrinsic);
  }

  const std::vector<Primitive>& primitives() const {
    return primitives_;
  }
  const std::vector<Intrinsic>& intrinsics() const {
    return intrinsics_;
  }
  const Primitive* find(Operation operation, ElementType operand) const {
    return by_operation_[static_cast<std::size_t>(operation)][static_cast<std::size_t>(operand)];
  }
  const Primitive* conversion(ElementType from, ElementType to) const {
    return conversions_[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  }
  const Intrinsic* find_intrinsic(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

private:
  /// Adds the row's operation at every type where it exists.
  template <typename Row>
  void add_operation() {
    add_at<Row, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
           std::uint32_t, std::uint64_t, Half, float, double, bool>();
  }
  template <typename Row, typename... T>
  void add_at() {
    (add_one<Row, T>(), ...);
  }
  template <typename Row, typename T>
  void add_one() {
    if constexpr (!Row::patterns.at(element_of<T>()).empty() &&
                  requires { &Row::Meaning::template apply<T>; })
      add_typed<Row, T>(&Row::Meaning::template apply<T>);
  }

  /// `Primitive::apply` of the row's meaning at `T`; its operands' types follow.
  template <typename Row, typename T, typename A, typename B = A, typename C = A>
  static Scalar call(Scalar a, Scalar b, Scalar c) {
    if constexpr (requires(A x, B y, C z) { Row::Meaning::template apply<T>(x, y, z); })
      return Scalar::of(Row::Meaning::template apply<T>(a.as<A>(), b.as<B>(), c.as<C>()));
    else if constexpr (requires(A x, B y) { Row::Meaning::template apply<T>(x, y); })
      return Scalar::of(Row::Meaning::template apply<T>(a.as<A>(), b.as<B>()));
    else
      return Scalar::of(Row::Meaning::template apply<T>(a.as<A>()));
  }

  template <typename Row, typename T, typename Result, typename... Operands>
  void add_typed(Result (*)(Operands...)) {
    constexpr ElementType operand = element_of<T>();
    constexpr ElementType result = element_of<Result>();
    static_assert(sizeof...(Operands) >= 1 && sizeof...(Operands) <= 3);
    Primitive primitive;
    primitive.operation = Row::operation;
    primitive.operand = operand;
    primitive.result = result;
    primitive.arity = sizeof...(Operands);
    primitive.name = Row::name;
    primitive.documentation = Row::documentation;
    primitive.cost = Row::cost;
    primitive.apply = &call<Row, T, Operands...>;
    if constexpr (requires(T x) { Row::Meaning::is_defined(x, x); }) {
      primitive.is_defined = [](Scalar a, Scalar b) {
        return Row::Meaning::is_defined(a.as<T>(), b.as<T>());
      };
      primitive.failure = Row::Meaning::failure;
      primitive.failure_id = Row::Meaning::failure_id;
    }
    primitives_.push_back(primitive);
    by_operation_[static_cast<std::size_t>(Row::operation)][static_cast<std::size_t>(operand)] =
        &primitives_.back();
    std::string type;
    ((type += std::string(name(element_of<Operands>())) + " -> "), ...);
    type += name(result);
    intrinsics_.push_back({fill(Row::patterns.at(operand), operand, result), std::move(type),
                           &primitives_.back(), Row::documentation});
  }

  void add_conversions() {
    for (ElementType from : all_element_types)
      with_cpp_type(from, [&]<typename From>() {
        for (ElementType to : all_element_types)
          with_cpp_type(to, [&]<typename To>() { add_conversion<From, To>(from, to); });
      });
  }
  template <typename From, typename To>
  void add_conversion(ElementType from, ElementType to) {
    Primitive primitive;
    primitive.operation = Operation::Convert;
    primitive.operand = from;
    primitive.result = to;
    primitive.name = RowConvert::name;
    primitive.documentation = RowConvert::documentation;
    // (What lies outside of the integers' range has a meaning, too, which takes comparisons.)
    constexpr std::uint16_t saturating = 6;
    primitive.cost = is_float(from) && is_integer(to) ? saturating : RowConvert::cost;
    primitive.apply = [](Scalar a, Scalar, Scalar) {
      return Scalar::of(meanings::Convert::convert<To>(a.as<From>()));
    };
    primitives_.push_back(primitive);
    conversions_[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] =
        &primitives_.back();
    intrinsics_.push_back({conversion_name(from, to),
                           std::string(name(from)) + " -> " + std::string(name(to)),
                           &primitives_.back(), RowConvert::documentation});
  }

  /// Second names: conversions between integers of one width, and `&&` and `||` as functions (which
  /// evaluate both operands).
  void add_aliases() {
    for (std::size_t i = 0; i < 4; ++i) {
      const ElementType signed_type = all_element_types[i];
      const ElementType unsigned_type = all_element_types[i + 4];
      const std::string signed_name(name(signed_type));
      const std::string unsigned_name(name(unsigned_type));
      intrinsics_.push_back({"sign_" + signed_name, unsigned_name + " -> " + signed_name,
                             conversion(unsigned_type, signed_type), RowConvert::documentation});
      intrinsics_.push_back({"unsign_" + signed_name, signed_name + " -> " + unsigned_name,
                             conversion(signed_type, unsigned_type), RowConvert::documentation});
    }
    intrinsics_.push_back({"&&", "bool -> bool -> bool", find(Operation::And, ElementType::Bool),
                           RowAnd::documentation});
    intrinsics_.push_back({"||", "bool -> bool -> bool", find(Operation::Or, ElementType::Bool),
                           RowOr::documentation});
  }

  void add_array_operations() {
#define SINTER_ARRAY_OPERATION(id, name, type, documentation)                                      \
  intrinsics_.push_back({name, type, ArrayOperation::id, documentation});
#include "lang/primitives/array_operations.def"
  }

  std::vector<Primitive>
      primitives_; ///< never grows beyond its first reservation: rows are pointed to
  std::vector<Intrinsic> intrinsics_;
  std::array<std::array<const Primitive*, 12>, operation_count> by_operation_{};
  std::array<std::array<const Primitive*, 12>, 12> conversions_{};
  std::unordered_map<std::string_view, const Intrinsic*> by_name_;
};

const Table& table() {
  static const Table table;
  return table;
}

// ---- operators
// -----------------------------------------------------------------------------------

struct OperatorRow {
  OverloadedOperator shown;
  Operation operation;
};

constexpr std::array operators = {
    OperatorRow{{"+", types::Constraint::Number, false, "Sum; integers wrap around."},
                Operation::Add},
    OperatorRow{{"-", types::Constraint::Number, false, "Difference; integers wrap around."},
                Operation::Subtract},
    OperatorRow{{"*", types::Constraint::Number, false, "Product; integers wrap around."},
                Operation::Multiply},
    OperatorRow{{"/", types::Constraint::Number, false,
                 "Quotient; of integers, rounded towards negative infinity."},
                Operation::Divide},
    OperatorRow{{"%", types::Constraint::Number, false,
                 "Remainder; of integers it has the divisor's sign, of floats the dividend's."},
                Operation::Modulo},
    OperatorRow{{"//", types::Constraint::Integer, false, "Integer quotient rounded towards zero."},
                Operation::Quotient},
    OperatorRow{
        {"%%", types::Constraint::Integer, false, "Integer remainder with the dividend's sign."},
        Operation::Remainder},
    OperatorRow{{"**", types::Constraint::Number, false, "Power; integers wrap around."},
                Operation::Power},
    OperatorRow{{"&", types::Constraint::Integer, false, "Bits set in both operands."},
                Operation::And},
    OperatorRow{{"|", types::Constraint::Integer, false, "Bits set in either operand."},
                Operation::Or},
    OperatorRow{{"^", types::Constraint::Integer, false, "Bits set in one operand only."},
                Operation::Xor},
    OperatorRow{{"<<", types::Constraint::Integer, false, "Bits moved up, zeros below."},
                Operation::ShiftLeft},
    OperatorRow{{">>", types::Constraint::Integer, false,
                 "Bits moved down, copies of the sign (zeros for unsigned types) above."},
                Operation::ShiftRight},
    OperatorRow{{"==", types::Constraint::Equality, true, "Whether two values are the same."},
                Operation::Equal},
    OperatorRow{{"!=", types::Constraint::Equality, true, "Whether two values differ."},
                Operation::NotEqual},
    OperatorRow{{"<", types::Constraint::Primitive, true, "Whether the first operand is less."},
                Operation::Less},
    OperatorRow{
        {"<=", types::Constraint::Primitive, true, "Whether the first operand is less or equal."},
        Operation::LessEqual},
    OperatorRow{{">", types::Constraint::Primitive, true, "Whether the first operand is greater."},
                Operation::Greater},
    OperatorRow{{">=", types::Constraint::Primitive, true,
                 "Whether the first operand is greater or equal."},
                Operation::GreaterEqual},
    OperatorRow{{"neg", types::Constraint::Primitive, false,
                 "The number with the other sign; the other truth value."},
                Operation::Negate},
    OperatorRow{{"not", types::Constraint::Primitive, false,
                 "Every bit of an integer inverted; the other truth value."},
                Operation::Complement},
};

constexpr auto shown_operators = [] {
  std::array<OverloadedOperator, operators.size()> result;
  std::transform(operators.begin(), operators.end(), result.begin(),
                 [](const OperatorRow& row) { return row.shown; });
  return result;
}();

} // namespace

std::span<const Primitive> all_primitives() {
  return table().primitives();
}
std::span<const Intrinsic> all_intrinsics() {
  return table().intrinsics();
}
std::span<const OverloadedOperator> all_operators() {
  return shown_operators;
}
const Primitive* find(Operation operation, ElementType operand) {
  return table().find(operation, operand);
}
const Primitive* conversion(ElementType from, ElementType to) {
  return table().conversion(from, to);
}
const Primitive* find_operator(std::string_view symbol, ElementType operand) {
  if (symbol == "neg" && operand == ElementType::Bool) symbol = "not";
  for (const OperatorRow& row : operators)
    if (row.shown.symbol == symbol) {
      const bool exists = row.shown.constraint != types::Constraint::Integer || is_integer(operand);
      return exists ? find(row.operation, operand) : nullptr;
    }
  return nullptr;
}
const Intrinsic* find_intrinsic(std::string_view name) {
  return table().find_intrinsic(name);
}

} // namespace sinter::primitives
