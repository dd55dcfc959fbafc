-- MD5's compression of independent blocks of 16 words, each from the standard state.  (R. Rivest,
-- RFC 1321.)
import "common"

def shifts : [4][4]u32 =
  [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

-- | The digits of sines, as the definition has them.
def constants : [64]u32 =
  tabulate 64 (\i -> u32.f64 (f64.floor (f64.abs (f64.sin (f64.i64 (i + 1))) * 4294967296)))

def rotated (x: u32) (by: u32) : u32 = (x << by) | (x >> (32 - by))

-- | What round `i` mixes, and which word it takes.
def mixed (i: i64) (b: u32) (c: u32) (d: u32) : (u32, i64) =
  if i < 16 then ((b & c) | (!b & d), i)
  else if i < 32 then ((d & b) | (!d & c), (5 * i + 1) % 16)
  else if i < 48 then (b ^ c ^ d, (3 * i + 5) % 16)
  else (c ^ (b | !d), (7 * i) % 16)

def compress (words: [16]u32) : [4]u32 =
  let (a0, b0, c0, d0) = (0x67452301u32, 0xefcdab89u32, 0x98badcfeu32, 0x10325476u32)
  let (a, b, c, d) =
    loop (a, b, c, d) = (a0, b0, c0, d0) for i < 64i64 do
      let (f, g) = mixed i b c d
      in (d, b + rotated (a + f + constants[i] + words[g]) shifts[i / 16, i % 4], b, c)
  in [a0 + a, b0 + b, c0 + c, d0 + d]

entry input (n: i64) = tabulate_2d n 16 (\i w -> h32 1 (16 * i + w))

entry kernel [n] (blocks: [n][16]u32) : [n][4]u32 = map compress blocks

entry checksum [n] (states: [n][4]u32) = digest_u32 (flatten states)
