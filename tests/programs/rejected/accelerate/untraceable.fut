-- ==
-- error: this cannot be accelerated: `#\[trace\]` is for the interpreter
entry main [n] (xs: [n]i64): [n]i64 = #[accelerate] (map (\x -> #[trace] (x + 1)) xs)
