-- An array of records with an array inside each.
-- ==
-- input { 3i64 } output { [[0i64, 0i64], [1i64, 10i64], [2i64, 20i64]] 30i64 }
entry main (n: i64) =
  let rs = tabulate n \i -> {pair = [i, i * 10], sum = i * 11 - i}
  in (map (.pair) rs, i64.sum (map (.sum) rs))
