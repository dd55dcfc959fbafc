-- ==
-- input { 2 } output { 86400 20 }
def seconds_per_day = 24 * 60 * 60i32
def table = map (* 10) [1, 2, 3i32]
entry main (i: i32) = (seconds_per_day, table[i - 1])
