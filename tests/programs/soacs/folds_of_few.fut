-- Folds of few elements that each go through many: lanes, threads or the host's own steps go through
-- what is inside, and the elements are still folded in the order that their number decides, which the
-- bits of sums tell.

-- | Goes through m elements again and again.
def settled (m: i64) (i: i64) : f32 =
  let xs = map (\j -> 1 / f32.i64 (1 + (i + j) % 97)) (iota m)
  let ys = loop xs for _k < 3 do
    let s = f32.sum xs / f32.i64 m
    in map (\x -> x * 0.75 + s * 0.25) xs
  in f32.maximum ys

def counted (m: i64) (i: i64) : i32 =
  let xs = map (\j -> i32.i64 ((i * 31 + j) % 89)) (iota m)
  let ys = loop xs for _k < 3 do
    let s = i32.sum xs
    in map (\x -> (x ^ s) + 1) xs
  in i32.sum ys

def sum (n: i64) (m: i64) : u32 = f32.to_bits (f32.sum (map (settled m) (iota n)))

-- ==
-- entry: sums
-- input { [0i64, 1i64, 2i64, 3i64, 10i64, 63i64, 64i64, 65i64, 1000i64] 5i64 }
-- output { [0u32, 1060083248u32, 1065894106u32, 1068133752u32, 1074933176u32, 1082139096u32, 1082171298u32, 1082203013u32, 1116675537u32] }
-- input { [0i64, 1i64, 2i64, 3i64, 10i64, 70i64] 700i64 }
-- output { [0u32, 1055444594u32, 1063819975u32, 1068391120u32, 1083247349u32, 1107117182u32] }
-- input { [1i64, 3i64] 33000i64 }
-- output { [1055376000u32, 1068355717u32] }
entry sums (ns: []i64) (m: i64) : []u32 =
  loop sums = [] for n in ns do sums ++ [sum n m]

-- ==
-- entry: counts
-- input { [0i64, 1i64, 2i64, 3i64, 10i64, 1000i64] 5i64 }
-- output { [0i32, 1541i32, 13834i32, 58959i32, 187314i32, 25260008i32] }
-- input { [0i64, 1i64, 2i64, 3i64, 10i64, 70i64] 700i64 }
-- output { [0i32, 997904086i32, 1932509892i32, -968749698i32, 232631496i32, -1363233420i32] }
-- input { [1i64, 3i64] 33000i64 }
-- output { [1455439861i32, 217983928i32] }
entry counts (ns: []i64) (m: i64) : []i32 =
  loop sums = [] for n in ns do sums ++ [i32.sum (map (counted m) (iota n))]

-- Neither of the operators commutes (nor associates: their order shows).

-- ==
-- entry: pairs
-- unlawful input { [0i64, 1i64, 2i64, 3i64, 10i64, 1000i64] 5i64 }
-- output { [0u32, 1060083248u32, 1060681373u32, 1059107978u32, 1045721206u32, 1038105782u32] [0i32, 1541i32, 16916i32, 95873i32, 221130148i32, 1488343536i32] }
-- unlawful input { [0i64, 1i64, 2i64, 3i64, 10i64, 70i64] 700i64 }
-- output { [0u32, 1055444594u32, 1060005674u32, 1061899885u32, 1063752288u32, 1068218986u32] [0i32, 997904086i32, -366649232i32, 293760010i32, 1858213300i32, -1774406432i32] }
-- unlawful input { [1i64, 3i64] 33000i64 }
-- output { [1055376000u32, 1061865478u32] [1455439861i32, 2024438118i32] }
entry pairs (ns: []i64) (m: i64) : ([]u32, []i32) =
  unzip (loop results = [] for n in ns do
    let (s, c) =
      reduce (\(s, c) (t, d) -> (s * 0.5 + t, c * 3 + d)) (0, 0)
             (map (\i -> (settled m i, counted m i)) (iota n))
    in results ++ [(f32.to_bits s, c)])

-- Of the prefixes: the last ones.

-- ==
-- entry: prefixes
-- input { [0i64, 1i64, 2i64, 3i64, 10i64, 65i64, 1000i64] 5i64 }
-- output { [1060083248u32, 1060083248u32, 1065894106u32, 1065894106u32, 1068133752u32, 1074551285u32, 1074933176u32, 1082171298u32, 1082203013u32, 1116671321u32, 1116675537u32] }
-- input { [0i64, 1i64, 2i64, 3i64, 10i64, 70i64] 700i64 }
-- output { [1055444594u32, 1055444594u32, 1063819975u32, 1063819975u32, 1068391120u32, 1082298068u32, 1083247349u32, 1106880252u32, 1107117182u32] }
-- input { [1i64, 3i64] 33000i64 }
-- output { [1055376000u32, 1063764328u32, 1068355717u32] }
entry prefixes (ns: []i64) (m: i64) : []u32 =
  loop results = [] for n in ns do
    let sums = scan (+) 0 (map (settled m) (iota n))
    in results ++ map f32.to_bits (drop (i64.max 0 (n - 2)) sums)

-- With elements that stay.

-- ==
-- entry: both
-- input { 0i64 700i64 }
-- output { empty([0]u32) 0u32 empty([0]u32) }
-- input { 3i64 700i64 }
-- output { [1055444594u32, 1055418140u32, 1055405488u32] 1068391120u32 [1055444594u32, 1055444594u32, 1055444594u32] }
-- input { 1i64 33000i64 }
-- output { [1055376000u32] 1055376000u32 [1055376000u32] }
entry both (n: i64) (m: i64) : ([n]u32, u32, [n]u32) =
  let xs = map (settled m) (iota n)
  in (map f32.to_bits xs, f32.to_bits (f32.sum xs), map f32.to_bits (scan f32.max 0 xs))

-- Of rows in memory.

-- ==
-- entry: of_rows
-- input { 0i64 700i64 }
-- output { 0u32 0i32 }
-- input { 1i64 700i64 }
-- output { 3353866705u32 2759i32 }
-- input { 10i64 700i64 }
-- output { 3381789746u32 27690i32 }
-- input { 1000i64 5i64 }
-- output { 3316202965u32 19292i32 }
-- input { 1i64 33000i64 }
-- output { 3447619456u32 130689i32 }
entry of_rows (n: i64) (m: i64) : (u32, i32) =
  let xss = tabulate_2d n m (\i j -> f32.i64 ((i * 13 + j * 7) % 101) / 101)
  in ( f32.to_bits (f32.sum (map (\xs -> let s = f32.sum xs
                                         in f32.sum (map (\x -> (x - s) * x) xs)) xss))
     , i32.sum (map (\xs -> i32.f32 (f32.sum (map (* 8) xs))) xss))
