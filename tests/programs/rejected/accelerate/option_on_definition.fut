-- ==
-- error: `nonsense` is no option of `#\[accelerate\]`
#[accelerate(nonsense)]
def total [n] (xs: [n]f64): f64 = f64.sum xs
entry main [n] (xs: [n]f64): f64 = total xs
