-- | Arrays of tuples from tuples of arrays, and back.
--
-- An array of tuples is stored as a tuple of arrays, so these are cheap.

-- | Pairs of the elements of two arrays: `zip [1, 2] [3, 4]` is `[(1, 3), (2, 4)]`.
def zip [n] 'a 'b (xs: [n]a) (ys: [n]b) : *[n](a, b) = intrinsics.zip xs ys

-- | Another name of `zip`: `zip2 [1, 2] [3, 4]` is `[(1, 3), (2, 4)]`.
def zip2 [n] 'a 'b (xs: [n]a) (ys: [n]b) : *[n](a, b) = intrinsics.zip xs ys

-- | Triples of the elements of three arrays.
def zip3 [n] 'a 'b 'c (xs: [n]a) (ys: [n]b) (zs: [n]c) : *[n](a, b, c) =
  intrinsics.zip3 xs ys zs

-- | Quadruples of the elements of four arrays.
def zip4 [n] 'a 'b 'c 'd (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) : *[n](a, b, c, d) =
  intrinsics.zip4 xs ys zs us

-- | Quintuples of the elements of five arrays.
def zip5 [n] 'a 'b 'c 'd 'e
         (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) (vs: [n]e) : *[n](a, b, c, d, e) =
  intrinsics.zip5 xs ys zs us vs

-- | The first and the second components of an array of pairs: `unzip [(1, 3), (2, 4)]` is
-- `([1, 2], [3, 4])`.
def unzip [n] 'a 'b (xys: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xys

-- | Another name of `unzip`.
def unzip2 [n] 'a 'b (xys: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xys

-- | The three components of an array of triples.
def unzip3 [n] 'a 'b 'c (xs: [n](a, b, c)) : ([n]a, [n]b, [n]c) = intrinsics.unzip3 xs

-- | The four components of an array of quadruples.
def unzip4 [n] 'a 'b 'c 'd (xs: [n](a, b, c, d)) : ([n]a, [n]b, [n]c, [n]d) =
  intrinsics.unzip4 xs

-- | The five components of an array of quintuples.
def unzip5 [n] 'a 'b 'c 'd 'e (xs: [n](a, b, c, d, e)) : ([n]a, [n]b, [n]c, [n]d, [n]e) =
  intrinsics.unzip5 xs
