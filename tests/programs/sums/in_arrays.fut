-- Sums in arrays keep tag and payload apart; updates change both.
-- ==
-- input { } output { [1, 20, 3] }
type cell = #number i32 | #pair (i32, i32)
def value (c: cell) = match c case #number x -> x case #pair (a, b) -> a + b
entry main =
  let cells: *[3]cell = copy [#number 1, #number 2, #number 3]
  let cells[1] = #pair (8, 12)
  in map value cells
