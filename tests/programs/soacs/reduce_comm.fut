-- ==
-- input { [5, 3, 9] } output { 9 3 }
entry main (xs: []i32) = (reduce_comm i32.max i32.lowest xs, reduce_comm i32.min i32.highest xs)
