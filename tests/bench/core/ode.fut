-- Damped pendulums: 1000 steps of a Runge-Kutta method of order four for each.
import "common"

type state = (f32, f32) -- angle, angular velocity

def slope ((angle, velocity): state) : state = (velocity, -f32.sin angle - 0.1 * velocity)

def along (h: f32) ((a, v): state) ((da, dv): state) : state = (a + h * da, v + h * dv)

def step (h: f32) (s: state) : state =
  let k1 = slope s
  let k2 = slope (along (h / 2) s k1)
  let k3 = slope (along (h / 2) s k2)
  let k4 = slope (along h s k3)
  let mean w x y z = w + 2 * (x + y) + z
  in along (h / 6) s (mean k1.0 k2.0 k3.0 k4.0, mean k1.1 k2.1 k3.1 k4.1)

entry input (n: i64) =
  (tabulate n (\i -> 4 * uniform 1 i - 2), tabulate n (\i -> 2 * uniform 2 i - 1))

entry kernel [n] (angles: [n]f32) (velocities: [n]f32) : ([n]f32, [n]f32) =
  unzip (map2 (\a v -> loop s = (a, v) for _i < 1000i32 do step 0.01 s) angles velocities)

entry checksum [n] (angles: [n]f32) (velocities: [n]f32) =
  both (digest_f32 angles) (digest_f32 velocities)
