-- Flattening a transposed array reads it in the new order.
-- ==
-- input { [[1, 2], [3, 4]] } output { [1, 3, 2, 4] }
entry main (xss: [][]i32) = flatten (transpose xss)
