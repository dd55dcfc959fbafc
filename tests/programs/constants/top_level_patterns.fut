-- Declarations take tuples and records apart.

let (a, b) = (1i32, 2.5f64)

-- ==
-- entry: tuple
-- input { } output { 1i32 2.5f64 }
entry tuple = (a, b)

def origin = {x = 3i32, y = 4i32}
let {x, y = height} = origin

-- ==
-- entry: record
-- input { } output { 12i32 }
entry record = x * height

let ((first, _), last: bool): ((i64, i32), bool) = ((7, 8), true)

-- ==
-- entry: nested
-- input { } output { 7i64 true }
entry nested = (first, last)

module m = {
  local let (ten, three) = (10i64, 3i64)
  let (product, _) = (ten * three, ten + three)
}

-- ==
-- entry: in_module
-- input { } output { 30i64 }
entry in_module = m.product

let (count, numbers) = (3i64, iota 3)

-- ==
-- entry: sizes
-- input { } output { [0i64, 1i64, 2i64] 3i64 }
entry sizes = (numbers, count)
