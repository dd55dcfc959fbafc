-- A hidden Markov model of what a nanopore tells of a strand of DNA that passes it, and synthetic
-- signals.  A state is a k-mer, the letters that are in the pore, and a *duration class*: for how
-- many more samples they stay there.  The last class is for that many and more.
--
-- A state has at most five predecessors: the same k-mer with one more sample to come, and, where a
-- k-mer has just been entered, the last sample of each of the four that can come before it.
import "common"

-- | Levels of the k-mers' currents, in units in which the density of what is off by x goes as
-- exp(-x * x); logarithms of the chances that a k-mer is entered in a class, and that one of a class
-- goes on.
type model [k] [d] = {levels: [k]f32, enter: [d]f32, go_on: [d]f32}

def of_sizes (k: i64) (d: i64) : model [k] [d] =
  { levels = tabulate k (\w -> 64 * uniform 1 w)
  , enter = tabulate d (\c -> if c == 0 then -8 else -4)
  , go_on = tabulate d (\c -> if c == d - 1 then -0.5 else if c == d - 2 then -1 else 0)
  }

-- | The emission of a sample by a k-mer, but for what is the same for all.
def emission (level: f32) (sample: f32) : f32 =
  let off = sample - level
  in -(off * off)

-- | About normal noise, of a variance of 1/3.
def noise (i: i64) : f32 =
  uniform 2 i + uniform 3 i + uniform 4 i + uniform 5 i - 2

-- | The signal of strand number `q`: each k-mer stays for 2 to as many samples as there are classes.
-- Also the k-mer at each.
def signal [k] [d] (m: model [k] [d]) (t: i64) (q: i64) : ([t]f32, [t]i32) =
  let drawn (i: i64) = h32 6 (t * q + i)
  let (samples, truth, _, _) =
    loop (samples, truth, kmer, left) = (replicate t 0, replicate t 0, 0i64, 0i64) for i < t do
      let (kmer, left) =
        if left > 0 then (kmer, left - 1)
        else ( (kmer * 4 + i64.u32 (drawn i % 4)) % k
             , 1 + i64.u32 ((drawn i / 4) % u32.i64 (d - 1)) )
      in ( samples with [i] = m.levels[kmer] + noise (t * q + i)
         , truth with [i] = i32.i64 kmer
         , kmer, left )
  in (samples, truth)

-- | A state's number.
def state [k] [d] (_: model [k] [d]) (class: i64) (kmer: i64) : i32 = i32.i64 (kmer * d + class)
