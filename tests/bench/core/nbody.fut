-- Accelerations of bodies that attract each other, all pairs.
import "common"

type vector = {x: f32, y: f32, z: f32}

def add (a: vector) (b: vector) : vector = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}

def pull (p: vector) (q: vector, mass: f32) : vector =
  let dx = q.x - p.x
  let dy = q.y - p.y
  let dz = q.z - p.z
  let distance = dx * dx + dy * dy + dz * dz + 0.0025
  let inverse = 1 / f32.sqrt distance
  let w = mass * inverse * inverse * inverse
  in {x = w * dx, y = w * dy, z = w * dz}

entry input (n: i64) = (uniforms 1 n, uniforms 2 n, uniforms 3 n, uniforms 4 n)

entry kernel [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (masses: [n]f32) =
  let places = map3 (\x y z -> {x, y, z}) xs ys zs
  let bodies = zip places masses
  let accelerations =
    map (\p -> reduce add {x = 0, y = 0, z = 0} (map (pull p) bodies)) places
  in unzip3 (map (\(a: vector) -> (a.x, a.y, a.z)) accelerations)

entry checksum [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) =
  both (both (digest_f32 xs) (digest_f32 ys)) (digest_f32 zs)
