-- Definitions that no entry point uses are checked, too.
-- ==
-- error: this cannot be accelerated: `#\[trace\]` is for the interpreter
def unused [n] (xs: [n]i64): [n]i64 = #[accelerate] (map (\x -> #[trace] x) xs)
entry main (x: i64): i64 = x
