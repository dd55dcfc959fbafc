-- A network of one hidden layer learns: n steps of gradient descent on minibatches of 256 images of
-- 784 pixels, 128 hidden units, 10 classes.
import "common"

def product [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

def column_sums [n] [m] (a: [n][m]f32) : [m]f32 = map f32.sum (transpose a)

def softmax [n] (z: [n]f32) : [n]f32 =
  let largest = f32.maximum z
  let e = map (\x -> f32.exp (x - largest)) z
  let sum = f32.sum e
  in map (/ sum) e

type network [i] [h] [o] = ([i][h]f32, [h][o]f32, [h]f32, [o]f32)

def descend [b] [i] [h] [o] (x: [b][i]f32) (labels: [b]i32)
                            ((w1, w2, b1, b2): network [i] [h] [o]) : network [i] [h] [o] =
  let rate = 0.1f32
  let hidden = map (map2 (\bias v -> f32.max 0 (v + bias)) b1) (product x w1)
  let outputs = map (softmax <-< map2 (+) b2) (product hidden w2)
  let dz =
    map2 (\label p ->
            map2 (\k v -> (v - (if k == i64.i32 label then 1 else 0)) / f32.i64 b) (iota o) p)
         labels outputs
  let dh =
    map2 (map2 (\v g -> if v > 0 then g else 0)) hidden (product dz (transpose w2))
  let towards [k] (w: [k]f32) (g: [k]f32) = map2 (\w g -> w - rate * g) w g
  in ( map2 towards w1 (product (transpose x) dh)
     , map2 towards w2 (product (transpose hidden) dz)
     , towards b1 (column_sums dh)
     , towards b2 (column_sums dz)
     )

entry input (n: i64) =
  ( n
  , tabulate_3d 8 256 784 (\s i j -> uniform 1 ((s * 256 + i) * 784 + j))
  , tabulate_2d 8 256 (\s i -> i32.u32 (h32 2 (s * 256 + i) % 10))
  , tabulate_2d 784 128 (\i j -> (uniform 3 (i * 128 + j) - 0.5) * 0.125)
  , tabulate_2d 128 10 (\i j -> (uniform 4 (i * 10 + j) - 0.5) * 0.25)
  )

entry kernel [s] [b] [i] [h] [o] (n: i64) (x: [s][b][i]f32) (labels: [s][b]i32)
                                 (w1: [i][h]f32) (w2: [h][o]f32) : ([h][o]f32, [h]f32) =
  let (_, w2, b1, _) =
    loop net = (w1, w2, replicate h 0, replicate o 0) for k < n do
      descend x[k % s] labels[k % s] net
  in (w2, b1)

entry checksum [h] [o] (w2: [h][o]f32) (b1: [h]f32) = both (digest_f32 (flatten w2)) (digest_f32 b1)
