-- ==
-- error: Consuming.*"base"
def main (base: []i32): i32 =
  let r = {data = base, size = 3i64}
  let data = r.data with [0] = 1
  in data[0]
