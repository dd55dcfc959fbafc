-- ==
-- input { 3i64 } output { 3i64 }
module type maker = { val make : (n: i64) -> [n]i64 }
module m : maker = { def make (n: i64): *[n]i64 = iota n }
def main (n: i64): i64 = length (m.make n)
