-- | Functions of arrays that may as well be computed in chunks, as in Henriksen, Serup, Elsman,
-- Henglein, Oancea: Futhark: purely functional GPU-programming with nested parallelism and in-place
-- array updates (PLDI 2017).
--
-- What they mean is one chunk: the whole array, whose size the function takes first.  By calling
-- them a program warrants that any other cut gives the same, wherever the array is cut into chunks
-- that are not empty: they may then be computed by different threads, or one after the other in
-- memory that does not grow.  `sinter run --debug` tests that on the data at hand, `--chunks random`
-- computes with such cuts.

-- | What a function makes of all chunks, one behind the other:
-- `map_stream (\k (xs: [k]i32) -> map (+ 1) xs) [1, 2, 3]` is `[2, 3, 4]`.
def map_stream [n] 'a 'b (f: (k: i64) -> [k]a -> [k]b) (xs: [n]a) : [n]b =
  #[chunked(map)] f n xs

-- | What a function comes to on all chunks, combined by an associative operator:
-- `reduce_stream (+) (\k (xs: [k]i32) -> i32.sum xs) [1, 2, 3]` is `6`.
def reduce_stream [n] 'a 'b (op: b -> b -> b) (f: (k: i64) -> [k]a -> b) (xs: [n]a) : b =
  #[chunked(reduce)] (let _ = op in f n xs)

-- | A state that a function takes through all chunks in turn:
-- `fold_stream (\k (s: i32) (xs: [k]i32) -> s + i32.sum xs) 10 [1, 2, 3]` is `16`.
def fold_stream [n] 'a 's (f: (k: i64) -> s -> [k]a -> s) (s: s) (xs: [n]a) : s =
  #[chunked(fold)] f n s xs
