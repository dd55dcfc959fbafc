-- A dictionary attack on MD5: which of many words, each a block of 16 numbers, has the hash that is
-- sought; of all words at once, and as a step of a stream.
import "../core/md5"

def found_in [n] (first: i64) (blocks: [n][16]u32) : i64 =
  let is_sought (words: [16]u32) = let hash = compress words in hash[0] == 0x12345678
  in i64.minimum (map2 (\i words -> if is_sought words then first + i else i64.highest) (iota n) blocks)

entry whole [n] (blocks: [n][16]u32) : i64 = found_in 0 blocks

entry init : (i64, i64) = (0, i64.highest)
entry step [k] (state: (i64, i64)) (blocks: [k][16]u32) : (i64, i64) =
  (state.0 + k, i64.min state.1 (found_in state.0 blocks))
entry finish (state: (i64, i64)) : i64 = state.1
