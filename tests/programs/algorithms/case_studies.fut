-- The benchmarks' larger programs on small inputs: what must hold of their results.

module model = import "../../bench/cases/viterbi_model"
module viterbi = import "../../bench/cases/viterbi"
module loops = import "../../bench/cases/viterbi_loops"
module nets = import "../../bench/cases/net"
import "sinter/net"

-- The score of a way through the model, sample by sample; impossible ones have none.
def score [k] [d] [t] (m: model.model [k] [d]) (samples: [t]f32) (path: [t]i32) : f64 =
  let of_state (i: i64) = (i64.i32 path[i] / d, i64.i32 path[i] % d)
  let of_sample (i: i64) : f64 =
    let (w, c) = of_state i
    let emitted = f64.f32 (model.emission m.levels[w] samples[i])
    let (before, left) = if i == 0 then (0, 0) else of_state (i - 1)
    let goes_on = if i > 0 && before == w && left == i64.min (c + 1) (d - 1)
                  then f64.f32 m.go_on[c] else -f64.inf
    let is_entered = i == 0 || (left == 0 && before % (k / 4) == w / 4)
    let entered = if is_entered then f64.f32 m.enter[c] else -f64.inf
    in emitted + f64.max goes_on entered
  in f64.sum (tabulate t of_sample)

-- Both programs find the same ways, no worse than the true one, and nearly all k-mers are right.
-- ==
-- entry: ways
-- input { 64i64 4i64 200i64 } output { true true true }
-- long input { 256i64 8i64 90i64 } output { true true true }
-- input { 4i64 2i64 30i64 } output { true true true }
entry ways (k: i64) (d: i64) (t: i64) : (bool, bool, bool) =
  let m = model.of_sizes k d
  let (samples, truth) = unzip (tabulate 3 (\q -> model.signal m t q))
  let found = viterbi.kernel m.levels m.enter m.go_on samples
  let again = loops.kernel m.levels m.enter m.go_on samples
  -- What is left of a k-mer's samples, and so the true states.
  let states (kmers: [t]i32) : [t]i32 =
    let left =
      loop left = replicate t 0 for j < t do
        let i = t - 1 - j
        let goes_on = i + 1 < t && kmers[i] == kmers[i + 1]
        in left with [i] = if goes_on then i64.min (d - 1) (left[i + 1] + 1) else 0
    in map2 (\w c -> model.state m c (i64.i32 w)) kmers left
  let right =
    i64.sum (flatten (map2 (map2 (\p w -> i64.bool (p / i32.i64 d == w))) found truth))
  in ( and (map2 (\p q -> and (map2 (==) p q)) found again)
     , and (map3 (\x p w -> score m x p >= score m x (states w) - 1e-3) samples found truth)
     , 10 * right >= 9 * 3 * t )

-- A network begins to learn images that mean nothing by heart.
-- ==
-- entry: by_heart
-- long input { 30i64 } output { true true }
entry by_heart (epochs: i64) : (bool, bool) =
  let (images, labels, first, second, third) = nets.input_small 1
  let (images, labels) = (images :> [1][100][64]f32, labels :> [1][100]i64)
  let start =
    let (second, third) = (second :> [32][16]f32, third :> [16][10]f32)
    in ( (first :> [64][32]f32, replicate 32 0)
       , ((), ((second, replicate 16 0), ((), (third, replicate 10 0)))) )
  let layers = nets.layers 100 64 32 16
  let loss weights = net_f32.cross_entropy labels[0] (layers.forward weights images[0]).0
  let learnt =
    net_f32.epoch 0.5 layers start (replicate epochs images[0]) (replicate epochs labels[0])
  in (f32.abs (loss start - f32.log 10) < 0.1, loss learnt < loss start - 0.02)
