-- Loops of a fixed number of rounds, most of which change nothing.

-- NaN never moves.
entry escapes [n] (xs: [n]f32) (most: i32) : [n]i32 =
  let escape x =
    let step (z: f32, k: i32) = if z * z <= 4 then (z * z + x, k + 1) else (z, k)
    in (loop (z, k) = (x, 0) for _i < most do step (z, k)).1
  in map escape xs

-- ==
-- entry: escapes
-- input { [0f32, 0.5f32, 0.3f32, 2f32, -2f32, f32.nan, f32.inf] 255i32 }
-- output { [255i32, 4i32, 11i32, 1i32, 255i32, 0i32, 0i32] }
-- input { [0.5f32] 0i32 } output { [0i32] }
-- input { [0.5f32] 3i32 } output { [3i32] }

-- A round's number of eight bits; the loop goes on where the condition fails.
entry small [n] (xs: [n]u8) (most: u8) : [n]u8 =
  map (\x -> loop y = x for _i < most do if y >= 199 then y else y + 1) xs

-- ==
-- entry: small
-- input { [1u8, 7u8, 255u8] 255u8 } output { [199u8, 199u8, 255u8] }
-- input { [1u8, 7u8, 255u8] 20u8 } output { [21u8, 27u8, 255u8] }

-- What a round reads may be missing, where there is such a round.
entry walks [m] [n] (next: [m]i64) (most: i64) (xs: [n]i64) : [n]i64 =
  map (\x -> (loop (at, steps) = (x, 0) for _i < most do
                if at != 0 then (next[at], steps + 1) else (at, steps)).1) xs

-- ==
-- entry: walks
-- input { [1i64, 2i64, 3i64, 0i64, 4i64] 100i64 [1i64, 0i64, 4i64, 3i64] }
-- output { [3i64, 0i64, 100i64, 1i64] }
-- input { [1i64, 2i64, 9i64] 2i64 [1i64, 0i64] } output { [2i64, 0i64] }
-- input { [1i64, 2i64, 9i64] 3i64 [1i64, 0i64] } error: Index \[9\] out of bounds

-- A condition on the round's number holds, fails, and holds again.
entry again [n] (xs: [n]i64) (most: i64) : [n]i64 =
  map (\x -> loop y = x for i < most do if y + i % 10 > 1000 || i % 7 == 3 then y else y + 1) xs

-- ==
-- entry: again
-- input { [990i64, 1000i64, 5i64] 40i64 } output { [1001i64, 1001i64, 39i64] }
