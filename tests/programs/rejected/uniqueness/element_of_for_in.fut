-- ==
-- error: Consuming.*"row"
def main (rows: *[2][2]i32): i32 =
  loop s = 0 for row in rows do
    let row[0] = 1
    in s + row[1]
