-- The function that is mapped is known only where it is bound.
-- ==
-- error: this cannot be accelerated: `#\[interpret\]` is for the interpreter
entry main [n] (a: i64) (xs: [n]i64): [n]i64 =
  let shifted (x: i64) = #[interpret] (x + a)
  in #[accelerate] (map shifted xs)
