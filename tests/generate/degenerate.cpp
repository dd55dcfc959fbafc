#include "tests/generate/degenerate.h"

#include "tests/generate/join.h"
#include "tests/generate/random.h"

#include <algorithm>
#include <cstddef>

namespace sinter::generate {

namespace {

/// Often what has no elements, now and then what has some, and what has too many.
const std::vector<std::string> common_sizes = {
    "0", "0", "0", "1", "-1", "-1", "2", "3", "5", "2147483648", "4611686018427387904"};

/// An array in scope; its sizes are names in scope.
struct Array {
  std::string name;
  std::vector<std::string> sizes;
  std::size_t rank() const { return sizes.size(); }
};

class DegenerateWriter {
public:
  explicit DegenerateWriter(std::uint64_t seed) : random_(seed) {}

  Program write() {
    Program program;
    std::string head = "entry main";
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string name = "s" + std::to_string(i), size = random_.pick(common_sizes);
      sizes_.push_back(name);
      if (random_.chance(60)) {
        head += " (" + name + ": i64)";
        program.input += size + "\n";
      } else {
        lines_ += "  let " + name + " = " + literal(size) + "\n";
      }
    }
    for (std::size_t count = random_.between(1, 3); count > 0; --count)
      add(source());
    for (std::size_t count = random_.between(2, 9); count > 0; --count)
      step();
    std::string types, values;
    const auto result = [&](const std::string& type, const std::string& value) {
      types += (types.empty() ? "" : ", ") + type;
      values += (values.empty() ? "" : ", ") + value;
    };
    for (const std::string& number : numbers_)
      result("i64", number);
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      const Array& array = arrays_[i];
      result("i64", "length " + array.name);
      if (array.rank() > 1) result("i64", "length (transpose " + array.name + ")");
      std::string type;
      for (std::size_t d = 0; d < array.rank(); ++d)
        type += "[]";
      if (random_.chance(40)) result(type + "i64", "copy " + array.name);
    }
    program.text = join({head, ": (", types, ") =\n", lines_, "  in (", values, ")\n"});
    if (types.find(',') == std::string::npos) program.text += "";
    return program;
  }

private:
  static std::string literal(const std::string& number) {
    return number[0] == '-' ? "(" + number + "i64)" : number + "i64";
  }
  std::string fresh(const char* prefix) { return prefix + std::to_string(names_++); }
  const std::string& size() { return random_.pick(sizes_); }
  std::string type_of(const std::vector<std::string>& sizes) {
    std::string text;
    for (const std::string& one : sizes)
      text += "[" + one + "]";
    return text + "i64";
  }
  /// A small number, a size, or one next to it.
  std::string number() {
    switch (random_.below(4)) {
    case 0:
      return "(" + size() + " + 1)";
    case 1:
      return "(" + size() + " - 1)";
    case 2:
      return literal(std::to_string(static_cast<int>(random_.below(5)) - 1));
    default:
      return size();
    }
  }

  struct Made {
    std::string text;
    std::size_t rank = 1;
    std::vector<std::string> sizes; ///< if they have names; else they get some
  };

  /// Binds an array; its sizes get names where it has none, or by chance: those of what it is.
  void add(const Made& made) {
    if (made.text.empty()) return;
    Array array{fresh("x"), made.sizes};
    std::string names, type;
    if (array.sizes.empty() || random_.chance(30)) {
      array.sizes.clear();
      for (std::size_t d = 0; d < made.rank; ++d) {
        array.sizes.push_back(fresh("d"));
        names += "[" + array.sizes.back() + "] ";
      }
      sizes_.insert(sizes_.end(), array.sizes.begin(), array.sizes.end());
    }
    if (!names.empty())
      lines_ += "  let " + names + "(" + array.name + ": " + type_of(array.sizes) + ") = ";
    else
      lines_ += "  let " + array.name + " = ";
    lines_ += made.text + "\n";
    arrays_.push_back(std::move(array));
  }

  Made source() {
    const std::string a = size(), b = size(), c = size();
    switch (random_.below(8)) {
    case 0:
      return {"iota " + a, 1, {a}};
    case 1:
      return {"replicate " + a + " " + b, 1, {a}};
    case 2:
      return {"replicate " + a + " (replicate " + b + " 7)", 2, {a, b}};
    case 3:
      return {
          join({"tabulate_3d ", a, " ", b, " ", c, " (\\i j k -> i * 3 + j + k)"}), 3, {a, b, c}};
    case 4:
      return {join({"tabulate ", a, " (\\i -> replicate ", b, " (iota ", c, "))"}), 3, {a, b, c}};
    case 5:
      return range();
    default:
      return {join({"tabulate_2d ", a, " ", b, " (\\i j -> i * 10 + j)"}), 2, {a, b}};
    }
  }
  Made range() {
    static const std::vector<std::string> ends = {"...", "..<", "..>"};
    const std::string second = random_.chance(50) ? ".." + number() : "";
    const std::string end = random_.pick(ends);
    return {join({"(", number(), second, end, number(), ")"}), 1, {}};
  }

