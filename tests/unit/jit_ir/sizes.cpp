// Terms of sizes, and facts about them that end with their scope.
#include "jit/ir/parse.h"
#include "jit/ir/size_facts.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace sinter;
using namespace sinter::ir;

namespace {

/// A function of statements over some sizes, and what is known of its values by name.
class Known {
public:
  explicit Known(const std::string& statements)
      : function_(parse("fn f(n: i64, m: i64, l: i64, p: bool) -> () { " + statements + " ret }")) {
    for (std::uint32_t i = 0; i < function_.values.size(); ++i)
      values_.emplace(function_.values[i].name, ValueId{i});
    for (const Statement& statement : function_.body.statements)
      definitions_.emplace(statement.results[0].index, &statement.operation);
  }
  ValueId operator[](const std::string& name) const { return values_.at(name); }
  SizeFacts facts() const {
    return SizeFacts([this](ValueId value) {
      const auto found = definitions_.find(value.index);
      return found == definitions_.end() ? nullptr : found->second;
    });
  }

private:
  Function function_;
  std::map<std::string, ValueId> values_;
  std::map<std::uint32_t, const Operation*> definitions_;
};

} // namespace

TEST_CASE("equal terms are made once") {
  ExtentTable table;
  const Term n = table.atom({1}), m = table.atom({2});
  CHECK(table.sum(n, m) == table.sum(m, n));
  CHECK(table.product(n, m) == table.product(m, n));
  CHECK(table.sum(n, n, ~std::uint64_t{0}) == table.number(0));
  const Term square = *table.product(*table.sum(n, m), *table.sum(n, m));
  CHECK(square->summands().size() == 3);
  CHECK(print(square) == "v1·v1 + 2·v1·v2 + v2·v2");
  CHECK(print(*table.sum(table.number(3), n, ~std::uint64_t{0})) == "3 - v1");
  CHECK(print(*table.sum(table.number(0), n, ~std::uint64_t{1})) == "-2·v1");
  CHECK(table.substitute(square, {2}, n) == table.product(table.number(4), *table.product(n, n)));
  CHECK(table.substitute(square, {2}, table.number(0)) == table.product(n, n));
  CHECK(table.product(table.number(std::uint64_t{1} << 63), table.number(2)) == table.number(0));
}

TEST_CASE("terms that grow too large are not seen through") {
  ExtentTable table;
  Term sum = table.number(0);
  std::uint32_t count = 0;
  while (const std::optional<Term> next = table.sum(sum, table.atom({count}))) {
    sum = *next;
    REQUIRE(++count < 100);
  }
  CHECK(sum->summands().size() == count);
  CHECK(!table.product(sum, sum));
  // A value that is such a sum is an atom; and a chain of any length is walked.
  std::string text = "s0: i64 = add n m ";
  for (int i = 1; i < 5000; ++i)
    text += "s" + std::to_string(i) + ": i64 = add s" + std::to_string(i - 1) + " n ";
  const Known known(text);
  const SizeFacts facts = known.facts();
  CHECK(facts.term(known["s4999"])->summands().size() == 2);
}

TEST_CASE("what conditions say of sizes ends with their scope") {
  const Known known("a: i64 = add n 1i64 e: bool = eq a m f: bool = eq n 4i64 g: bool = and e f "
                    "h: bool = eq m 6i64");
  SizeFacts facts = known.facts();
  const std::size_t outside = facts.mark();
  CHECK(!facts.are_equal(known["a"], known["m"]));
  facts.assume(known["e"]);
  CHECK(facts.are_equal(known["a"], known["m"]));
  CHECK(!facts.number(known["m"]));
  const std::size_t inside = facts.mark();
  facts.assume(known["g"]);
  CHECK(facts.number(known["m"]) == 5);
  CHECK(!facts.is_never_reached());
  facts.assume(known["h"]);
  CHECK(facts.is_never_reached());
  CHECK(facts.are_equal(known["n"], known["l"]));
  facts.undo_to(inside);
  CHECK(facts.are_equal(known["a"], known["m"]));
  CHECK(!facts.number(known["m"]));
  facts.undo_to(outside);
  CHECK(!facts.are_equal(known["a"], known["m"]));
}

TEST_CASE("a condition is not both true and false") {
  const Known known("e: bool = eq n m");
  SizeFacts facts = known.facts();
  facts.assume(known["e"], false);
  CHECK(!facts.are_equal(known["n"], known["m"]));
  CHECK(!facts.is_never_reached());
  facts.assume(known["e"], true);
  CHECK(facts.is_never_reached());
}

TEST_CASE("numbers that are extents, by any name") {
  const Known known("a: i64 = add n m b: i64 = add m n c: i64 = sub n m e: bool = eq c 3i64 "
                    "d: bool = eq c -3i64");
  SizeFacts facts = known.facts();
  const std::size_t outside = facts.mark();
  CHECK(!facts.is_extent(known["b"]));
  facts.note_extent(known["a"]);
  CHECK(facts.is_extent(known["b"]));
  CHECK(!facts.is_extent(known["n"]));
  facts.undo_to(outside);
  CHECK(!facts.is_extent(known["b"]));
  CHECK(facts.is_extent(Operand::i64(0)));
  CHECK(!facts.is_extent(Operand::i64(-1)));
  CHECK(!facts.is_extent(Operand::i64(extent_limit)));
  facts.assume(known["e"]);
  CHECK(facts.is_extent(known["c"]));
  facts.undo_to(outside);
  facts.assume(known["d"]);
  CHECK(!facts.is_extent(known["c"]));
}

TEST_CASE("a size gets a name that conditions compare it with") {
  const Known known(
      "a: i64 = quot n 2i64 e: bool = eq a m b: i64 = add a 0i64 f: bool = eq l 7i64");
  SizeFacts facts = known.facts();
  const auto is_parameter = [&](ValueId value) { return value.index < 4; };
  CHECK(!facts.name(known["b"], is_parameter));
  facts.assume(known["e"]);
  facts.assume(known["f"]);
  CHECK(facts.name(known["b"], is_parameter) == Operand(known["m"]));
  CHECK(!facts.name(known["n"], is_parameter));
  CHECK(facts.name(known["l"], [](ValueId) { return false; }) == Operand::i64(7));
}
