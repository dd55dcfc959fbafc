-- Each constructor of a sum is looked at.
-- ==
-- error: this cannot be accelerated: `#\[trace\]` is for the interpreter
type way = #once | #shown
entry main [n] (w: way) (xs: [n]i64): [n]i64 =
  #[accelerate] (map (\x -> match w case #once -> x case #shown -> #[trace] x) xs)
