-- ==
-- error: may not be declared inside modules
module inner = {
  entry answer : i32 = 42
}
