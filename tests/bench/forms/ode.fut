-- Pendulums step by step: a loop over time, each step a map over pendulums.
module core = import "../core/ode"

entry input = core.input
entry kernel [n] (angles: [n]f32) (velocities: [n]f32) : ([n]f32, [n]f32) =
  loop (a, v) = (angles, velocities) for _i < 1000i32 do
    unzip (map (core.step 0.01) (zip a v))
entry checksum = core.checksum
