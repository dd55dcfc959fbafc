-- | Derivatives of functions by automatic differentiation.  They are checked, but not computed yet:
-- evaluating one fails.
--
-- A *tangent* has the type of a function's argument: how fast each of its numbers changes.  A
-- *cotangent* has the type of the result: how much each of its numbers weighs.  Forward mode maps a
-- tangent to how fast the result changes; reverse mode maps a cotangent to how the weighted sum of
-- the result changes with each number of the argument.  With a single number going in, forward mode
-- gives all derivatives at once; with a single one coming out, reverse mode does.

-- | The value of `f` at `x`, and how it changes in the direction `dx` (forward mode).
-- (Not computed yet: evaluating it fails.)
def jvp2 'a 'b (f: a -> b) (x: a) (dx: a) : (b, b) = intrinsics.jvp2 f x dx

-- | The value of `f` at `x`, and the gradient of its result weighted by `dy` (reverse mode).
-- (Not computed yet: evaluating it fails.)
def vjp2 'a 'b (f: a -> b) (x: a) (dy: b) : (b, a) = intrinsics.vjp2 f x dy

-- | Like `jvp2`, for several directions at once.
def jmp2 'a 'b [n] (f: a -> b) (x: a) (dxs: [n]a) : (b, [n]b) = intrinsics.jmp2 f x dxs

-- | Like `vjp2`, for several weights at once.
def mjp2 'a 'b [n] (f: a -> b) (x: a) (dys: [n]b) : (b, [n]a) = intrinsics.mjp2 f x dys

-- | How `f` changes at `x` in the direction `dx` (forward mode):
-- `jvp (\x -> x * x) 3 1` would be `6` for floats.  (Not computed yet: evaluating it fails.)
def jvp 'a 'b (f: a -> b) (x: a) (dx: a) : b = (intrinsics.jvp2 f x dx).1

-- | The gradient of `f` at `x`, its result weighted by `dy` (reverse mode):
-- `vjp (\(x, y) -> x * y) (3, 4) 1` would be `(4, 3)` for floats.  (Not computed yet: evaluating
-- it fails.)
def vjp 'a 'b (f: a -> b) (x: a) (dy: b) : a = (intrinsics.vjp2 f x dy).1

-- | Like `jvp`, for several directions at once.
def jmp 'a 'b [n] (f: a -> b) (x: a) (dxs: [n]a) : [n]b = (intrinsics.jmp2 f x dxs).1

-- | Like `vjp`, for several weights at once.
def mjp 'a 'b [n] (f: a -> b) (x: a) (dys: [n]b) : [n]a = (intrinsics.mjp2 f x dys).1

-- | `f x`, where reverse mode uses `g y dy` as the gradient: `y` is the result of `f`, `dy` its
-- cotangent.  What `f` uses besides its argument counts as constant.
def with_vjp 'a 'b (f: a -> b) (g: (y: b) -> (dy: b) -> a) (x: a) : b = intrinsics.with_vjp f g x

-- | Like `with_vjp`, where `f` also gives something that is kept for `g` and is no result.
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (g: (c, b) -> a) (x: a) : b =
  (intrinsics.with_vjp f (\(kept, _) (_, dy) -> g (kept, dy)) x).1
