-- `import "sinter/net"`: derivatives against differences, and networks that learn.

import "sinter/net"
import "sinter/random"

def layers (n: i64) = net.stack (net.dense n 4 5) (net.stack (net.relu n 5) (net.dense n 5 3))

def weights_of (seed: i64) =
  let keys = random.split 2 (random.seed seed)
  in (net.dense_weights 4 5 keys[0], ((), net.dense_weights 5 3 keys[1]))

def batch (n: i64) : ([n][4]f64, [n]i64) =
  (unflatten (random.normal (n * 4) (random.seed 5)), random.integers 0 3 n (random.seed 6))

-- Each weight is moved a little to both sides.
-- ==
-- entry: derivatives
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
entry derivatives (seed: i64) : bool =
  let (xs, labels) = batch 7
  let weights = weights_of seed
  let loss w = net.cross_entropy labels ((layers 7).forward w xs).0
  let (outputs, known) = (layers 7).forward weights xs
  let (_, ((dw, db), (_, (dv, dc)))) =
    (layers 7).backward weights known (net.cross_entropy_slope labels outputs)
  let ((w, b), (_, (v, c))) = weights
  let h = 1e-5
  let is_slope (d: f64) (up: f64) (down: f64) = f64.abs ((up - down) / (2 * h) - d) < 1e-8
  let moved [n] (xs: [n]f64) (k: i64) (by: f64) =
    map2 (\i x -> if i == k then x + by else x) (iota n) xs
  let all_slopes [n] (d: [n]f64) (xs: [n]f64) (loss_of: [n]f64 -> f64) =
    and (tabulate n (\k -> is_slope d[k] (loss_of (moved xs k h)) (loss_of (moved xs k (-h)))))
  in all_slopes (flatten dw) (flatten w) (\w -> loss ((unflatten w, b), ((), (v, c))))
     && all_slopes db b (\b -> loss ((w, b), ((), (v, c))))
     && all_slopes (flatten dv) (flatten v) (\v -> loss ((w, b), ((), (unflatten v, c))))
     && all_slopes dc c (\c -> loss ((w, b), ((), (v, c))))

-- Derivatives by the inputs, which are those of each input alone.
-- ==
-- entry: by_inputs
-- input { } output { true }
entry by_inputs : bool =
  let (xs, labels) = batch 3
  let weights = weights_of 1
  let loss xs = net.cross_entropy labels ((layers 3).forward weights xs).0
  let (outputs, known) = (layers 3).forward weights xs
  let (dx, _) = (layers 3).backward weights known (net.cross_entropy_slope labels outputs)
  let h = 1e-5
  let moved (i: i64) (j: i64) (by: f64) =
    tabulate_2d 3 4 (\k l -> if k == i && l == j then xs[k, l] + by else xs[k, l])
  in and (flatten (tabulate_2d 3 4 (\i j ->
       let slope = (loss (moved i j h) - loss (moved i j (-h))) / (2 * h)
       in f64.abs (slope - dx[i, j]) < 1e-8)))

-- Exclusive or, which no network without a hidden layer knows.
-- ==
-- entry: exclusive_or
-- input { } output { 1.0 true }
entry exclusive_or : (f64, bool) =
  let layers = net.stack (net.dense 4 2 8) (net.stack (net.relu 4 8) (net.dense 4 8 2))
  let xs = [[0, 0], [0, 1], [1, 0], [1, 1]]
  let labels = [0, 1, 1, 0]
  let keys = random.split 2 (random.seed 1)
  let first = (net.dense_weights 2 8 keys[0], ((), net.dense_weights 8 2 keys[1]))
  let last = net.epoch 0.5 layers first (replicate 200 xs) (replicate 200 labels)
  let loss w = net.cross_entropy labels (layers.forward w xs).0
  in (net.accuracy labels (layers.forward last xs).0, loss last < 0.05 * loss first)

-- Greatest outputs: equal ones, infinite ones, and far from each other.
-- ==
-- entry: extremes
-- input { } output { [0i64, 1i64, 2i64] [0.0f32, 1.0f32] 100.0f32 }
entry extremes : ([3]i64, [2]f32, f32) =
  ( net_f32.classes [[1, 1, 1], [-f32.inf, 0, -1], [-3, -2, -1]]
  , net_f32.softmax [-1000, 1000]
  , net_f32.cross_entropy [0] [[-100, 0]]
  )
