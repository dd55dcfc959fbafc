-- Sorting 32-bit keys by two bits at a time: the keys with each digit, one after the other, in the
-- order that they had.
import "common"

def step [n] (shift: u32) (xs: [n]u32) : [n]u32 =
  let bucket (digit: u32) = filter (\x -> (x >> shift) & 3 == digit) xs
  in (bucket 0 ++ bucket 1 ++ bucket 2 ++ bucket 3) :> [n]u32

entry input (n: i64) = tabulate n (h32 1)
entry kernel [n] (xs: [n]u32) : [n]u32 = loop xs for i < 16 do step (u32.i32 i * 2) xs
entry checksum [n] (xs: [n]u32) = digest_u32 xs
