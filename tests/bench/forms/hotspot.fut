-- Heat that spreads, with whole rows and columns moved by one.
module core = import "../core/hotspot"

def step [n] [m] (p: [n][m]f32) (t: [n][m]f32) : [n][m]f32 =
  let before 'a [k] (xs: [k]a) : [k]a = map (\i -> xs[i64.max 0 (i - 1)]) (iota k)
  let after 'a [k] (xs: [k]a) : [k]a = map (\i -> xs[i64.min (k - 1) (i + 1)]) (iota k)
  let row above here below power =
    map3 (\(c, q) (north, south) (west, east) ->
            c + 0.1 * q + 0.2 * (north + south - 2 * c) + 0.15 * (east + west - 2 * c) + 0.01 * (80 - c))
         (zip here power) (zip above below) (zip (before here) (after here))
  in map4 row (before t) t (after t) p

entry input = core.input
entry kernel [n] [m] (t: [n][m]f32) (p: [n][m]f32) : [n][m]f32 = loop t for _i < 360i32 do step p t
entry checksum = core.checksum
