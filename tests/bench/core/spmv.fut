-- A sparse matrix (compressed rows) times a vector.
import "common"

def rows_of (n: i64) (lengths: [n]i64) =
  let ends = scan (+) 0 lengths
  let offsets = tabulate (n + 1) (\i -> i32.i64 (if i == 0 then 0 else ends[i - 1]))
  let entries = i64.i32 offsets[n]
  in ( offsets
     , tabulate entries (\e -> below 6 e (u64.i64 n))
     , tabulate entries (uniform 7)
     , uniforms 8 n
     )

entry input_regular (n: i64) = rows_of n (replicate n 16)
entry input_powerlaw (n: i64) = rows_of n (tabulate n (\i -> long_tailed 5 i 14))

entry kernel [n] [e] (offsets: [n]i32) (columns: [e]i32) (values: [e]f32) (x: [n - 1]f32) =
  tabulate (n - 1) (\row ->
    let begin = i64.i32 offsets[row]
    let end = i64.i32 offsets[row + 1]
    in f32.sum (map2 (\v c -> v * x[c]) values[begin:end] columns[begin:end]))

entry checksum [n] (y: [n]f32) = digest_f32 y
