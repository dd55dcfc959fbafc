-- Constants that only some inputs need.
-- ==
-- entry: choose
-- input { 0i64 } output { 45i64 }
-- input { 1i64 } output { 285i64 }
-- input { 2i64 } output { 2i64 }

-- ==
-- entry: choose_each
-- input { 7i64 } output { [0i64, 1i64, 2i64, 9i64, 16i64, 5i64, 6i64] }

-- ==
-- entry: not_needed
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] }
def numbers = iota 10
def squares = map (\x -> x * x) numbers

entry choose (k: i64) =
  match k
  case 0 -> i64.sum numbers
  case 1 -> i64.sum squares
  case 2 -> 2
  case _ -> squares[k]

entry choose_each (n: i64) = map (\i -> if 2 < i && i < 5 then squares[i] else numbers[i]) (iota n)
entry not_needed (n: i64) = map (\i -> if i > 100 then squares[0] else i) (iota n)
