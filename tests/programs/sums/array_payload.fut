-- ==
-- input { [1, 2, 3] } output { 6 0 }
type chunk [n] = #full ([n]i32) | #empty
def total [n] (c: chunk [n]) = match c case #full xs -> i32.sum xs case #empty -> 0
entry main [n] (xs: [n]i32) = (total (#full xs), total (#empty : chunk [n]))
