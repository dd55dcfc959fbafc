-- Four steps of PageRank: each vertex hands its rank on along its edges.  (L. Page et al., 1999.)
import "common"

-- | Edges by source (compressed rows); low-numbered vertices are popular.
entry input (n: i64) =
  let ends = scan (+) 0 (tabulate n (\v -> long_tailed 5 v 14))
  let offsets = tabulate (n + 1) (\v -> i32.i64 (if v == 0 then 0 else ends[v - 1]))
  let target e =
    let h = u64.u32 (h32 6 e)
    in i32.u64 ((((h * h) >> 32) * u64.i64 n) >> 32)
  in (offsets, tabulate (i64.i32 offsets[n]) target)

-- | The source of each edge.
def sources [n] (offsets: [n]i32) (edges: i64) : [edges]i32 =
  let begins = map i64.i32 (init offsets)
  in scan i32.max 0 (scatter (replicate edges 0) begins (map i32.i64 (indices begins)))

entry kernel [n] [e] (offsets: [n]i32) (targets: [e]i32) : [n - 1]f32 =
  let vertices = n - 1
  let count = f32.i64 vertices
  let degrees = tabulate vertices (\v -> f32.i32 (offsets[v + 1] - offsets[v]))
  let sources = sources offsets e
  in loop ranks = replicate vertices (1 / count) for _i < 4i32 do
       let shares = map2 (/) ranks degrees
       let given = hist (+) 0 vertices (map i64.i32 targets) (map (\v -> shares[v]) sources)
       in map (\r -> 0.15 / count + 0.85 * r) given

entry checksum [n] (ranks: [n]f32) = digest_f32 ranks
