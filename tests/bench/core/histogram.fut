-- How often each key occurs.
import "common"

entry input_256 (n: i64) = (256i64, tabulate n (\i -> below 1 i 256))
entry input_65536 (n: i64) = (65536i64, tabulate n (\i -> below 1 i 65536))

entry kernel [n] (bins: i64) (keys: [n]i32) : [bins]i32 =
  hist (+) 0 bins (map i64.i32 keys) (replicate n 1)

entry checksum [n] (counts: [n]i32) = digest_i32 counts