  /// An array that has the sizes of another one, or claims to.
  std::string like(const Array& array) {
    std::vector<std::string> choices = {array.name};
    for (const Array& other : arrays_)
      if (other.rank() == array.rank())
        choices.push_back("(" + other.name + " :> " + type_of(array.sizes) + ")");
    return random_.pick(choices);
  }
  static std::string mapped(std::size_t depth, const std::string& function) {
    std::string text = function;
    for (std::size_t d = 0; d < depth; ++d)
      text = "(map " + text + ")";
    return text;
  }

  void step() {
    const Array x = random_.pick(arrays_);
    const std::uint64_t form = random_.below(27);
    if (form < 11) return rearrange(x, form);
    if (form < 19) return fold(x, form);
    if (form < 25) return decide(x, form);
    nest(x, form == 25);
  }
  /// The same elements in other places; forms 0 to 10.
  void rearrange(const Array& x, std::uint64_t form) {
    const std::size_t rank = x.rank();
    const std::string xs = x.name;
    std::vector<std::string> turned = x.sizes;
    if (rank > 1) std::swap(turned[0], turned[1]);
    switch (form) {
    case 0:
    case 1:
      if (rank > 1) return add({"transpose " + xs, rank, turned});
      return add(source());
    case 2:
      return add({mapped(rank, "(+ 1)") + " " + xs, rank, x.sizes});
    case 3:
      return add({join({xs, " ++ ", rank == 1 ? xs : like(x)}), rank, {}});
    case 4:
      if (rank > 1) return add({"flatten " + xs, rank - 1, {}});
      return add(unflattened(x));
    case 5:
      return add(unflattened(x));
    case 6: {
      std::vector<std::string> sizes = x.sizes;
      sizes[0] = size();
      return add({join({"take ", sizes[0], " ", xs}), rank, sizes});
    }
    case 7:
      return add({join({"drop ", number(), " ", xs}), rank, {}});
    case 8:
      return add(
          {join({xs, "[", number(), ":", number(), random_.chance(50) ? ":" + number() : "", "]"}),
           rank,
           {}});
    case 9:
      return add({join({"rotate ", number(), " ", xs}), rank, x.sizes});
    default:
      return add({"reverse " + xs, rank, x.sizes});
    }
  }
  /// Operations that apply functions; forms 11 to 18.
  void fold(const Array& x, std::uint64_t form) {
    const std::size_t rank = x.rank();
    const std::string xs = x.name;
    switch (form) {
    case 11:
      if (rank == 1) return add({join({"scan (+) 0 ", xs}), rank, x.sizes});
      return add({join({mapped(rank - 1, "(scan (+) 0)"), " ", xs}), rank, x.sizes});
    case 12: {
      if (rank == 1) return total(join({"reduce (+) 0 ", xs}));
      return add({join({mapped(rank - 1, "(reduce (+) 0)"), " ", xs}), rank - 1,
                  std::vector<std::string>(x.sizes.begin(), x.sizes.end() - 1)});
    }
    case 13:
      if (rank == 1) return add({join({"filter (\\v -> v > ", number(), ") ", xs}), rank, {}});
      return add({join({"filter (\\r -> length r > 1) ", xs}), rank, {}});
    case 14:
      return add({join({"(unzip (zip ", xs, " ", like(x), ")).1"}), rank, x.sizes});
    case 15:
      if (rank == 1)
        return add({join({"map2 (\\a b -> a - b) ", xs, " ", like(x)}), rank, x.sizes});
      return add({join({"map2 (\\a b -> if length a > 2 then a else b) ", xs, " ", like(x)}), rank,
                  x.sizes});
    case 16:
      if (rank > 1) return add({join({"map (\\r -> r ++ r) ", xs}), rank, {}});
      return add({join({"map (\\i -> i64.sum (iota (i % 4))) ", xs}), 1, x.sizes});
    case 17:
      return add(
          {join({"scatter (copy ", xs, ") (iota ", x.sizes[0], ") ", like(x)}), rank, x.sizes});
    default: {
      const std::string s = size();
      if (rank == 1) return add({join({"hist (+) 0 ", s, " ", xs, " ", like(x)}), 1, {s}});
      const std::string row = rank == 2 ? "0" : "(replicate " + x.sizes[2] + " 0)";
      const std::string plus = rank == 2 ? "(+)" : "(\\c d -> map2 (+) c d)";
      return add(
          {join({"reduce_by_index (copy ", xs, ") (\\a b -> map2 ", plus, " a b) (replicate ",
                 x.sizes[1], " ", row, ") (iota ", x.sizes[0], ") ", xs}),
           rank, x.sizes});
    }
    }
  }
  /// Sizes in control, and single elements; forms 19 to 24.
  void decide(const Array& x, std::uint64_t form) {
    const std::size_t rank = x.rank();
    const std::string xs = x.name;
    switch (form) {
    case 19:
      return total(join({"(if length ", xs, " == ", size(), " then 1 else 2)"}));
    case 20:
      return total(join({rank == 1 ? "" : "length ", xs, "[", number(), "]"}));
    case 21:
      return add(
          {join({"loop y = ", xs, " for i < 2 do ", mapped(rank, "(+ i)"), " y"}), rank, x.sizes});
    case 22: {
      std::string type;
      for (std::size_t d = 0; d < rank; ++d)
        type += d == 0 ? "[]" : "[" + x.sizes[d] + "]";
      return add({join({"loop (y: ", type, "i64) = ", xs, " for _i < 2 do y ++ y"}), rank, {}});
    }
    case 23:
      return add({join({"if ", size(), " > 1 then ", xs, " else ", like(x)}), rank, x.sizes});
    default:
      if (rank == 1)
        return add(
            {join({"copy ", xs, " with [", number(), ":", number(), "] = ", xs}), 1, x.sizes});
      return add({join({"map (\\i -> ", xs, "[i]) (iota ", x.sizes[0], ")"}), rank, x.sizes});
    }
  }
  /// Rows, and rows of rows.
  void nest(const Array& x, bool is_first) {
    const std::size_t rank = x.rank();
    const std::string xs = x.name;
    if (is_first) {
      const std::string s = size();
      std::vector<std::string> sizes{s};
      sizes.insert(sizes.end(), x.sizes.begin(), x.sizes.end());
      if (rank == 3) return add({join({"map flatten ", xs}), 2, {}});
      return add({join({"replicate ", s, " ", xs}), rank + 1, sizes});
    }
    if (rank == 3)
      return add({join({"map transpose ", xs}), 3, {x.sizes[0], x.sizes[2], x.sizes[1]}});
    if (rank == 2) return add({join({"map length ", xs}), 1, {x.sizes[0]}});
    return add({join({"map (\\v -> length (replicate (v % 3) v)) ", xs}), 1, x.sizes});
  }
  Made unflattened(const Array& x) {
    if (x.rank() > 2) return {"", 0, {}};
    const std::string a = size(), b = size();
    std::vector<std::string> from{a + " * " + b}, to{a, b};
    from.insert(from.end(), x.sizes.begin() + 1, x.sizes.end());
    to.insert(to.end(), x.sizes.begin() + 1, x.sizes.end());
    return {join({"unflatten (", x.name, " :> ", type_of(from), ")"}), x.rank() + 1, to};
  }
  void total(const std::string& text) {
    numbers_.push_back(fresh("t"));
    lines_ += "  let " + numbers_.back() + " = " + text + "\n";
  }

