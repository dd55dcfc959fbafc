#include "jit/passes/store_products.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/column_inputs.h"
#include "jit/passes/computed_rows.h"
#include "jit/passes/rows_before.h"
#include "jit/passes/statement_writer.h"
#include "jit/passes/tiled_nest.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;
using Statements = std::vector<Statement>;

namespace {

constexpr std::int64_t usual_panel_elements = std::int64_t{1} << 22;
constexpr std::int64_t least_panel_rows = 128; ///< so that columns are packed seldom enough

/// Of what is read by columns: fewer stay in the first-level cache, where the nest is fast as it
/// is.
constexpr std::int64_t least_column_elements = std::int64_t{1} << 14;
/// So few columns, if their number is known, are taken to be few elements too.
constexpr std::int64_t few_columns = 256;
/// Elements that are kept between what comes before a product and that, at most.
constexpr std::int64_t most_kept_elements = std::int64_t{1} << 26;

/// Where a product is: statements of the rows' body and of that one's.
struct Place {
  std::size_t columns = 0, reduction = 0;
};

Soac& columns_at(Soac& rows, Place place) {
  return std::get<Soac>(rows.body.statements[place.columns].operation);
}
const Soac& columns_at(const Soac& rows, Place place) {
  return std::get<Soac>(rows.body.statements[place.columns].operation);
}

/// Some of the rows: from `first` on, `count` of them; all of them if there is no `first`.
struct Panel {
  Operand count;
  std::optional<Operand> first;
};

/// Writes the form with a stored product.
class ProductStorer : StatementWriter {
public:
  /// The statement is `whole`, or what is left of it behind what computes rows `before`.
  ProductStorer(Function& function, const Statement& whole, const RowsBefore* before,
                const Statement& statement, Place place, const VectorRegisters& vectors,
                std::int64_t panel_elements)
      : StatementWriter(function, statement.span), whole_(whole), before_(before),
        statement_(statement), place_(place), vectors_(vectors), panel_elements_(panel_elements),
        rows_(std::get<Soac>(statement.operation)), columns_(columns_at(rows_, place)) {
    const ValueId sum = columns_.body.statements[place.reduction].results[0];
    product_type_ = array_type(columns_.extent, function.type(sum));
  }

  /// The statements that stand for the nest; nothing if what would be stored can't be tiled.
  std::optional<Statements> write() {
    const Panel all{rows_.extent, std::nullopt};
    const std::size_t values = function_.values.size();
    Statement product = this->product(all, rows_.inputs);
    const auto nest = find_tiled_nest(function_, product, vectors_);
    if (!nest || !is_known_before(product, values) || has_few_columns()) {
      function_.values.resize(values); // nothing has been written
      return std::nullopt;
    }
    Statements out;
    const Operand pays = storing_pays(*nest, out);
    Body large = makes_rows() ? at_once(all, std::move(product)) : in_panels();
    if (before_) large.statements.insert(large.statements.begin(), before_->before);
    out.push_back({whole_.results, If{pays, std::move(large), small()}, span_});
    return out;
  }

private:
  /// The nest as it was.
  Body small() {
    std::vector<Replacement> renamed;
    Body body;
    body.statements.push_back(clone(function_, whole_, renamed));
    for (ValueId result : body.statements[0].results)
      body.results.emplace_back(result);
    return body;
  }

  /// Whether the product uses nothing that the rows' body computes: of its copy, whose values are
  /// those from `first_new` on, the product alone is kept.
  bool is_known_before(const Statement& product, std::size_t first_new) const {
    const std::vector<ValueId> used = free_values(function_, product);
    return std::none_of(used.begin(), used.end(),
                        [&](ValueId value) { return value.index >= first_new; });
  }

