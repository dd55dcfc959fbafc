-- ==
-- input { 1 } output { 1 7 9 }
entry main (a: i32) =
  let r = {a, b = {c = 2, d = 3}}
  let r = r with b.c = 7
  let r.b.d = 9
  in (r.a, r.b.c, r.b.d)
