-- ==
-- error: aliases previously returned
def main (n: i64) =
  loop (row, rows) = (iota n, replicate n (iota n)) for i < n - 1 do
    let rows[i] = iota n
    in (rows[i + 1], rows)
