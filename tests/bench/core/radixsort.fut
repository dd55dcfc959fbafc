-- Sorting 32-bit keys by four bits at a time.
import "common"

def step [n] (xs: [n]u32) (shift: u32) : [n]u32 =
  let digits = map (\x -> i64.u32 ((x >> shift) & 15)) xs
  let counts = hist (+) 0 16 digits (replicate n 1i64)
  let begins = exscan (+) 0 counts
  -- Elements with the same digit keep their order.
  let ranks =
    loop ranks = replicate n 0 for d < 16 do
      let marks = map (\digit -> i64.bool (digit == d)) digits
      let before = exscan (+) 0 marks
      in map3 (\digit rank r -> if digit == d then r else rank) digits ranks before
  let targets = map2 (\digit rank -> begins[digit] + rank) digits ranks
  in scatter (replicate n 0) targets xs

entry input (n: i64) = tabulate n (h32 1)
entry kernel [n] (xs: [n]u32) : [n]u32 = loop xs for i < 8 do step xs (u32.i32 i * 4)
entry checksum [n] (xs: [n]u32) = digest_u32 xs
