-- ==
-- input { [1, 2, 3] } output { [2, 4, 6] 0i64 }
module complex : { type t val make : i32 -> t val total : t -> i32 } = {
  type t = {re: i32, im: i32}
  def make x = {re = x, im = x}
  def total (c: t) = c.re + c.im
}
entry main (xs: []i32) =
  let cs = map complex.make xs
  in (map complex.total cs, length (filter (\c -> complex.total c > 100) cs))
