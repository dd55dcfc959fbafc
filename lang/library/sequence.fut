-- | Sequences of arrays that may differ in size: one after the other in one array, with their sizes
-- beside it.
--
-- What is done with each array is a function that takes the array's size first, as in
-- `sequence.map (\k (xs: [k]i32) -> rotate 1 xs)`.
--
-- After Madsen, Clifton-Everest, Chakravarty, Keller: Functional array streams (FHPC 2015), and
-- Clifton-Everest, McDonell, Chakravarty, Keller: Streaming irregular arrays (Haskell 2017).

-- (Inside of the module, some of the prelude's names mean sequences.)
local def begins_of [n] (sizes: [n]i64) : [n]i64 =
  map2 (\end size -> end - size) (scan (+) 0 sizes) sizes

local def apply_each [n] 'a 'b (f: a -> b) (xs: [n]a) : [n]b = map f xs

local def apply_each2 [n] 'a 'b 'c (f: a -> b -> c) (xs: [n]a) (ys: [n]b) : [n]c = map2 f xs ys

local def count [n] 't (_: [n]t) : i64 = n

module sequence = {
  -- | `n` arrays: `let s : sequence.sequence i32 = {sizes = [1, 2], data = [7, 8, 9]} in s.data` is
  -- `[7, 8, 9]`.
  type~ sequence 't = ?[n][m].{sizes: [n]i64, data: [m]t}

  -- | What a function makes of the numbers below `n`, an array each:
  -- `sequence.elements (sequence.produce 4 iota)` is `[0, 0, 1, 0, 1, 2]`.
  def produce 't (n: i64) (f: i64 -> ?[k].[k]t) : sequence t =
    let (sizes, _, _, data) = flatmap' f (iota n)
    in {sizes, data}

  -- | The rows of a matrix: `(sequence.of_rows [[1, 2], [3, 4]]).sizes` is `[2, 2]`.
  def of_rows [n] [m] 't (rows: [n][m]t) : sequence t =
    {sizes = replicate n m, data = flatten rows}

  -- | An array cut into arrays of the given sizes, which must add up to its own:
  -- `sequence.reduce_each (\k (xs: [k]i32) -> i32.sum xs) (sequence.split_at [2, 0, 1] [1, 2, 3])` is
  -- `[3, 0, 3]`.
  def split_at [n] [m] 't (sizes: [n]i64) (xs: [m]t) : sequence t =
    assert (all (>= 0) sizes && i64.sum sizes == m) {sizes, data = xs}

  -- | Arrays of `size` elements in a row, each beginning `step` elements after the one before, as
  -- many as there are: `sequence.elements (sequence.windows 3 2 [1, 2, 3, 4, 5, 6])` is
  -- `[1, 2, 3, 3, 4, 5]`.
  def windows [m] 't (size: i64) (step: i64) (xs: [m]t) : sequence t =
    let valid = assert (size > 0 && step > 0) true
    let n = if valid && size <= m then (m - size) / step + 1 else 0
    in {sizes = replicate n size, data = flatten (tabulate_2d n size (\i j -> xs[i * step + j]))}

  -- | What a function makes of each array:
  -- `sequence.elements (sequence.map (\k (xs: [k]i32) -> xs[1:]) (sequence.of_rows [[1, 2], [3, 4]]))`
  -- is `[2, 4]`.
  def map 'a 'b (f: (k: i64) -> [k]a -> ?[l].[l]b) ({sizes, data}: sequence a) : sequence b =
    let one (begin: i64, size: i64) = f size (data[begin:begin + size] :> [size]a)
    let (sizes, _, _, data) = flatmap' one (zip (begins_of sizes) sizes)
    in {sizes, data}

  -- | The same of the arrays of two sequences in turn, as long as both have one:
  -- `sequence.elements (sequence.map2 (\k (xs: [k]i32) l (ys: [l]i32) -> xs ++ ys)
  -- (sequence.of_rows [[1], [2]]) (sequence.of_rows [[3, 4]]))` is `[1, 3, 4]`.
  def map2 'a 'b 'c
           (f: (k: i64) -> [k]a -> (l: i64) -> [l]b -> ?[j].[j]c)
           (s: sequence a) (t: sequence b) : sequence c =
    let n = i64.min (count s.sizes) (count t.sizes)
    let begins_s = begins_of s.sizes
    let begins_t = begins_of t.sizes
    let one (i: i64) =
      let k = s.sizes[i]
      let l = t.sizes[i]
      in f k (s.data[begins_s[i]:begins_s[i] + k] :> [k]a)
           l (t.data[begins_t[i]:begins_t[i] + l] :> [l]b)
    let (sizes, _, _, data) = flatmap' one (iota n)
    in {sizes, data}

  -- | What a function comes to on each array:
  -- `sequence.reduce_each (\k (xs: [k]i32) -> i32.sum xs) (sequence.windows 2 1 [1, 2, 3])` is
  -- `[3, 5]`.
  def reduce_each 'a 'b (f: (k: i64) -> [k]a -> b) ({sizes, data}: sequence a) : ?[n].[n]b =
    apply_each2 (\begin size -> f size (data[begin:begin + size] :> [size]a))
                (begins_of sizes) sizes

  -- | What it comes to on all of them, combined by an associative operator with the neutral element
  -- `ne`: `sequence.fold (+) 0 (\k (_: [k]i32) -> k) (sequence.windows 2 1 [1, 2, 3])` is `4`.
  def fold 'a 'b (op: b -> b -> b) (ne: b) (f: (k: i64) -> [k]a -> b) (s: sequence a) : b =
    let results = reduce_each f s
    in reduce op ne results

  -- | All elements, in order: `sequence.elements (sequence.of_rows [[1, 2], [3, 4]])` is
  -- `[1, 2, 3, 4]`.
  def elements 't ({sizes = _, data}: sequence t) : ?[m].[m]t = data

  -- | The arrays as the rows of a matrix, each cut to the size of the smallest:
  -- `sequence.tabulate (sequence.split_at [2, 3] [1, 2, 3, 4, 5])` is `[[1, 2], [3, 4]]`.
  def tabulate 't ({sizes, data}: sequence t) : ?[n][k].[n][k]t =
    let k = if count sizes == 0 then 0 else i64.minimum sizes
    in apply_each (\begin -> data[begin:begin + k] :> [k]t) (begins_of sizes)

  -- | How many arrays there are: `sequence.length (sequence.windows 2 1 [1, 2, 3])` is `2`.
  def length 't ({sizes, data = _}: sequence t) : i64 = count sizes
}
