#include "tests/generate/ir/soac_chain.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace sinter::generate {

namespace {

/// A function of SOACs that make arrays for each other: over n, and over what filters keep.
class RandomChain {
public:
  RandomChain(Random& random, FoldOrders orders) : random_(random), orders_(orders) {}

  std::string text() {
    spaces_ = {{"n", {"xs", "ys"}}};
    for (std::size_t count = random_.between(2, 6); count > 0; --count)
      soac();
    std::string types, results;
    for (const auto& [name, type] : results_) {
      types += (types.empty() ? "" : ", ") + type;
      results += (results.empty() ? "" : ", ") + name;
    }
    return "fn f(n: i64, xs: [n]i64, ys: [n]i64, hs: [5]i64) -> (" + types + ") { " + statements_ +
           "ret " + results + " }";
  }

private:
  struct Space {
    std::string extent;
    std::vector<std::string> arrays;
  };
  struct Part { ///< of a SOAC: a group
    std::string yields, group;
    std::vector<std::pair<std::string, std::string>> results; ///< with their types
  };

  std::string name(const char* prefix) { return prefix + std::to_string(next_++); }
  std::string operation() { return random_.pick(operations_); }
  static std::string neutral(const std::string& operation) {
    return operation == "mix"   ? "3i64"
           : operation == "mul" ? "1i64"
           : operation == "max" ? "-9223372036854775808i64"
           : operation == "and" ? "-1i64"
                                : "0i64";
  }
  std::string combine(const std::string& operation) {
    const std::string a = name("a"), b = name("b"), c = name("c");
    const std::string head = "(" + neutral(operation) + ") { (" + a + ": i64, " + b + ": i64) ";
    if (operation == "mix") { // neither associative nor commutative
      const std::string d = name("d"), e = name("e");
      return head + d + ": i64 = mul " + a + " 5i64 " + e + ": i64 = lshr " + b + " 3i64 " + c +
             ": i64 = xor " + d + " " + e + " yield " + c + " } ";
    }
    return head + c + ": i64 = " + operation + " " + a + " " + b + " yield " + c + " } ";
  }
  /// Of a reduction or a scan.
  std::string fold() {
    return combine(orders_ == FoldOrders::SomeShow && random_.chance(50) ? "mix" : operation());
  }

  Part part(Space& space, const std::string& element, const std::string& other,
            const std::string& bin) {
    switch (random_.below(is_written_ ? 4 : 6)) {
    case 0: {
      const std::string array = name("m");
      space.arrays.push_back(array);
      return {element, "map ", {{array, "[" + space.extent + "]i64"}}};
    }
    case 1: {
      const std::string sum = name("r");
      results_.emplace_back(sum, "i64");
      return {element, "reduce " + fold(), {{sum, "i64"}}};
    }
    case 2: {
      const std::string array = name("s");
      space.arrays.push_back(array);
      const std::string scan = "scan " + fold();
      if (random_.chance(50)) return {element, scan, {{array, "[" + space.extent + "]i64"}}};
      const std::string j = name("j"), prefix = name("p"), passed = name("q"), v = name("v");
      return {element + ", " + other,
              scan + "post 1 { (" + j + ": i64, " + prefix + ": i64, " + passed + ": i64) " + v +
                  ": i64 = " + operation() + " " + prefix + " " +
                  (random_.chance(50) ? j : passed) + " yield " + v + " } map end ",
              {{array, "[" + space.extent + "]i64"}}};
    }
    case 3: {
      const std::string count = name("k"), array = name("f");
      results_.emplace_back(count, "i64");
      new_spaces_.push_back({count, {array}});
      return {bin + "p, " + element, "filter 1 ", {{count, "i64"}, {array, "[" + count + "]i64"}}};
    }
    case 4: {
      is_written_ = true;
      results_.emplace_back("hs2", "[5]i64");
      const std::string by = random_.chance(50) ? "add" : "xor";
      return {bin + ", " + element, "histogram 1 (hs) " + combine(by), {{"hs2", "[5]i64"}}};
    }
    default:
      is_written_ = true;
      results_.emplace_back("hs2", "[5]i64");
      return {bin + ", " + element, "scatter 1 hs ", {{"hs2", "[5]i64"}}};
    }
  }

  void soac() {
    const std::size_t at = random_.below(spaces_.size());
    const std::string extent = spaces_[at].extent;
    std::vector<std::string> inputs = {random_.pick(spaces_[at].arrays)};
    if (random_.chance(50)) inputs.push_back(random_.pick(spaces_[at].arrays));
    const std::string i = name("i"), e = name("e"), g = name("g"), bin = name("bin");
    std::string parameters = i + ": i64", list;
    std::vector<std::string> elements;
    for (const std::string& input : inputs) {
      elements.push_back(name("x"));
      parameters += ", " + elements.back() + ": i64";
      list += (list.empty() ? "" : ", ") + input;
    }
    const std::string body = e + ": i64 = " + operation() + " " + elements[0] + " " +
                             (random_.chance(30) ? i : elements.back()) + " " + g + ": i64 = add " +
                             e + " " + i + " " + bin + ": i64 = mod " + e + " 5i64 " + bin +
                             "p: bool = lt " + bin + " 3i64 ";
    std::string yields, groups, results;
    for (std::size_t count = random_.between(1, 2); count > 0; --count) {
      const Part part = this->part(spaces_[at], random_.chance(70) ? e : g, elements[0], bin);
      yields += (yields.empty() ? "" : ", ") + part.yields;
      groups += part.group;
      for (const auto& [result, type] : part.results)
        results.append(results.empty() ? "" : ", ").append(result).append(": ").append(type);
    }
    statements_ += results + " = soac " + extent + " (" + list + ") { (" + parameters + ") " +
                   body + "yield " + yields + " } " + groups;
    for (Space& space : new_spaces_)
      spaces_.push_back(std::move(space));
    new_spaces_.clear();
    // Some totals are needed between SOACs, or behind all.
    if (!results_.empty() && random_.chance(40)) {
      const auto& [total, type] = random_.pick(results_);
      const std::string more = name("t");
      if (type == "i64")
        statements_ += more + ": i64 = add " + total + " 7i64 ";
      else if (type == "[5]i64")
        statements_ += more + ": i64 = index " + total + "[3i64] ";
      if (type == "i64" || type == "[5]i64") results_.emplace_back(more, "i64");
    }
    // Some arrays are needed as a whole.
    if (random_.chance(10)) results_.emplace_back(spaces_[at].arrays.back(), "[" + extent + "]i64");
    if (results_.empty()) results_.emplace_back("n", "i64");
  }

  Random& random_;
  FoldOrders orders_;
  std::vector<std::string> operations_ = {"add", "max", "xor", "mul", "and"};
  std::vector<Space> spaces_, new_spaces_;
  std::vector<std::pair<std::string, std::string>> results_;
  std::string statements_;
  bool is_written_ = false;
  int next_ = 0;
};

} // namespace

std::string random_soac_chain(Random& random, FoldOrders orders) {
  return RandomChain(random, orders).text();
}

} // namespace sinter::generate
