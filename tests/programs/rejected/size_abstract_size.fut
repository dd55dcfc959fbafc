-- ==
-- error: do not match
module m : { type t [n] val mk : (n: i64) -> t [n] val eq [n] : t [n] -> t [n] -> bool } =
  { type t [n] = [n]bool def mk n = replicate n true def eq [n] (_: t [n]) (_: t [n]) = true }
def f = m.eq (m.mk 1) (m.mk 2)
