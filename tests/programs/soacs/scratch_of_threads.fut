-- Arrays inside of each element, of elements of two sizes, as long as parameters say.
-- ==
-- entry: by_parameters
-- input { 5i64 3i32 [1i32, 2i32, 3i32, 4i32] } output { [50i64, 560i64, 20i64, 810i64] }

-- ==
-- entry: by_elements
-- input { [1i64, 4i64, 0i64, 9i64] } output { [0i64, 10i64, 0i64, 120i64] }

entry by_parameters (m: i64) (k: i32) (xs: []i32) : []i64 =
  map (\x ->
         loop sum = i64.i32 x for q < k do
           if sum % 2 == 0
           then (scan (+) 0 (tabulate m (\j -> sum + j)))[m - 1]
           else i64.i16 (scan (+) 0 (tabulate m (\j -> i16.i64 (sum % 7) + i16.i64 j)))[1]
                + i64.i32 q)
      xs

entry by_elements (xs: []i64) : []i64 =
  map (\x -> let sums = scan (+) 0 (iota x) in loop s = 0 for i < x do s + sums[i]) xs
