-- ==
-- error: Sizes "n" and "n \+ 1" do not match
module m : { val f : (n: i64) -> [n]i64 } = { def f (n: i64) = iota (n + 1) }
