-- Bytes by chunks, for sessions.

type summary = {count: i64, sum: i64}

entry init : summary = {count = 0, sum = 0}

entry step [k] (s: summary) (xs: [k]u8) : summary =
  {count = s.count + k, sum = s.sum + i64.sum (map i64.u8 xs)}

entry mean (s: summary) : f64 = f64.i64 s.sum / f64.i64 s.count

-- How much each byte differs from the one before.
entry changes [k] (last: u8) (xs: [k]u8) : (u8, [k]u8) =
  let before = map (\i -> if i == 0 then last else xs[i - 1]) (iota k)
  in (if k == 0 then last else xs[k - 1], map2 (-) xs before)

-- This depends on how the input is cut.
entry places [k] (s: i64) (_: [k]u8) : (i64, [k]i64) = (s, iota k)