  bool has_few_columns() const {
    return columns_.extent.is_constant() &&
           columns_.extent.scalar().as<std::int64_t>() <= few_columns;
  }
  Operand storing_pays(const TiledNest& nest, Statements& out) {
    const Operand elements = scalar(Operation::Multiply, columns_.extent, nest.depth(), out);
    const Operand many = scalar(row(Operation::GreaterEqual, ElementType::I64),
                                {elements, Operand::i64(least_column_elements)}, out);
    const Operand blocks = blocks_pay(function_, nest, out);
    const Operand pays = scalar(row(Operation::And, ElementType::Bool), {many, blocks}, out);
    if (!before_) return pays;
    const Operand of_row = kept_elements(function_, *before_, out);
    const Operand of_all = scalar(Operation::Multiply, rows_.extent, of_row, out);
    const Operand fit = scalar(row(Operation::LessEqual, ElementType::I64),
                               {of_all, Operand::i64(most_kept_elements)}, out);
    return scalar(row(Operation::And, ElementType::Bool), {pays, fit}, out);
  }

  /// Whether the body gives arrays as large as a row of the product.
  bool makes_rows() const {
    return std::any_of(
        rows_.body.results.begin(), rows_.body.results.end(), [&](const Operand& result) {
          const std::vector<Operand> extents = function_.type(result).extents;
          return std::find(extents.begin(), extents.end(), columns_.extent) != extents.end();
        });
  }

  // ---- a panel

  /// The rows' SOAC again, over a panel, with fresh values.
  Soac rows_again(const Panel& panel, std::vector<ValueId> inputs) {
    return {panel.count, std::move(inputs), clone(function_, rows_.body), {}};
  }

  /// The rows of a panel of what the product reads by rows.
  std::vector<ValueId> inputs_of(const Panel& panel, Statements& out) {
    std::vector<ValueId> inputs;
    for (ValueId input : rows_.inputs) {
      Type type = function_.type(input);
      std::vector<Slice::Dimension> dimensions(type.rank(), {Operand::i64(0), Operand::i64(1)});
      dimensions[0].begin = *panel.first;
      type.extents[0] = panel.count;
      inputs.push_back(value(std::move(type)));
      out.push_back({{inputs.back()}, Slice{input, std::move(dimensions)}, span_});
    }
    return inputs;
  }

  /// Lets the body of a product's sum use the row's number of all where it has that in the panel.
  void count_from_first(const Panel& panel, ValueId number, Body& body) {
    if (!panel.first) return;
    const std::vector<ValueId> used = free_values(function_, body);
    if (std::find(used.begin(), used.end(), number) == used.end()) return;
    Statements before;
    const Operand of_all = scalar(Operation::Add, *panel.first, number, before);
    replace_uses(function_, body, std::vector<Replacement>{{number, of_all}});
    body.statements.insert(body.statements.begin(), before.begin(), before.end());
  }

  /// Lets the rows' body have a row's number of all where its parameter was that.
  void count_from_first(const Panel& panel, Body& rows) {
    if (!panel.first) return;
    const ValueId of_all = rows.parameters[0];
    rows.parameters[0] = value({ElementType::I64, {}});
    rows.statements.insert(
        rows.statements.begin(),
        {{of_all},
         ir::Primitive{&row(Operation::Add, ElementType::I64), {*panel.first, rows.parameters[0]}},
         span_});
  }

  /// The product alone.
  Statement product(const Panel& panel, std::vector<ValueId> inputs) {
    Soac rows = rows_again(panel, std::move(inputs));
    Soac columns = std::move(columns_at(rows, place_));
    Statement sum = std::move(columns.body.statements[place_.reduction]);
    if (panel.first)
      for_each_body(sum.operation,
                    [&](Body& body) { count_from_first(panel, rows.body.parameters[0], body); });
    walk_by_index(columns, sum);
    columns.body.parameters.resize(1);
    columns.inputs.clear();
    columns.body.results = {sum.results[0]};
    columns.body.statements.clear();
    columns.body.statements.push_back(std::move(sum));
    columns.groups.assign(1, MapGroup{});
    const ValueId row = value(product_type_);
    rows.body.results = {row};
    rows.body.statements.clear();
    rows.body.statements.push_back({{row}, std::move(columns), span_});
    rows.groups.assign(1, MapGroup{});
    return {{value(array_type(panel.count, product_type_))}, std::move(rows), span_};
  }

