-- Keeping numbers by counting those that are kept before.
module core = import "../core/filter"

def places [n] (keep: [n]bool) : ([n]i64, i64) =
  let counts = scan (+) 0 (map i64.bool keep)
  in ( map2 (\k c -> if k then c - 1 else -1) keep counts
     , if n == 0 then 0 else last counts )

entry input = core.input
entry kernel_filter [n] (xs: [n]f32) : []f32 =
  let (places, count) = places (map (< 0.5) xs)
  in scatter (replicate count 0) places xs

entry kernel_partition [n] (xs: [n]f32) : [n]f32 =
  let small = map (< 0.5) xs
  let (low, count) = places small
  let (high, _) = places (map (\s -> !s) small)
  let place s l h = if s then l else count + h
  in scatter (replicate n 0) (map3 place small low high) xs
entry checksum = core.checksum
