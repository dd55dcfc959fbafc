-- A polymorphic function is checked for the types that it is used at.
-- ==
-- error: this cannot be accelerated: `#\[break\]` is for the interpreter
def twice 't [n] (f: t -> t) (xs: [n]t): [n]t = #[accelerate] (map (\x -> f (f x)) xs)
entry main [n] (xs: [n]f32): [n]f32 = twice (\x -> #[break] (x + 1)) xs