  /// What is made of the product; its groups are the caller's.
  Soac rest(const Panel& panel, std::vector<ValueId> inputs, ValueId product) {
    Soac rows = rows_again(panel, std::move(inputs));
    Soac& columns = columns_at(rows, place_);
    const auto sum =
        columns.body.statements.begin() + static_cast<std::ptrdiff_t>(place_.reduction);
    columns.body.parameters.push_back(sum->results[0]);
    columns.body.statements.erase(sum);
    columns.inputs.push_back(value(product_type_));
    rows.body.parameters.push_back(columns.inputs.back());
    rows.inputs.push_back(product);
    count_from_first(panel, rows.body);
    return rows;
  }

  // ---- all panels

  Body at_once(const Panel& all, Statement product) {
    Body body;
    Soac rest = this->rest(all, rows_.inputs, product.results[0]);
    body.statements.push_back(std::move(product));
    finish(std::move(rest), body);
    return body;
  }

  /// Adds the rows' groups to what gives their elements, and that to the body as its result.
  void finish(Soac elements, Body& body) {
    std::vector<Replacement> renamed;
    Statement last = clone(function_, statement_, renamed);
    elements.groups = std::move(std::get<Soac>(last.operation).groups);
    body.results.assign(last.results.begin(), last.results.end());
    body.statements.push_back({std::move(last.results), std::move(elements), span_});
  }

  Body in_panels() {
    Body body;
    Statements& out = body.statements;
    const Operand fitting =
        scalar(Operation::Quotient, Operand::i64(panel_elements_), columns_.extent, out);
    const Operand most = scalar(Operation::Maximum, fitting, Operand::i64(least_panel_rows), out);
    const Operand height = scalar(Operation::Minimum, most, rows_.extent, out);
    For loop;
    loop.bound = rounded_up_quotient(rows_.extent, height, out);
    for (const Operand& result : rows_.body.results)
      loop.initial.push_back(zeros(array_type(rows_.extent, function_.type(result)), out));
    loop.body = panel_body(height, loop.initial);
    std::vector<ValueId> elements;
    for (const Operand& initial : loop.initial)
      elements.push_back(value(function_.type(initial)));
    out.push_back({elements, std::move(loop), span_});

    Soac last{rows_.extent, elements, {{value({ElementType::I64, {}})}, {}, {}}, {}};
    for (const Operand& result : rows_.body.results) {
      last.body.parameters.push_back(value(function_.type(result)));
      last.body.results.emplace_back(last.body.parameters.back());
    }
    finish(std::move(last), body);
    return body;
  }

  /// Writes the elements of one panel into the arrays of all.
  Body panel_body(const Operand& height, const std::vector<Operand>& initial) {
    const ValueId number = value({ElementType::I64, {}});
    Body body{{number}, {}, {}};
    Statements& out = body.statements;
    const Operand first = scalar(Operation::Multiply, number, height, out);
    const Operand left = scalar(Operation::Subtract, rows_.extent, first, out);
    const Panel panel{scalar(Operation::Minimum, left, height, out), first};
    const std::vector<ValueId> inputs = inputs_of(panel, out);
    Statement product = this->product(panel, inputs);
    Soac rest = this->rest(panel, inputs, product.results[0]);
    std::vector<ValueId> made;
    for (const Operand& result : rest.body.results)
      made.push_back(value(array_type(panel.count, function_.type(result))));
    rest.groups.assign(made.size(), MapGroup{});
    out.push_back(std::move(product));
    out.push_back({made, std::move(rest), span_});
    for (std::size_t i = 0; i < made.size(); ++i) {
      const Type type = function_.type(initial[i]);
      const ValueId before = value(type), after = value(type);
      body.parameters.push_back(before);
      std::vector<Slice::Dimension> dimensions(type.rank(), {Operand::i64(0), Operand::i64(1)});
      dimensions[0].begin = first;
      out.push_back({{after}, UpdateSlice{before, std::move(dimensions), made[i]}, span_});
      body.results.emplace_back(after);
    }
    return body;
  }

