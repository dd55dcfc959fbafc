-- # Waves
--
-- A *wave* and its picture.  <script>alert(1)</script>

-- | A wave.
def wave (n: i64) = map (\i -> f32.sin (f32.i64 i / 5)) (iota n)

-- > wave 3

-- > :img [wave 40, wave 40]

-- > :brief :img [[0f32, 1]];
-- file: small.png

-- > :plot2d (map f32.i64 (iota 40), wave 40);
-- size: (200,300)

-- > :gnuplot {data = (iota 3, wave 3)};
-- set terminal png size 200,100
-- plot data using 1:2 with lines

-- > :covert :audio wave 100;
-- sampling_frequency: 8000

-- > :video (\(s: f32) -> ([[s, 1 - s]], s + 0.1), 0f32, 4i64);
-- fps: 5

-- ==
-- input { 1i64 } output { [0f32] }

entry main (n: i64) : []f32 = wave n
