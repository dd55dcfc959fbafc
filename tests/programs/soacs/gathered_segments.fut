-- Sums of segments of products, one factor of which lies where an index says: rows of a sparse
-- matrix.  Segments of up to half a vector, up to a vector, a row of the order of folding, and more,
-- beside each other; indices of 16, 32 and 64 bits, signed and not.
-- ==
-- entry: agree
-- input { 200i64 0i64 } output { true }
-- input { 200i64 1i64 } output { true }
-- input { 300i64 8i64 } output { true }
-- input { 300i64 9i64 } output { true }
-- input { 300i64 16i64 } output { true }
-- input { 300i64 17i64 } output { true }
-- input { 37i64 33i64 } output { true }
-- input { 200i64 64i64 } output { true }
-- input { 200i64 65i64 } output { true }
-- input { 70i64 400i64 } output { true }

-- | Where segments of 0 to `most` elements begin.
def begins (n: i64) (most: i64) : [n + 1]i64 =
  let lengths = tabulate n (\i -> (i * 7919 + i / 3) % (most + 1))
  let ends = scan (+) 0 lengths
  in tabulate (n + 1) (\i -> if i == 0 then 0 else ends[i - 1])

-- (Small whole numbers: their sums are exact in any order.)
def vector (n: i64) : [n]f32 = tabulate n (\i -> f32.i64 (i % 17))

def products 't [n] [e] (index: t -> i64) (at: [n]i64) (columns: [e]t) (values: [e]f32) (x: []f32) =
  tabulate (n - 1) (\row ->
    f32.sum (map2 (\v c -> v * x[index c]) values[at[row]:at[row + 1]] columns[at[row]:at[row + 1]]))

def by_loops [n] [e] (at: [n]i64) (columns: [e]i64) (values: [e]f32) (x: []f32) =
  tabulate (n - 1) (\row ->
    loop sum = 0 for i in at[row]..<at[row + 1] do sum + values[i] * x[columns[i]])

entry agree (n: i64) (most: i64) : bool =
  let at = begins n most
  let columns = tabulate (last at) (\i -> i * 7919 % 100)
  let values = vector (last at)
  let x = vector 100
  let expected = by_loops at columns values x
  let is_it = \ys -> and (map2 (==) expected ys)
  in is_it (products i64.i32 at (map i32.i64 columns) values x)
     && is_it (products i64.i16 at (map i16.i64 columns) values x)
     && is_it (products i64.u32 at (map u32.i64 columns) values x)
     && is_it (products i64.u8 at (map u8.i64 columns) values x)
     && is_it (products id at columns values x)

-- Indices that lie outside, also far outside, are errors.
-- ==
-- entry: beyond
-- input { 300i64 16i64 4000i64 100i32 } error: Index \[100\] out of bounds for array of shape \[100\]
-- input { 300i64 16i64 10i64 -1i32 } error: Index \[-1\] out of bounds for array of shape \[100\]
-- input { 300i64 40i64 10i64 -2147483648i32 } error: Index \[-2147483648\] out of bounds
-- input { 300i64 3i64 444i64 2147483647i32 } error: Index \[2147483647\] out of bounds
-- input { 300i64 90i64 444i64 99i32 } output { true }
entry beyond (n: i64) (most: i64) (place: i64) (column: i32) : bool =
  let at = begins n most
  let columns = tabulate (last at) (\i -> if i == place % last at then column else i32.i64 (i % 100))
  let values = vector (last at)
  let x = vector 100
  in and (map (>= 0) (products i64.i32 at columns values x))