  ValueId zeros(const Type& type, Statements& out) {
    const std::vector<Operand> extents = type.extents;
    return tabulate(std::span(extents), out, [&](const std::vector<ValueId>&, Statements&) {
      return Operand::constant(type.element, Scalar{});
    });
  }

  const Statement& whole_;
  const RowsBefore* before_;
  const Statement& statement_;
  Place place_;
  VectorRegisters vectors_;
  std::int64_t panel_elements_;
  const Soac& rows_;
  const Soac& columns_;
  Type product_type_; ///< of a row
};

/// Whether the SOAC may be cut in two: nothing fails in it, and no row is overwritten.
bool may_be_cut(const Function& function, const Soac& rows) {
  const ir::Operation body = Soac{rows.extent, rows.inputs, rows.body, {}};
  return !may_fail(rows) && consumed_values(function, body).empty() &&
         !has_group<FilterGroup>(rows);
}

/// Whether `find` finds something in the statement, whose columns are read by index as where blocks
/// are made.  Nothing is written.
template <typename Find>
bool finds(const Find& find, Function& function, const Statement& statement,
           const VectorRegisters& vectors) {
  const std::size_t values = function.values.size();
  const std::optional<Statement> by_index = read_columns_by_index(function, statement);
  const bool result = find(function, by_index ? *by_index : statement, vectors).has_value();
  function.values.resize(values);
  return result;
}

/// With the product at that place stored, if it can be tiled.
std::optional<Statements> stored(Function& function, const Statement& statement, Place place,
                                 const VectorRegisters& vectors, std::int64_t panel_elements) {
  const Soac& rows = std::get<Soac>(statement.operation);
  const Statement& sum = columns_at(rows, place).body.statements[place.reduction];
  const std::size_t values = function.values.size();
  if (const auto cut =
          compute_rows_before(function, statement, place.columns, free_values(function, sum))) {
    const bool is_last = place.columns + 1 == rows.body.statements.size();
    // (Where rows are computed first, nothing needs to be stored.)
    if (!is_last || !finds(compute_rows_first, function, statement, vectors)) {
      place.columns = cut->at;
      if (auto written =
              ProductStorer(function, statement, &*cut, cut->rest, place, vectors, panel_elements)
                  .write())
        return written;
    }
    function.values.resize(values); // nothing has been written
    return std::nullopt;
  }
  return ProductStorer(function, statement, nullptr, statement, place, vectors, panel_elements)
      .write();
}

std::optional<Statements> stored(Function& function, const Statement& statement,
                                 const VectorRegisters& vectors, std::int64_t panel_elements) {
  const auto* rows = std::get_if<Soac>(&statement.operation);
  if (!rows || !may_be_cut(function, *rows) || finds(find_tiled_nest, function, statement, vectors))
    return std::nullopt;
  for (Place place; place.columns < rows->body.statements.size(); ++place.columns) {
    const auto* columns = std::get_if<Soac>(&rows->body.statements[place.columns].operation);
    if (!columns) continue;
    const Statements& of_column = columns->body.statements;
    for (place.reduction = 0; place.reduction < of_column.size(); ++place.reduction)
      if (of_column[place.reduction].results.size() == 1)
        if (auto written = stored(function, statement, place, vectors, panel_elements))
          return written;
  }
  return std::nullopt;
}

/// Whether there is a nest in the rows' map that can be tiled, or stored.  Nothing is written.
bool has_product(Function& function, const Statement& rows, const VectorRegisters& vectors,
                 std::int64_t panel_elements) {
  if (finds(find_tiled_nest, function, rows, vectors)) return true;
  const std::size_t values = function.values.size();
  const bool result = stored(function, rows, vectors, panel_elements).has_value();
  function.values.resize(values);
  return result;
}

/// A map of rows in which something fails or is overwritten, cut before the first such statement or
/// behind the last one, where there is a product on the other side: by a branch at run time, if
/// what is kept is not too much.  (What fails does so behind what does not, as it may.)
std::optional<Statements> cut_beside_failures(Function& function, const Statement& statement,
                                              const VectorRegisters& vectors,
                                              std::int64_t panel_elements) {
  const auto* const rows = std::get_if<Soac>(&statement.operation);
  if (!rows || !has_only<MapGroup>(*rows) || may_be_cut(function, *rows)) return std::nullopt;
  const Statements& body = rows->body.statements;
  const auto is_fixed = [&](const Statement& each) {
    return may_fail(each.operation) || !consumed_values(function, each.operation).empty();
  };
  const auto first = std::ranges::find_if(body, is_fixed) - body.begin();
  const auto last = std::find_if(body.rbegin(), body.rend(), is_fixed).base() - body.begin();
  for (const bool is_before : {true, false}) {
    const auto at = static_cast<std::size_t>(is_before ? first : last);
    if (at == 0 || at == body.size()) continue;
    std::vector<ValueId> made;
    for (const Statement& each : std::span(body).first(at))
      made.insert(made.end(), each.results.begin(), each.results.end());
    const std::size_t values = function.values.size();
    const std::optional<RowsBefore> cut = compute_rows_before(function, statement, at, made);
    if (!cut ||
        !has_product(function, is_before ? cut->before : cut->rest, vectors, panel_elements)) {
      function.values.resize(values);
      continue;
    }
    Statements out;
    StatementWriter writer(function, statement.span);
    const Operand of_row = kept_elements(function, *cut, out);
    const Operand of_all = writer.scalar(Operation::Multiply, rows->extent, of_row, out);
    const Operand fit = writer.scalar(row(Operation::LessEqual, ElementType::I64),
                                      {of_all, Operand::i64(most_kept_elements)}, out);
    std::vector<Replacement> renamed;
    Body whole, in_two{{}, {cut->before, cut->rest}, {}};
    whole.statements.push_back(clone(function, statement, renamed));
    for (const ValueId result : whole.statements[0].results)
      whole.results.emplace_back(result);
    for (ValueId& result : in_two.statements[1].results) {
      result = writer.value(function.type(result));
      in_two.results.emplace_back(result);
    }
    out.push_back(
        {statement.results, If{fit, std::move(in_two), std::move(whole)}, statement.span});
    return out;
  }
  return std::nullopt;
}

/// Nests of the host level: of the function, its branches and loops.
void store_products(Function& function, Body& body, const VectorRegisters& vectors,
                    std::int64_t panel_elements) {
  Statements before = std::move(body.statements);
  body.statements.clear();
  for (Statement& statement : before) {
    auto written = stored(function, statement, vectors, panel_elements);
    if (!written) written = cut_beside_failures(function, statement, vectors, panel_elements);
    if (written) {
      // What is made of the product may have another one.
      auto& large = std::get<If>(written->back().operation).then_body;
      store_products(function, large, vectors, panel_elements);
      std::move(written->begin(), written->end(), std::back_inserter(body.statements));
      continue;
    }
    if (!std::holds_alternative<Soac>(statement.operation))
      for_each_body(statement.operation,
                    [&](Body& inner) { store_products(function, inner, vectors, panel_elements); });
    body.statements.push_back(std::move(statement));
  }
}

} // namespace

void store_products(Function& function, const VectorRegisters& vectors) {
  store_products(function, vectors, usual_panel_elements);
}

void store_products(Function& function, const VectorRegisters& vectors,
                    std::int64_t panel_elements) {
  store_products(function, function.body, vectors, panel_elements);
}

} // namespace sinter::jit
