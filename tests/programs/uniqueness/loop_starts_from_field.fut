-- ==
-- input { 3i64 } output { [1i64, 1i64, 1i64] }
def main (n: i64): []i64 =
  let state = {data = iota n, step = 1i64}
  in loop data = state.data for i < n do data with [i] = 1
