-- | Neural networks that learn by stochastic gradient descent.
--
-- `net` is for `f64`, `net_f32` for `f32`.  A *layer* says what becomes of a batch of inputs, and how
-- a change of what came out is brought back to its inputs and weights (D. E. Rumelhart,
-- G. E. Hinton and R. J. Williams, Learning representations by back-propagating errors, 1986).  A
-- batch has an input in each row.  Layers that follow each other are a layer, too:
--
--     def layers (n: i64) =
--       net.stack (net.dense n 64 32) (net.stack (net.relu n 32) (net.dense n 32 10))

import "linear"
import "random"

local module make_net
  (F: float)
  (Linear: {val product [n] [m] [k] : (a: [n][k]F.t) -> (b: [k][m]F.t) -> *[n][m]F.t})
  (Random: {val normal : (n: i64) -> (u64, u64) -> *[n]F.t}) = {
  local type t = F.t
  local def zero = F.i32 0

  -- | What becomes of a batch `a`: a batch `b`, and what the way back needs to know, `c`.  `backward`
  -- makes of the derivatives by `b` those by `a` and by the weights; `descend` goes so far against
  -- those.
  type^ layer 'weights 'a 'b 'c =
    { forward: weights -> a -> (b, c)
    , backward: weights -> c -> b -> (a, weights)
    , descend: t -> weights -> weights -> weights
    }

  local def against (rate: t) (w: t) (d: t) : t = w F.- rate F.* d

  -- | For batches of `n` inputs of `i` numbers, each of `o` outputs a weighted sum of all inputs and
  -- a bias: `((net.dense 1 2 1).forward ([[3], [4]], [5]) [[1, 2]]).0` is `[[16]]`.
  def dense (n: i64) (i: i64) (o: i64) : layer ([i][o]t, [o]t) ([n][i]t) ([n][o]t) ([n][i]t) =
    { forward = \(weights, biases) xs ->
        (map (map2 (F.+) biases) (Linear.product xs weights), xs)
    , backward = \(weights, _) xs d ->
        ( Linear.product d (transpose weights)
        , (Linear.product (transpose xs) d, map F.sum (transpose d)) )
    , descend = \rate (weights, biases) (dw, db) ->
        (map2 (map2 (against rate)) weights dw, map2 (against rate) biases db)
    }

  -- | Weights to begin with, normal with variance `2 / i`, and no biases:
  -- `(net.dense_weights 3 2 (1, 0)).1` is `[0, 0]`.
  --
  -- K. He, X. Zhang, S. Ren and J. Sun, Delving deep into rectifiers, 2015.
  def dense_weights (i: i64) (o: i64) (key: (u64, u64)) : ([i][o]t, [o]t) =
    let scale = F.sqrt (F.i32 2 F./ F.i64 i)
    in (unflatten (map (F.* scale) (Random.normal (i * o) key)), replicate o zero)

  -- | Nothing instead of negative numbers; it has no weights:
  -- `((net.relu 1 3).forward () [[-2, 0, 3]]).0` is `[[0, 0, 3]]`.
  def relu (n: i64) (k: i64) : layer () ([n][k]t) ([n][k]t) ([n][k]t) =
    let positive (x: t) (y: t) = if x F.> zero then y else zero
    in { forward = \() xs -> (map (map (\x -> positive x x)) xs, xs)
       , backward = \() xs d -> (map2 (map2 positive) xs d, ())
       , descend = \_ () () -> ()
       }

  -- | One layer, then another; the weights are those of both:
  -- `((net.stack (net.relu 1 2) (net.dense 1 2 1)).forward ((), ([[3], [4]], [5])) [[-1, 2]]).0` is
  -- `[[13]]`.
  def stack 'v 'w 'x 'y 'z 'c 'd (first: layer v x y c) (second: layer w y z d)
            : layer (v, w) x z (c, d) =
    { forward = \(v, w) xs ->
        let (ys, c) = first.forward v xs
        let (zs, d) = second.forward w ys
        in (zs, (c, d))
    , backward = \(v, w) (c, d) dz ->
        let (dy, dw) = second.backward w d dz
        let (dx, dv) = first.backward v c dy
        in (dx, (dv, dw))
    , descend = \rate (v, w) (dv, dw) -> (first.descend rate v dv, second.descend rate w dw)
    }

  -- | Chances in proportion to the exponentials of numbers: `net.softmax [0, 0]` is `[0.5, 0.5]`.
  def softmax [k] (xs: [k]t) : [k]t =
    let most = F.maximum xs
    let es = map (\x -> F.exp (x F.- most)) xs
    let sum = F.sum es
    in map (F./ sum) es

  -- | How improbable the right classes are, by `softmax` of what came out for each; the mean of the
  -- logarithms: `net.cross_entropy [0, 1] [[0, 0], [0, 0]]` is `f64.log 2`.
  def cross_entropy [n] [k] (labels: [n]i64) (outputs: [n][k]t) : t =
    let of_input label (xs: [k]t) =
      let most = F.maximum xs
      in F.log (F.sum (map (\x -> F.exp (x F.- most)) xs)) F.+ most F.- xs[label]
    in F.sum (map2 of_input labels outputs) F./ F.i64 n

  -- | The derivatives of `cross_entropy` by what came out:
  -- `net.cross_entropy_slope [0, 1] [[0, 0], [0, 0]]` is `[[-0.25, 0.25], [0.25, -0.25]]`.
  def cross_entropy_slope [n] [k] (labels: [n]i64) (outputs: [n][k]t) : [n][k]t =
    let of_input label xs =
      map2 (\c p -> (if c == label then p F.- F.i32 1 else p) F./ F.i64 n) (iota k) (softmax xs)
    in map2 of_input labels outputs

  -- | The weights after one step down the slope of `cross_entropy` for a batch:
  -- `(net.learn 4 (net.dense 1 1 2) ([[0, 0]], [0, 0]) [[1]] [0]).1` is `[2, -2]`.
  def learn 'w 'a 'c [n] [k] (rate: t) (layer: layer w a ([n][k]t) c) (weights: w) (batch: a)
                     (labels: [n]i64) : w =
    let (outputs, known) = layer.forward weights batch
    let (_, slope) = layer.backward weights known (cross_entropy_slope labels outputs)
    in layer.descend rate weights slope

  -- | The weights after a step for each of several batches:
  -- `(net.epoch 4 (net.dense 1 1 2) ([[0, 0]], [0, 0]) [[[1]], [[0]]] [[0], [0]]).0` is
  -- `[[2, -2]]`.
  def epoch 'w 'a 'c [s] [n] [k] (rate: t) (layer: layer w a ([n][k]t) c) (weights: w)
                     (batches: [s]a) (labels: [s][n]i64) : w =
    loop weights for b < s do learn rate layer weights batches[b] labels[b]

  -- | The class with the greatest output, the first one of equals, for each input:
  -- `net.classes [[0, 3, 3], [1, 0, -1]]` is `[1, 0]`.
  def classes [n] [k] (outputs: [n][k]t) : [n]i64 =
    let better (x: t, i: i64) (y: t, j: i64) =
      if j == k || (i != k && (x F.> y || (!(y F.> x) && i < j))) then (x, i) else (y, j)
    in map (\xs -> (reduce_comm better (zero, k) (zip xs (iota k))).1) outputs

  -- | The share of the inputs whose class is the right one:
  -- `net.accuracy [1, 1] [[0, 3], [1, 0]]` is `0.5`.
  def accuracy [n] [k] (labels: [n]i64) (outputs: [n][k]t) : t =
    F.sum (map2 (\label c -> F.bool (label == c)) labels (classes outputs)) F./ F.i64 n
}

-- | `f64`.
module net = make_net f64 linear random
-- | `f32`: `net_f32.softmax [0]` is `[1]`.
module net_f32 = make_net f32 linear_f32 random_f32
