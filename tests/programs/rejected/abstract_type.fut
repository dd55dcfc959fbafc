-- ==
-- error: Function body does not have expected type: expected "i32", found "m\.t"
module m : { type t val make : t } = { type t = i32 def make = 1i32 }
def main: i32 = m.make
