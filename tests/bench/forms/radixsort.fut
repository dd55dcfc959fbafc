-- Sorting by two bits at a time: where each key goes, by counting the digits before it.
module core = import "../core/radixsort"

def step [n] (shift: u32) (xs: [n]u32) : [n]u32 =
  let digit x = i64.u32 ((x >> shift) & 3)
  let one_hot x = (i64.bool (digit x == 0), i64.bool (digit x == 1),
                   i64.bool (digit x == 2), i64.bool (digit x == 3))
  let add (a, b, c, d) (a', b', c', d') = (a + a', b + b', c + c', d + d')
  let counts = scan add (0, 0, 0, 0) (map one_hot xs)
  let (a, b, c, _) = if n == 0 then (0, 0, 0, 0) else last counts
  let place x (i, j, k, l) =
    let d = digit x
    in if d == 0 then i - 1 else if d == 1 then a + j - 1 else if d == 2 then a + b + k - 1
       else a + b + c + l - 1
  in scatter (copy xs) (map2 place xs counts) xs

entry input = core.input
entry kernel [n] (xs: [n]u32) : [n]u32 = loop xs for i < 16 do step (u32.i32 i * 2) xs
entry checksum = core.checksum
