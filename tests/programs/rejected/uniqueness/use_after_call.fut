-- ==
-- error: "board".*consumed
def wipe (board: *[][]bool): *[][]bool = board with [0, 0] = false
def main (board: *[][]bool): bool =
  let clean = wipe board
  in board[0, 0] == clean[0, 0]
