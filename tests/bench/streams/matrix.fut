-- A sparse matrix of 16 numbers a row times a vector of 2^18 numbers: of all rows at once, and row
-- after row.  A place is a column and the bits of a number.

def vector : [262144]f32 = tabulate 262144 (\i -> f32.i64 (i % 1000) * 0.001)

def product (row: [16][2]u32) (xs: [262144]f32) : f32 =
  f32.sum (map (\place -> xs[i64.u32 (place[0] % 262144)] * f32.from_bits place[1]) row)

entry whole [n] (rows: [n][16][2]u32) : [n]f32 =
  let xs = vector in map (\row -> product row xs) rows

entry init : [262144]f32 = vector
entry step [k] (xs: [262144]f32) (rows: [k][16][2]u32) : ([262144]f32, [k]f32) =
  (xs, map (\row -> product row xs) rows)
