-- `import "sinter/ode"`: the methods' orders, systems of several kinds, and the pendulum of the
-- benchmarks.

import "sinter/ode"
module pendulums = import "../../bench/cases/pendulum"

-- The solution of y' = y cos t, y(0) = 1 is exp (sin t).
def slope (t: f64) (y: f64) : f64 = y * f64.cos t
def error (step: f64 -> f64 -> f64 -> f64) (steps: i64) : f64 =
  let h = 2 / f64.i64 steps
  let y = loop y = 1 for k < steps do step h (f64.i64 k * h) y
  in f64.abs (y - f64.exp (f64.sin 2))

-- Half as long steps make errors smaller by this.
-- ==
-- entry: orders
-- input { } output { true true true }
entry orders : (bool, bool, bool) =
  let is_near (order: f64) (step: f64 -> f64 -> f64 -> f64) =
    let gained = f64.log2 (error step 256 / error step 512)
    in f64.abs (gained - order) < 0.05
  in ( is_near 1 (ode.euler_step slope)
     , is_near 2 (ode.midpoint_step slope)
     , is_near 4 (ode.step slope) )

-- What is integrated exactly, from other times than 0 too; and no steps.
-- ==
-- entry: cubes
-- input { } output { 8.0 27.0 [8.0, 15.625, 27.0] 5.0 }
entry cubes : (f64, f64, [3]f64, f64) =
  let f (t: f64) (_: f64) = 3 * t * t
  in ( ode.advance f 0.25 8 0 0
     , ode.advance f 0.25 8 1 1
     , (ode.trajectory f 0.5 6 0 0)[3:] :> [3]f64
     , ode.advance f 0.25 0 1 5 )

module circle = runge_kutta f64 {
  type scalar = f64
  type state = (f64, f64)
  type^ parameters = f64
  def slope (speed: f64) (_t: f64) (x: f64, y: f64) : state = (-speed * y, speed * x)
  def along (h: f64) (x: f64, y: f64) (dx: f64, dy: f64) : state = (x + h * dx, y + h * dy)
}

-- Around once, at any speed, and what was seen on the way.
-- ==
-- entry: around
-- input { 1.0 } output { true 500i64 }
-- input { 7.0 } output { true 500i64 }
entry around (speed: f64) : (bool, i64) =
  let h = 2 * f64.pi / speed / 1000
  let (x, y) = circle.advance speed h 1000 0 (1, 0)
  let above = circle.observed (\(_, y) -> y > 0) speed h 1000 0 (1, 0)
  in (f64.abs (x - 1) < 1e-9 && f64.abs y < 1e-9, i64.sum (map i64.bool above))

-- States may be arrays, and there may be many of them.
module decay = runge_kutta f32 {
  type scalar = f32
  type state = [3]f32
  type^ parameters = {rates: [3]f32}
  def slope (p: parameters) (_t: f32) (s: state) : state = map2 (\r x -> -r * x) p.rates s
  def along (h: f32) (s: state) (d: state) : state = map2 (\x y -> x + h * y) s d
}

-- ==
-- entry: decays
-- input { [1f32, 2f32] } output { true }
entry decays (factors: []f32) : bool =
  let after (f: f32) = decay.advance {rates = [f, 2 * f, 3 * f]} 0.01 100 0 [1, 1, 1]
  let is_near (f: f32) (k: i64) (x: f32) = f32.abs (x / f32.exp (-f * f32.i64 (k + 1)) - 1) < 1e-5
  in all (\f -> and (map2 (is_near f) (iota 3) (after f))) factors

-- Without friction a pendulum keeps its energy, within what fourth-order steps change.
def energy (p: pendulums.furuta.parameters) ((_, angle, turn, swing): pendulums.furuta.state) : f64 =
  let f = f64.f32
  let (s, c) = (f64.sin (f angle), f64.cos (f angle))
  in (f p.arm + f p.pendulum * s * s) * f turn ** 2 / 2 + f p.coupling * c * f turn * f swing
     + f p.pendulum * f swing ** 2 / 2 + f p.torque * (1 - c)

-- ==
-- entry: pendulum
-- input { 0f32 } output { true false }
-- input { 0.001f32 } output { false true }
entry pendulum (friction: f32) : (bool, bool) =
  let p = pendulums.parameters_of 0.1 0.3 friction friction
  let before = energy p pendulums.start
  let after = energy p (pendulums.solver.advance p 0.0025 1000 0 pendulums.start)
  in (f64.abs (after / before - 1) < 1e-4, after < 0.9 * before)
