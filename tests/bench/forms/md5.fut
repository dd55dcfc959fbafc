-- MD5's compression as four loops of sixteen rounds.
module core = import "../core/md5"

type state = (u32, u32, u32, u32)

def rounds (number: i64) (words: [16]u32) (mix: u32 -> u32 -> u32 -> u32) (word: i64 -> i64)
           (s: state) : state =
  loop (a, b, c, d) = s for i < 16i64 do
    let sum = a + mix b c d + core.constants[16 * number + i] + words[word i % 16]
    in (d, b + core.rotated sum core.shifts[number, i % 4], b, c)

def compress (words: [16]u32) : [4]u32 =
  let (a, b, c, d) = (0x67452301u32, 0xefcdab89u32, 0x98badcfeu32, 0x10325476u32)
  let (a', b', c', d') =
    (a, b, c, d)
    |> rounds 0 words (\b c d -> d ^ (b & (c ^ d))) (\i -> i)
    |> rounds 1 words (\b c d -> c ^ (d & (b ^ c))) (\i -> 5 * i + 1)
    |> rounds 2 words (\b c d -> b ^ c ^ d) (\i -> 3 * i + 5)
    |> rounds 3 words (\b c d -> c ^ (b | !d)) (\i -> 7 * i)
  in [a + a', b + b', c + c', d + d']

entry input = core.input
entry kernel [n] (blocks: [n][16]u32) : [n][4]u32 =
  tabulate n (\i -> compress blocks[i])
entry checksum = core.checksum
