-- A sparse matrix times a vector, each row a loop.
module core = import "../core/spmv"

entry input_regular = core.input_regular
entry input_powerlaw = core.input_powerlaw
entry kernel [n] [e] (offsets: [n]i32) (columns: [e]i32) (values: [e]f32) (x: [n - 1]f32) : [n - 1]f32 =
  map2 (\begin end -> loop sum = 0 for i in begin..<end do sum + values[i] * x[columns[i]])
       (init offsets) (tail offsets) :> [n - 1]f32
entry checksum = core.checksum
