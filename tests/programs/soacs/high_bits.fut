-- What is read and computed by the high bits of running indices, against what their quotients in
-- other words give.

def number (k: i64) : u32 = u32.i64 (k + 1) * 2654435761

-- | A sum, which is not computed again by those who read it.
def numbers (n: i64) : [n]u32 = scan (+) 0 (replicate n 2654435761)

-- | Quotients that nobody takes for shifts of an index.
def over (d: i64) (k: i64) : i64 = (k - k % d) // d

def equal [n] 't (same: t -> t -> bool) (at: i64 -> t) (elements: [n]t) : bool =
  and (map2 same (map at (iota n)) elements)

-- ==
-- entry: set_bits quarters gray_codes wrapped below_zero guarded rows of_words inside
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 15i64 } output { true }
-- input { 64i64 } output { true }
-- input { 333i64 } output { true }
-- input { 5003i64 } output { true }
-- input { 100000i64 } output { true }
entry set_bits (n: i64) : bool =
  let words = map2 (\x y -> u64.u32 x << 32 | u64.u32 y) (numbers (n / 64 + 2)) (drop 7 (numbers (n / 64 + 9)) :> [n / 64 + 2]u32)
  let bit (w: i64) (i: i64) =
    let word = if i < 32 then number (w + 7) else number w
    in (word >> u32.i64 (i % 32)) & 1 == 1
  in equal (==) (\i -> bit (over 64 (i + 3)) ((i + 3) % 64))
           (map (\i -> (words[(i + 3) >> 6] >> u64.i64 ((i + 3) & 63)) & 1 == 1) (iota n))

entry quarters (n: i64) : bool =
  let xs = numbers (n + 1)
  in equal (==) (\i -> number (over 16 i) + number (over 32 i) * number (over 64 i)
                       + number (over 16 (i + 5)) + u32.i64 (over 128 i))
           (map (\i -> xs[i / 16] + xs[i / 32] * xs[i / 64] + xs[(i + 5) / 16] + u32.i64 (i / 128))
                (iota n))

entry gray_codes (n: i64) : bool =
  let table = numbers 16
  let digit (p: i64) (k: i64) = (over k p ^ over (2 * k) p) % 16
  in equal (==) (\i -> number (digit (i + 1) 16) ^ number (digit (i + 1) 256) ^ number (over 32 (i + 1) % 8))
           (map (\i -> let p = u32.i64 (i + 1)
                       let gray = p ^ (p >> 1)
                       in table[i64.u32 ((gray >> 4) & 15)] ^ table[i64.u32 ((gray >> 8) & 15)]
                          ^ table[i64.u32 (p >> 5 & 7)])
                (iota n))

-- | Numbers of fewer bits begin again.
entry wrapped (n: i64) : bool =
  let xs = numbers 4096
  let signed (i: i64) = (i + 2147483600 + 2147483648) % 4294967296 - 2147483648
  in equal (==) (\i -> number (over 64 ((i + 77) % 256)) + number (over 1048576 ((i + 4294967200) % 4294967296))
                       + u32.i64 (over 512 (signed i)))
           (map (\i -> xs[i64.u8 (u8.i64 (i + 77) >> 6)] + xs[i64.u32 (u32.i64 (i + 4294967200) >> 20)]
                       + u32.i32 (i32.i64 (i + 2147483600) >> 9))
                (iota n))

entry below_zero (n: i64) : bool =
  let xs = numbers (n / 32 + 40)
  let half = n / 2
  in equal (==) (\i -> number (over 64 (i - half) + half / 64 + 2) + u32.i64 (over 128 (i - half))
                       + u32.i64 (if i < half then - over 64 (half - i) else over 64 (i - half)))
           (map (\i -> xs[((i - half) >> 6) + half / 64 + 2] + u32.i64 ((i - half) / 128)
                       + u32.i64 ((i - half) // 64))
                (iota n))

-- | Only some of the indices are those of elements.
entry guarded (n: i64) : bool =
  let xs = numbers (n / 128 + 1)
  let at (by_64: i64 -> i64) (by_128: i64 -> i64) (x: i64 -> u32) (i: i64) =
    if i % 3 == 0 && by_64 i < n / 128 + 1 then x (by_64 i)
    else if n > 5000 && i >= 5000 then x (by_128 (i - 5000))
    else 7
  in equal (==) (at (over 64) (over 128) number)
           (map (at (>> 6) (>> 7) (\k -> xs[k])) (iota n))

-- | A row of a table for each few of the elements.
entry rows (n: i64) : bool =
  let table = unflatten (numbers ((n / 64 + 2) * 8))
  in equal (==) (\i -> u32.sum (map (\k -> number (over 64 (i + 1) * 8 + k) * u32.i64 k) (iota 8)))
           (map (\i -> u32.sum (map2 (*) table[(i + 1) >> 6] (map u32.i64 (iota 8)))) (iota n))


entry of_words (n: i64) : bool =
  let xs = map f32.u32 (numbers (n / 16 + 1))
  let element (k: i64) = f32.u32 (number k)
  in equal (==) (\i -> f32.sqrt (element (over 16 i)) + 1 / (1 + element (over 64 i)))
           (map (\i -> f32.sqrt xs[i / 16] + 1 / (1 + xs[i >> 6])) (iota n))

-- | Indices of a map inside of another one.
entry inside (n: i64) : bool =
  let m = n % 200
  let xs = numbers (m / 16 + 9)
  in equal (\row other -> and (map2 (==) row other))
           (\i -> map (\j -> number (over 16 (j + i % 16)) ^ number (over 64 j) ^ u32.i64 (over 64 i)) (iota m))
           (map (\i -> map (\j -> xs[(j + i % 16) >> 4] ^ xs[j / 64] ^ u32.i64 (i >> 6)) (iota m))
                (iota (n / 50)))
