-- What the benchmarks share: a counter-based generator of inputs, and checksums of results.

-- | Number `i` of stream `s`, uniform over all 64-bit numbers (the finaliser of splitmix64).
def h64 (s: u64) (i: u64) : u64 =
  let z = ((s << 48) + i + 1) * 0x9E3779B97F4A7C15
  let z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
  let z = (z ^ (z >> 27)) * 0x94D049BB133111EB
  in z ^ (z >> 31)

def h32 (s: u64) (i: i64) : u32 = u32.u64 (h64 s (u64.i64 i) >> 32)

-- | Uniform in [0, 1), a multiple of 2^-24.
def uniform (s: u64) (i: i64) : f32 = f32.u64 (h64 s (u64.i64 i) >> 40) * 5.9604645e-8

-- | Uniform in [0, 1), a multiple of 2^-53.
def uniform_f64 (s: u64) (i: i64) : f64 =
  f64.u64 (h64 s (u64.i64 i) >> 11) * 1.1102230246251565e-16

-- | Uniform in 0..<m.
def below (s: u64) (i: i64) (m: u64) : i32 = i32.u64 ((u64.u32 (h32 s i) * m) >> 32)

-- | A heavy-tailed length of at least 1: more than L about twice in L times.
def long_tailed (s: u64) (i: i64) (most: i32) : i64 =
  let z = h64 s (u64.i64 i)
  let low = u32.u64 z
  let k = if low == 0 then most else i32.min most (u32.ctz low)
  in 1 + i64.u64 (((z >> 32) * (4 << u64.i32 k)) >> 32)

def uniforms (s: u64) (n: i64) : [n]f32 = tabulate n (uniform s)

-- | Sum of all elements; weighted sum and hash of a sample.
type digest = (f64, f64, u64)

def sample 'a [n] (most: i64) (xs: [n]a) : []a =
  let m = i64.min n most
  in tabulate m (\k -> xs[k * n / m])

def weighted (vs: []f64) : f64 =
  f64.sum (map2 (\k v -> (1 + f64.i64 (k % 17) / 16) * v) (indices vs) vs)

def hash_of (vs: []u64) : u64 =
  reduce (+) 0 (map2 (\k v -> h64 77 (v + (u64.i64 k << 32))) (indices vs) vs)

def floats_digest [n] (xs: [n]f64) : digest =
  let sampled = sample 65536 xs
  let largest = f64.maximum (map f64.abs sampled)
  let scale = if largest > 0 then 2 ** f64.ceil (f64.log2 largest) else 1
  let away x = if x < 0 then f64.ceil (x - 0.5) else f64.floor (x + 0.5)
  let rounded = map (\v -> u64.i64 (i64.f64 (away (64 * v / scale)))) (sample 64 sampled)
  in (f64.sum xs, weighted sampled, hash_of rounded)

def digest_f32 [n] (xs: [n]f32) : digest =
  let (_, w, h) = floats_digest (map f64.f32 (sample 65536 xs))
  in (f64.sum (map f64.f32 xs), w, h)

def digest_f64 [n] (xs: [n]f64) : digest = floats_digest xs

def digest_u32 [n] (xs: [n]u32) : digest =
  let sampled = sample 65536 xs
  in ( f64.sum (map f64.u32 xs)
     , weighted (map f64.u32 sampled)
     , hash_of (map u64.u32 sampled)
     )

def digest_i32 [n] (xs: [n]i32) : digest =
  let sampled = sample 65536 xs
  in ( f64.sum (map f64.i32 xs)
     , weighted (map f64.i32 sampled)
     , hash_of (map (\v -> u64.u32 (u32.i32 v)) sampled)
     )

-- | Several results: sums add, hashes chain.
def both ((s, w, h): digest) ((s', w', h'): digest) : digest =
  (s + s', w + w', 31 * h + h')
