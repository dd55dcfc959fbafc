-- Ranks along edges, by what each vertex gives to all of its edges.
module core = import "../core/pagerank"

entry input = core.input
entry kernel [n] [e] (offsets: [n]i32) (targets: [e]i32) : [n - 1]f32 =
  let vertices = n - 1
  let count = f32.i64 vertices
  let places = map i64.i32 targets
  let step (ranks: [vertices]f32) =
    let given (v: i64) =
      let degree = i64.i32 (offsets[v + 1] - offsets[v])
      in replicate degree (ranks[v] / f32.i64 degree)
    let (_, _, _, shares) = flatmap' given (iota vertices)
    let sums = reduce_by_index (replicate vertices 0) (+) 0 places (shares :> [e]f32)
    in map (\s -> 0.15 / count + 0.85 * s) sums
  in loop ranks = replicate vertices (1 / count) for _i < 4i32 do step ranks
entry checksum = core.checksum
