-- ==
-- input { [170u32, 45u32, 75u32, 90u32, 2u32, 802u32, 24u32, 66u32] }
-- output { [2u32, 24u32, 45u32, 66u32, 75u32, 90u32, 170u32, 802u32] }
def step [n] (xs: [n]u32) (bit: i32): [n]u32 =
  let ones = map (\x -> i64.i32 (u32.get_bit bit x)) xs
  let zeros = map (1 -) ones
  let zero_places = map (+ (-1)) (scan (+) 0 zeros)
  let first_one = i64.sum zeros
  let one_places = map (\i -> i - 1 + first_one) (scan (+) 0 ones)
  let places = map3 (\o z p -> if o == 1 then p else z) ones zero_places one_places
  in scatter (copy xs) places xs
entry main (xs: []u32) = loop xs for b < 32i32 do step xs b
