def twice (x: i32) : i32 = x * 2

def wrong : bool = twice 1
