-- An epoch of a network that learns: `n` batches of 100 images of 784 pixels, layers of 784, 128 and
-- 10 units; variant `colour`: 3,072 pixels, layers of 1,024, 512 and 10; `small`: 64, 32, 16 and 10.
import "sinter/net"
import "common"

def layers (batch: i64) (pixels: i64) (a: i64) (b: i64) =
  net_f32.stack (net_f32.dense batch pixels a)
  (net_f32.stack (net_f32.relu batch a)
  (net_f32.stack (net_f32.dense batch a b)
  (net_f32.stack (net_f32.relu batch b)
                 (net_f32.dense batch b 10))))

def drawn (s: u64) (scale: f32) (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> (uniform s (i * m + j) - 0.5) * scale)

def input_of (pixels: i64) (a: i64) (b: i64) (n: i64) =
  ( tabulate_3d n 100 pixels (\s i j -> uniform 1 ((s * 100 + i) * pixels + j))
  , tabulate_2d n 100 (\s i -> i64.u32 (h32 2 (s * 100 + i) % 10))
  , drawn 3 0.125 pixels a
  , drawn 4 0.125 a b
  , drawn 5 0.25 b 10
  )

entry input (n: i64) : ([n][100][]f32, [n][100]i64, [][]f32, [][]f32, [][10]f32) =
  input_of 784 784 128 n
entry input_colour (n: i64) : ([n][100][]f32, [n][100]i64, [][]f32, [][]f32, [][10]f32) =
  input_of 3072 1024 512 n
entry input_small (n: i64) : ([n][100][]f32, [n][100]i64, [][]f32, [][]f32, [][10]f32) =
  input_of 64 32 16 n

entry kernel [n] [batch] [pixels] [a] [b] (images: [n][batch][pixels]f32) (labels: [n][batch]i64)
             (first: [pixels][a]f32) (second: [a][b]f32) (third: [b][10]f32)
             : ([b][10]f32, [a]f32) =
  let weights =
    ( (first, replicate a 0), ((), ((second, replicate b 0), ((), (third, replicate 10 0)))) )
  let ((_, biases), (_, (_, (_, (third, _))))) =
    net_f32.epoch 0.0625 (layers batch pixels a b) weights images labels
  in (third, biases)

entry checksum [k] [a] [b] (third: [b][k]f32) (biases: [a]f32) =
  both (digest_f32 (flatten third)) (digest_f32 biases)
