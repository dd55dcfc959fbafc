-- One text for every numeric type, through the prelude's module types.
-- ==
-- input { [1, 2, 3] [1.5, 2.5] } output { 14 8.5 }
module squares (n: numeric) = {
  def total [k] (xs: [k]n.t): n.t = n.sum (map (\x -> n.(x * x)) xs)
}
module i32_squares = squares i32
module f64_squares = squares f64
entry main (xs: []i32) (ys: []f64) = (i32_squares.total xs, f64_squares.total ys)
