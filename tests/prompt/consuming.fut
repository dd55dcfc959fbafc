-- An error in a function that compiled code gave its argument away to.

def step [n] (a: *[n]i64) (i: i64) : *[n]i64 =
  loop a for j < 2 do a with [i + j] = j

entry main (n: i64) (count: i64) : i64 =
  (loop a = replicate n 0 for i < count do step a (#[trace] (i * 50000)))[0]
