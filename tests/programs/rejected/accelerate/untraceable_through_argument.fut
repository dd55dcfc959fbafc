-- What `apply` cannot do is known where it is called.
-- ==
-- error: this cannot be accelerated: `#\[trace\]` is for the interpreter
def apply [n] (f: i64 -> i64) (xs: [n]i64): [n]i64 = #[accelerate] (map f xs)
entry main [n] (xs: [n]i64): [n]i64 = apply (\x -> #[trace] x) xs
