-- | Second-order array combinators: the ways to say what happens to all elements at once.
--
-- Operators handed to `reduce`, `scan` and their kin must be associative, and the neutral element
-- must be neutral for them.  Where it is not quite so (sums of floats are rounded) the order shows:
-- rows of 64 elements from left to right, then blocks of 64 rows, then the blocks.  If the elements
-- are arrays, the operator must keep their sizes.
--
-- Functions may be evaluated for many elements at once and in any order.

-- | Applies a function to each element: `map (* 2) [1, 2, 3]` is `[2, 4, 6]`.
def map 'a [n] 'x (f: a -> x) (xs: [n]a) : *[n]x = intrinsics.map f xs

-- | Another name of `map`.
def map1 'a [n] 'x (f: a -> x) (xs: [n]a) : *[n]x = intrinsics.map f xs

-- | Applies a function to the elements at each index of two arrays: `map2 (+) [1, 2] [10, 20]` is
-- `[11, 22]`.
def map2 'a 'b [n] 'x (f: a -> b -> x) (xs: [n]a) (ys: [n]b) : *[n]x = intrinsics.map2 f xs ys

-- | Like `map2`, for three arrays:
-- `map3 (\x y z -> x + y + z) [1, 2] [10, 20] [100, 200]` is `[111, 222]`.
def map3 'a 'b 'c [n] 'x
         (f: a -> b -> c -> x) (xs: [n]a) (ys: [n]b) (zs: [n]c) : *[n]x =
  intrinsics.map3 f xs ys zs

-- | Like `map2`, for four arrays.
def map4 'a 'b 'c 'd [n] 'x
         (f: a -> b -> c -> d -> x) (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) : *[n]x =
  intrinsics.map4 f xs ys zs us

-- | Like `map2`, for five arrays.
def map5 'a 'b 'c 'd 'e [n] 'x
         (f: a -> b -> c -> d -> e -> x)
         (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) (vs: [n]e) : *[n]x =
  intrinsics.map5 f xs ys zs us vs

-- | Combines all elements by an associative operator with the neutral element `ne`, which is the
-- result for an empty array: `reduce (+) 0 [1, 2, 3]` is `6`.
def reduce [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a) : a = intrinsics.reduce op ne xs

-- | Like `reduce`, for an operator that is commutative too: `reduce_comm (+) 0 [1, 2, 3]` is `6`.
def reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a) : a = intrinsics.reduce_comm op ne xs

-- | All prefixes combined, each with its last element:
-- `scan (+) 0 [1, 2, 3]` is `[1, 3, 6]`.
def scan [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a) : *[n]a = intrinsics.scan op ne xs

-- | All prefixes combined, each without its last element:
-- `exscan (+) 0 [1, 2, 3]` is `[0, 1, 3]`.
def exscan [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a) : *[n]a =
  intrinsics.scan op ne (intrinsics.map (\i -> if i == 0 then ne else xs[i - 1]) (0..1..<n))

-- | A histogram of `k` bins: bin `i` combines those values whose index is `i`, and is `ne` where
-- there are none.  Values whose index is no bin's are left out.  The operator must be associative
-- and commutative: `hist (+) 0 3 [0, 2, 0] [1, 2, 3]` is `[4, 0, 2]`.
def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (xs: [n]a) : *[k]a =
  intrinsics.hist_1d 1 (intrinsics.replicate k ne) op ne is xs

-- | Like `hist`, but the bins begin with the contents of `dest`, which is consumed:
-- `reduce_by_index [100, 200] (+) 0 [0, 0, 1] [1, 2, 3]` is `[103, 203]`.
def reduce_by_index 'a [k] [n]
                    (dest: *[k]a) (op: a -> a -> a) (ne: a) (is: [n]i64) (xs: [n]a) : *[k]a =
  intrinsics.hist_1d 1 dest op ne is xs

-- | Like `reduce_by_index`, with two indexes for each value.
def reduce_by_index_2d 'a [k] [m] [n]
                       (dest: *[k][m]a)
                       (op: a -> a -> a)
                       (ne: a)
                       (is: [n](i64, i64))
                       (xs: [n]a) : *[k][m]a =
  intrinsics.hist_2d 1 dest op ne is xs

