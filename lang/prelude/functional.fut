-- | Putting functions together.

-- | Pipe to the right: `x |> f |> g` means `g (f x)`, so `[1, 2] |> map (* 2) |> i32.sum` is `6`.
def (|>) '^a '^b (x: a) (f: a -> b) : b = f x

-- | Pipe to the left: `g <| f <| x` means `g (f x)`, so `i32.sum <| map (* 2) <| [1, 2]` is `6`.
def (<|) '^a '^b (f: a -> b) (x: a) : b = f x

-- | Composition, first function first: `((+ 1) >-> (* 2)) 3` is `8`.
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)

-- | Composition, last function first: `((+ 1) <-< (* 2)) 3` is `7`.
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a) : c = g (f x)

-- | The function with its first two arguments exchanged: `flip (-) 1 10` is `9`.
def flip '^a '^b '^c (f: a -> b -> c) (y: b) (x: a) : c = f x y

-- | A function of a pair, called with two arguments: `curry (\(x, y) -> x - y) 3 1` is `2`.
def curry '^a '^b '^c (f: (a, b) -> c) (x: a) (y: b) : c = f (x, y)

-- | A function of two arguments, called with a pair: `uncurry (+) (1, 2)` is `3`.
def uncurry '^a '^b '^c (f: a -> b -> c) (xy: (a, b)) : c = f xy.0 xy.1

-- | The first argument, whatever the second one is: `const 1 2` is `1`.
def const '^a '^b (x: a) (_: b) : a = x

-- | The argument itself: `id 3` is `3`.
def id '^a (x: a) : a = x

-- | Applies a function to a value `n` times: `iterate 3 (* 2) 1` is `8`.
def iterate 'a (n: i32) (f: a -> a) (x: a) : a =
  loop y = x for _i < n do f y

-- | Applies a function to a value until the result satisfies the predicate; not at all if the value
-- itself does.  `iterate_until (> 10) (* 2) 1` is `16`.
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) : a =
  loop y = x while intrinsics.lognot (p y) do f y

-- | Applies a function to a value as long as it satisfies the predicate:
-- `iterate_while (< 10) (* 2) 1` is `16`.
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) : a =
  loop y = x while p y do f y