  Random random_;
  std::size_t names_ = 0;
  std::string lines_;
  std::vector<std::string> sizes_, numbers_;
  std::vector<Array> arrays_;
};

} // namespace

Program generate_degenerate(std::uint64_t seed) {
  return DegenerateWriter(seed).write();
}

// ---- one operation after the other -------------------------------------------------------------

namespace {

/// What is done with `xs`, an array of the sizes `n` and `k`; each is an expression of a tuple.
const std::vector<std::string>& operations_on_rows() {
  static const std::vector<std::string> list = {
      "(length xs, length (transpose xs))",
      "(map (map (+ 1)) xs)",
      "(map (map (+ 1)) (transpose xs))",
      "(map (\\r -> r ++ r) (transpose xs) |> length, length (transpose (map (\\r -> r ++ r) xs)))",
      "(map i64.sum xs)",
      "(map i64.sum (transpose xs))",
      "(map (scan (+) 0) xs, length (map (scan (+) 0) (transpose xs)))",
      "(map reverse xs, length (reverse (transpose xs)))",
      "(length (flatten xs), i64.sum (flatten (transpose xs)))",
      "(xs ++ xs)",
      "(length (transpose xs ++ transpose xs))",
      "(rotate 1 xs, length (rotate (-1) (transpose xs)))",
      "(map (rotate 3) xs)",
      "(take 0 xs, length (transpose (take 0 xs)))",
      "(drop n xs, length (transpose (drop n xs)))",
      "(xs[::-1], length (xs[0:n:2]))",
      "(map (\\r -> r[0:0]) xs)",
      "(filter (\\r -> length r > 0) xs)",
      "(filter (\\r -> length r == 0) (transpose xs) |> length)",
      "(unzip (zip xs xs)).0",
      "(map2 (\\a b -> map2 (+) a b) xs xs)",
      "(scatter (copy xs) (iota n) xs)",
      "(scatter (copy xs) (iota 2) (replicate 2 (replicate k 1)))",
      "(reduce (\\a b -> map2 (+) a b) (replicate k 0) xs)",
      "(scan (\\a b -> map2 (+) a b) (replicate k 0) xs)",
      "(reduce_by_index (replicate 2 (replicate k 0)) (\\a b -> map2 (+) a b) (replicate k 0) "
      "(map (% 2) (iota n)) xs)",
      "(replicate 2 xs)",
      "(replicate n (length xs), replicate k (replicate n 1) |> length)",
      "(loop y = xs for i < 2 do map (map (+ i)) y)",
      "(loop (y: [][k]i64) = xs for _i < 2 do y ++ y)",
      "(if n > k then length xs else length (transpose xs))",
      "(tabulate_3d n k 2 (\\i j l -> i + j + l) |> map flatten)",
      "(tabulate_3d 2 n k (\\i j l -> i + j + l) |> map transpose)",
      "(tabulate_3d n 0 k (\\i j l -> i + j + l) |> transpose |> length)",
      "(map (\\i -> xs[i]) (iota n))",
      "(map (\\i -> i64.sum (iota i)) (iota n))",
      "(unflatten (flatten xs :> [n * k]i64) :> [n][k]i64)",
      "(unflatten (flatten xs :> [k * n]i64) :> [k][n]i64)",
      "(partition (\\r -> length r > 1) xs).0",
      "(map (\\r -> (r, length r)) xs |> unzip).1",
      "(xs == xs, transpose xs == transpose xs)",
      "(map (\\(r: [k]i64) -> if k > 1 then r[k - 1] else 0) xs)",
      "(flatten (map (\\r -> [r, r]) xs))",
      "(copy xs with [0:0] = xs[0:0])",
      "(copy xs with [0] = replicate k 5)",
      "(map indices xs, indices (transpose xs) |> length)",
  };
  return list;
}

/// Of the sizes alone.
const std::vector<std::string>& operations_on_sizes() {
  static const std::vector<std::string> list = {
      "(iota n)",
      "(length (iota n ++ iota k))",
      "(n..k...9)",
      "(0..n..<k)",
      "(n..<k)",
      "(n..>k)",
      "(n...k)",
      "(replicate n k)",
      "((iota 5)[n:k])",
      "((iota 5)[n:k:-1])",
      "((iota 5)[4:n:k])",
      "((iota 5)[n])",
      "(take n (iota 5))",
      "(drop n (iota 5))",
      "(rotate n (iota 5))",
      "(scatter (replicate 5 0) [n, k] [1, 2])",
      "(hist (+) 0 5 [n, k, n] [1, 2, 3])",
      "(length (hist (+) 0 n [0, 1] [1, 2]))",
      "(map (\\i -> length (iota i)) [0, 1, n % 3, k % 5])",
      "(map (\\i -> length (tabulate_2d 0 i (\\a b -> a + b) |> transpose)) [0, 1, n, k])",
      "(spread 3 0 [n, k] [1, 2])",
      "(length (unflatten (iota 0 :> [n * k]i64) :> [n][k]i64))",
      "(length (replicate n ()), length (replicate k (replicate n ())))",
      "(length (filter (> 1) (replicate n 2)))",
      "(i64.sum (map (\\_ -> 1) (iota n)) + i64.sum (iota k))",
  };
  return list;
}

} // namespace

std::vector<SizedProgram> degenerate_operations() {
  std::vector<std::string> small, all;
  for (const char* n : {"0", "1", "-1", "3"})
    for (const char* k : {"0", "1", "-1", "3"})
      small.push_back(join({n, "\n", k, "\n"}));
  all = small;
  for (const char* sizes :
       {"0\n2147483648\n", "0\n4611686018427387904\n", "-1\n4611686018427387904\n",
        "4611686018427387904\n-1\n", "2147483648\n3\n", "3\n4611686018427387904\n",
        "4611686018427387904\n4611686018427387904\n"})
    all.emplace_back(sizes);
  std::vector<SizedProgram> programs;
  const auto add = [&](const std::string& before, const std::string& operation) {
    // (To go through so many rows without elements takes too long.)
    const bool walks = operation.find("(transpose") != std::string::npos;
    programs.push_back({"entry main (n: i64) (k: i64) =\n" + before + "  " + operation + "\n",
                        walks ? small : all});
  };
  for (const std::string& operation : operations_on_rows())
    add("  let xs = tabulate_2d n k (\\i j -> i * 10 + j) in\n", operation);
  for (const std::string& operation : operations_on_sizes())
    add("", operation);
  return programs;
}

} // namespace sinter::generate