-- | Like `reduce_by_index`, with three indexes for each value.
def reduce_by_index_3d 'a [k] [m] [l] [n]
                       (dest: *[k][m][l]a)
                       (op: a -> a -> a)
                       (ne: a)
                       (is: [n](i64, i64, i64))
                       (xs: [n]a) : *[k][m][l]a =
  intrinsics.hist_3d 1 dest op ne is xs

-- | Whether all elements satisfy the predicate; true for an empty array.  `all (> 1) [2, 3]` is
-- `true`.
def all [n] 'a (p: a -> bool) (xs: [n]a) : bool =
  intrinsics.reduce intrinsics.logand true (intrinsics.map p xs)

-- | Whether an element satisfies the predicate; false for an empty array.  `any (> 2) [2, 3]` is
-- `true`.
def any [n] 'a (p: a -> bool) (xs: [n]a) : bool =
  intrinsics.reduce intrinsics.logor false (intrinsics.map p xs)

-- | An array of `k` elements that has each value at its index and `x` elsewhere.  Values with an
-- index out of bounds are left out; no two should have the same one.
-- `spread 4 0 [2, 0] [7, 8]` is `[8, 0, 7, 0]`.
def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t) : *[k]t =
  intrinsics.scatter (intrinsics.replicate k x) is vs

-- | Like `spread`, but writes into `dest`, which is consumed: `scatter [5, 6, 7] [2, 0] [1, 2]` is
-- `[2, 6, 1]`.
def scatter 't [k] [n] (dest: *[k]t) (is: [n]i64) (vs: [n]t) : *[k]t =
  intrinsics.scatter dest is vs

-- | Like `scatter`, with two indexes for each value.
def scatter_2d 't [k] [m] [n] (dest: *[k][m]t) (is: [n](i64, i64)) (vs: [n]t) : *[k][m]t =
  intrinsics.scatter_2d dest is vs

-- | Like `scatter`, with three indexes for each value.
def scatter_3d 't [k] [m] [l] [n]
               (dest: *[k][m][l]t) (is: [n](i64, i64, i64)) (vs: [n]t) : *[k][m][l]t =
  intrinsics.scatter_3d dest is vs

-- | The elements that satisfy the predicate, in order: `filter (> 1) [3, 0, 2]` is `[3, 2]`.
def filter [n] 'a (p: a -> bool) (xs: [n]a) : *[]a = intrinsics.filter p xs

-- | The elements that satisfy the predicate, and those that do not.  Both keep their order.
-- `partition (> 1) [3, 0, 2]` is `([3, 2], [0])`.
def partition [n] 'a (p: a -> bool) (xs: [n]a) : ?[k].([k]a, [n - k]a) =
  let (sorted, counts) = intrinsics.partition 2 (\x -> if p x then 0 else 1) xs
  let k = counts[0]
  in (sorted[0:k], sorted[k:n])

-- | The elements that satisfy the first predicate, those of the others that satisfy the second, and
-- the rest.  All keep their order.
def partition2 [n] 'a
               (p: a -> bool) (q: a -> bool) (xs: [n]a) : ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let (sorted, counts) =
    intrinsics.partition 3 (\x -> if p x then 0 else if q x then 1 else 2) xs
  let k = counts[0]
  let l = counts[1]
  let begin_rest = intrinsics.add64 k l
  in ( sorted[0:k]
     , sorted[k:begin_rest] :> [l]a
     , sorted[begin_rest:n] :> [n - k - l]a
     )

-- | Joins the arrays that a function makes of the elements, which may differ in size.  The function
-- also gives a second result of fixed size.  The five results are:
--
-- * the size of the array made of each element,
--
-- * for each joined element, whether it is the first of its array,
--
-- * where the array made of each element begins among the joined ones,
--
-- * the joined elements,
--
-- * the second results.
def flatmap [n] 'a 'b 'c
            (f: a -> ?[k].([k]b, c))
            (xs: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  intrinsics.flatmap f xs

-- | Like `flatmap`, without second results.
def flatmap' [n] 'a 'b
             (f: a -> ?[k].[k]b)
             (xs: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (sizes, firsts, begins, joined, _) = intrinsics.flatmap (\x -> (f x, ())) xs
  in (sizes, firsts, begins, joined)
