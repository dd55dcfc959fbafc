-- Sizes that no argument carries are passed along with the types.
-- ==
-- input { 3i64 } output { [7, 7, 7] [[1, 1], [1, 1], [1, 1]] }
def filled [n] 'a (x: a): [n]a = rep x
entry main (n: i64): ([n]i32, [n][2]i32) = (filled 7, filled (filled 1))
