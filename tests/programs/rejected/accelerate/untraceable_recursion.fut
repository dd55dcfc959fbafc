-- ==
-- error: this cannot be accelerated: recursion.*`factorial`
def factorial (n: i64): i64 = if n <= 1 then 1 else n * factorial (n - 1)
entry main [n] (xs: [n]i64): [n]i64 = #[accelerate] (map factorial xs)
