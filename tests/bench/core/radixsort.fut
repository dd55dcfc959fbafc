-- Sorting 32-bit keys by two bits at a time: how many keys with each digit come before, then a
-- scatter, which keeps the order of equal digits.
import "common"

type counts = (i32, i32, i32, i32)

def add (a: counts) (b: counts) : counts = (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 + b.3)

def step [n] (shift: u32) (xs: [n]u32) : [n]u32 =
  let digits = map (\x -> (x >> shift) & 3) xs
  let ones (d: u32) : counts =
    (i32.bool (d == 0), i32.bool (d == 1), i32.bool (d == 2), i32.bool (d == 3))
  let upto = scan add (0, 0, 0, 0) (map ones digits)
  let (n0, n1, n2, _) = if n == 0 then (0, 0, 0, 0) else last upto
  let target (d: u32) (c: counts) : i64 =
    i64.i32 (if d == 0
             then c.0 - 1
             else if d == 1 then n0 + c.1 - 1
             else if d == 2 then n0 + n1 + c.2 - 1
             else n0 + n1 + n2 + c.3 - 1)
  in scatter (replicate n 0) (map2 target digits upto) xs

entry input (n: i64) = tabulate n (h32 1)
entry kernel [n] (xs: [n]u32) : [n]u32 = loop xs for i < 16 do step (u32.i32 i * 2) xs
entry checksum [n] (xs: [n]u32) = digest_u32 xs
