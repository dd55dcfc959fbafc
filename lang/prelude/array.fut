-- | Making arrays, taking them apart and rearranging them.

open import "zip"

-- | The number of elements in the outer dimension: `length [5, 6, 7]` is `3`.
def length [n] 't (_: [n]t) : i64 = n

-- | Whether there are no elements: `null [5, 6]` is `false`.
def null [n] 't (_: [n]t) : bool = n == 0

-- | The first element; an error for an empty array.  `head [5, 6, 7]` is `5`.
def head [n] 't (xs: [n]t) : t = xs[0]

-- | The last element; an error for an empty array.  `last [5, 6, 7]` is `7`.
def last [n] 't (xs: [n]t) : t = xs[n - 1]

-- | All elements but the first: `tail [5, 6, 7]` is `[6, 7]`.
def tail [n] 't (xs: [n]t) : [n - 1]t = xs[1:n]

-- | All elements but the last: `init [5, 6, 7]` is `[5, 6]`.
def init [n] 't (xs: [n]t) : [n - 1]t = xs[0:n - 1]

-- | The first `i` elements: `take 2 [5, 6, 7]` is `[5, 6]`.
def take [n] 't (i: i64) (xs: [n]t) : [i]t = xs[0:i]

-- | All elements but the first `i`: `drop 2 [5, 6, 7]` is `[7]`.
def drop [n] 't (i: i64) (xs: [n]t) : [n - i]t = xs[i:n]

-- | The array with its size known to be `n`; an error if it is not.
-- `sized 2 (filter (> 1) [1, 2, 3])` is `[2, 3]`.
def sized [m] 't (n: i64) (xs: [m]t) : [n]t = xs :> [n]t

-- | The first `n` elements and the other `m`, as the type of the result says.
def split [n] [m] 't (xs: [n + m]t) : ([n]t, [m]t) = (xs[0:n], xs[n:n + m] :> [m]t)

-- | The elements from last to first: `reverse [5, 6, 7]` is `[7, 6, 5]`.
def reverse [n] 't (xs: [n]t) : [n]t = xs[::-1]

-- | The elements of one array, then those of another: `[1, 2] ++ [3]` is `[1, 2, 3]`.
def (++) [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | Another name of `++`: `concat [1, 2] [3]` is `[1, 2, 3]`.
def concat [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | The numbers from 0 to `n - 1`: `iota 3` is `[0, 1, 2]`.
def iota (n: i64) : *[n]i64 = 0..1..<n

-- | The indexes of an array: `indices [5, 6, 7]` is `[0, 1, 2]`.
def indices [n] 't (_: [n]t) : *[n]i64 = 0..1..<n

-- | The elements moved `r` places towards the beginning, around the end: `rotate 1 [5, 6, 7]` is
-- `[6, 7, 5]`.  A negative `r` moves them the other way.
def rotate [n] 't (r: i64) (xs: [n]t) : *[n]t = intrinsics.rotate r xs

-- | An array of `n` elements that are all `x`: `replicate 3 7` is `[7, 7, 7]`.
def replicate 't (n: i64) (x: t) : *[n]t = intrinsics.replicate n x

-- | Like `replicate`, with the number of elements that the context asks for.
def rep 't [n] (x: t) : *[n]t = intrinsics.replicate n x

-- | The value again, sharing nothing with the original.
def copy 't (x: t) : *t = intrinsics.manifest x

-- | Like `copy`; arrays are stored with the elements of their last dimension side by side.
def manifest 't (x: t) : *t = intrinsics.manifest x

-- | Joins the two outer dimensions: `flatten [[1, 2], [3, 4]]` is `[1, 2, 3, 4]`.
def flatten [n] [m] 't (xs: [n][m]t) : [n * m]t = intrinsics.flatten xs

-- | Joins the three outer dimensions.
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t) : [n * m * l]t =
  intrinsics.flatten (intrinsics.flatten xs)

-- | Joins the four outer dimensions.
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t) : [n * m * l * k]t =
  intrinsics.flatten (intrinsics.flatten (intrinsics.flatten xs))

-- | Splits the outer dimension in two, as the type of the result says.
def unflatten 't [n] [m] (xs: [n * m]t) : [n][m]t = intrinsics.unflatten n m xs

-- | Splits the outer dimension in three.
def unflatten_3d 't [n] [m] [l] (xs: [n * m * l]t) : [n][m][l]t =
  intrinsics.unflatten n m (intrinsics.unflatten (n * m) l xs)

-- | Splits the outer dimension in four.
def unflatten_4d 't [n] [m] [l] [k] (xs: [n * m * l * k]t) : [n][m][l][k]t =
  intrinsics.unflatten n m
    (intrinsics.unflatten (n * m) l (intrinsics.unflatten (n * m * l) k xs))

-- | Exchanges the two outer dimensions: element `[i][j]` becomes element `[j][i]`.
-- `transpose [[1, 2], [3, 4]]` is `[[1, 3], [2, 4]]`.
def transpose [n] [m] 't (xs: [n][m]t) : [m][n]t = intrinsics.transpose xs

-- | Whether all elements are true: `and [true, false]` is `false`.
def and [n] (xs: [n]bool) : bool = intrinsics.reduce intrinsics.logand true xs

-- | Whether an element is true: `or [true, false]` is `true`.
def or [n] (xs: [n]bool) : bool = intrinsics.reduce intrinsics.logor false xs

-- | Combines a value with the elements one after another, from the left:
-- `foldl (-) 10 [1, 2, 3]` is `((10 - 1) - 2) - 3`.
def foldl [n] 'a 'b (f: a -> b -> a) (initial: a) (xs: [n]b) : a =
  loop result = initial for x in xs do f result x

-- | Combines a value with the elements one after another, from the right:
-- `foldr (-) 10 [1, 2, 3]` is `1 - (2 - (3 - 10))`.
def foldr [n] 'a 'b (f: b -> a -> a) (initial: a) (xs: [n]b) : a =
  loop result = initial for x in xs[::-1] do f x result

-- | The array whose element `i` is `f i`: `tabulate 3 (* 2)` is `[0, 2, 4]`.
def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a = intrinsics.map f (0..1..<n)

-- | The array whose element `[i][j]` is `f i j`.
-- `tabulate_2d 2 2 (\i j -> i * 10 + j)` is `[[0, 1], [10, 11]]`.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a =
  intrinsics.map (\i -> intrinsics.map (f i) (0..1..<m)) (0..1..<n)

-- | The array whose element `[i][j][k]` is `f i j k`.
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][o]a =
  intrinsics.map (\i -> intrinsics.map (\j -> intrinsics.map (f i j) (0..1..<o)) (0..1..<m))
                 (0..1..<n)
