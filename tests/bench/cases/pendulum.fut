-- Furuta pendulums: an arm turns in the plane, and at its end a pendulum swings across it, both with
-- friction (K. Furuta, M. Yamakita and S. Kobayashi, Swing-up control of inverted pendulum using
-- pseudo-state feedback, 1992).  1,000 steps for each of many parameters; what is kept is the angle
-- of the pendulum after each step.
import "sinter/ode"
import "common"

module furuta = {
  type scalar = f32
  -- | Angles of the arm and of the pendulum, 0 where it hangs down, and how fast they change.
  type state = (f32, f32, f32, f32)
  -- | Moments of inertia of arm and pendulum about their joints, the pendulum's mass by the arm's
  -- length and the distance of its centre, its greatest torque by gravity, and both frictions.
  type^ parameters = {arm: f32, pendulum: f32, coupling: f32, torque: f32, rub_arm: f32,
                      rub_pendulum: f32}

  -- | Lagrange's equations, linear in both accelerations.
  def slope (p: parameters) (_t: f32) ((_, angle, turn, swing): state) : state =
    let (s, c) = (f32.sin angle, f32.cos angle)
    let mixed = p.pendulum * (s * c)
    let m11 = p.arm + p.pendulum * (s * s)
    let m12 = p.coupling * c
    let r1 = p.coupling * s * (swing * swing) - 2 * mixed * (turn * swing) - p.rub_arm * turn
    let r2 = mixed * (turn * turn) - p.torque * s - p.rub_pendulum * swing
    let scale = 1 / (m11 * p.pendulum - m12 * m12)
    in (turn, swing, (r1 * p.pendulum - m12 * r2) * scale, (m11 * r2 - m12 * r1) * scale)

  def along (h: f32) ((a, b, c, d): state) ((da, db, dc, dd): state) : state =
    (a + h * da, b + h * db, c + h * dc, d + h * dd)
}

module solver = runge_kutta f32 furuta

-- | Parameters of a pendulum of a mass in kg and a length in m, on an arm of 0.2 m.
def parameters_of (mass: f32) (length: f32) (rub_arm: f32) (rub_pendulum: f32) : furuta.parameters =
  let centre = length / 2
  in { arm = 0.01 + mass * 0.04
     , pendulum = mass * length * length / 3
     , coupling = mass * 0.2 * centre
     , torque = 9.81 * mass * centre
     , rub_arm
     , rub_pendulum
     }

-- | It begins as good as upright, at rest.
def start : furuta.state = (0, 3, 0, 0)

entry input (n: i64) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  ( tabulate n (\i -> 0.0625 + 0.125 * uniform 1 i)
  , tabulate n (\i -> 0.25 + 0.25 * uniform 2 i)
  , tabulate n (\i -> 0.0078125 * uniform 3 i)
  , tabulate n (\i -> 0.00390625 * uniform 4 i)
  )

entry kernel [n] (mass: [n]f32) (length: [n]f32) (rub_arm: [n]f32) (rub_pendulum: [n]f32)
                 : [n][1000]f32 =
  map4 (\m l a p ->
          solver.observed (\s -> s.1) (parameters_of m l a p) 0.0025 1000 0 start)
       mass length rub_arm rub_pendulum

entry checksum [n] [m] (angles: [n][m]f32) = digest_f32 (flatten angles)
