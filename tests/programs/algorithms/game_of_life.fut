-- ==
-- input { [[0, 1, 0], [0, 1, 0], [0, 1, 0]] } output { [[0, 0, 0], [1, 1, 1], [0, 0, 0]] }
def life [n] [m] (board: [n][m]i32): [n][m]i32 =
  tabulate_2d n m \i j ->
    let neighbours =
      i32.sum (flatten (tabulate_2d 3 3 \di dj ->
        let y = i + di - 1
        let x = j + dj - 1
        in if (di != 1 || dj != 1) && y >= 0 && y < n && x >= 0 && x < m then board[y, x] else 0))
    in if neighbours == 3 || (neighbours == 2 && board[i, j] == 1) then 1 else 0
entry main (board: [][]i32) = life board
