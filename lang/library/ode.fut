-- | Ordinary differential equations: states that change at a known rate are followed through time by
-- steps of a fixed length.
--
-- A *system* says what a state is, and how fast it changes.  `runge_kutta` makes of it a module with
-- the same functions as `ode`, which is for one equation of `f64`; for many parameters or states at
-- once map over them.  A system of two:
--
--     module circle = runge_kutta f64 {
--       type scalar = f64
--       type state = (f64, f64)
--       type^ parameters = f64
--       def slope (speed: f64) (_t: f64) (x: f64, y: f64) : state = (-speed * y, speed * x)
--       def along (h: f64) (x: f64, y: f64) (dx: f64, dy: f64) : state = (x + h * dx, y + h * dy)
--     }

-- | What changes, and how.
module type system = {
  -- | Of time, and of what is in a state.
  type scalar
  -- | Whatever describes the system at one time: the numbers, records or arrays of one shape.
  type state
  -- | What stays the same while a system runs; functions may be in it.
  type^ parameters
  -- | How fast a state changes at a time.
  val slope : parameters -> scalar -> state -> state
  -- | `along h s d` is `s + h * d`.
  val along : scalar -> state -> state -> state
}

-- | The solver of a system.  The error of `step` is of order `h ** 5`, so that of a whole way, of
-- `1 / h` as many steps, is of order `h ** 4`.
module runge_kutta (F: float) (S: system with scalar = F.t) = {
  local def sum : S.state -> S.state -> S.state = S.along (F.i32 1)

  -- | The state after one step of Euler's method, along the slope at its beginning:
  -- `ode.euler_step (\_ y -> y) 0.5 0 1` is `1.5`.  The error is of order `h ** 2`.
  def euler_step (p: S.parameters) (h: F.t) (t: F.t) (s: S.state) : S.state =
    S.along h s (S.slope p t s)

  -- | The state after one step of the midpoint method (C. Runge, Ueber die numerische Auflösung von
  -- Differentialgleichungen, 1895): `ode.midpoint_step (\_ y -> y) 0.5 0 1` is `1.625`.  The error
  -- is of order `h ** 3`.
  def midpoint_step (p: S.parameters) (h: F.t) (t: F.t) (s: S.state) : S.state =
    let half = h F./ F.i32 2
    in S.along h s (S.slope p (t F.+ half) (S.along half s (S.slope p t s)))

  -- | The state after one step of length `h` from time `t`:
  -- `ode.step (\_ y -> y) 0.5 0 24` is `39.5625`.
  --
  -- The classical method of order four (W. Kutta, Beitrag zur näherungsweisen Integration totaler
  -- Differentialgleichungen, 1901).
  def step (p: S.parameters) (h: F.t) (t: F.t) (s: S.state) : S.state =
    let half = h F./ F.i32 2
    let k1 = S.slope p t s
    let k2 = S.slope p (t F.+ half) (S.along half s k1)
    let k3 = S.slope p (t F.+ half) (S.along half s k2)
    let k4 = S.slope p (t F.+ h) (S.along h s k3)
    in S.along (h F./ F.i32 6) s (sum (S.along (F.i32 2) k1 (sum k2 k3)) k4)

  -- | The state after so many steps: `ode.advance (\t _ -> 3 * t * t) 0.5 4 0 0` is `8`.
  def advance (p: S.parameters) (h: F.t) (steps: i64) (t: F.t) (s: S.state) : S.state =
    loop s for k < steps do step p h (t F.+ F.i64 k F.* h) s

  -- | What a function makes of the states after each of so many steps:
  -- `ode.observed (\y -> y > 1) (\t _ -> 3 * t * t) 0.5 4 0 0` is `[false, false, true, true]`.
  def observed 'a (observe: S.state -> a) (p: S.parameters) (h: F.t) (steps: i64) (t: F.t)
                  (s: S.state) : *[steps]a =
    let (seen, _) =
      loop (seen, s) = (replicate steps (observe s), s) for k < steps do
        let next = step p h (t F.+ F.i64 k F.* h) s
        in (seen with [k] = observe next, next)
    in seen

  -- | The states after each of so many steps:
  -- `ode.trajectory (\t _ -> 3 * t * t) 0.5 4 0 0` is `[0.125, 1, 3.375, 8]`.
  def trajectory (p: S.parameters) (h: F.t) (steps: i64) (t: F.t) (s: S.state) : *[steps]S.state =
    observed (\s -> s) p h steps t s
}

-- | One equation, `y' = f t y`; its parameter is `f`.
module ode = runge_kutta f64 {
  type scalar = f64
  type state = f64
  type^ parameters = f64 -> f64 -> f64
  def slope (f: parameters) (t: f64) (y: f64) : f64 = f t y
  def along (h: f64) (y: f64) (slope: f64) : f64 = y + h * slope
}
