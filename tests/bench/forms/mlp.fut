-- A network learns, with products as sums of rows and gradients as sums over images.
module core = import "../core/mlp"

def product [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> loop sum = replicate p 0 for k < m do map2 (\s x -> s + row[k] * x) sum b[k]) a

def sums [n] [m] (a: [n][m]f32) : [m]f32 = reduce (map2 (+)) (replicate m 0) a

def descend [b] [i] [h] [o] (x: [b][i]f32) (labels: [b]i32)
                            ((w1, w2, b1, b2): core.network [i] [h] [o]) : core.network [i] [h] [o] =
  let hidden = map (\row -> map2 (\v bias -> f32.max 0 (v + bias)) row b1) (product x w1)
  let outputs = map (\row -> core.softmax (map2 (+) row b2)) (product hidden w2)
  let dz =
    tabulate_2d b o (\r k ->
      (outputs[r, k] - f32.bool (k == i64.i32 labels[r])) / f32.i64 b)
  let back = product dz (transpose w2)
  let dh = tabulate_2d b h (\r k -> if hidden[r, k] > 0 then back[r, k] else 0)
  let g1 = product (transpose x) dh
  let g2 = product (transpose hidden) dz
  in ( tabulate_2d i h (\r k -> w1[r, k] - 0.1 * g1[r, k])
     , tabulate_2d h o (\r k -> w2[r, k] - 0.1 * g2[r, k])
     , map2 (\w g -> w - 0.1 * g) b1 (sums dh)
     , map2 (\w g -> w - 0.1 * g) b2 (sums dz)
     )

entry input = core.input
entry kernel [s] [b] [i] [h] [o] (n: i64) (x: [s][b][i]f32) (labels: [s][b]i32)
                                 (w1: [i][h]f32) (w2: [h][o]f32) : ([h][o]f32, [h]f32) =
  let (_, w2, b1, _) =
    loop net = (w1, w2, replicate h 0, replicate o 0) for k < n do
      descend x[k % s] labels[k % s] net
  in (w2, b1)
entry checksum = core.checksum
