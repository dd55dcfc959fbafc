-- ==
-- error: Unexpected token: 'else', expected `then`
def main (x: bool) = if x else 2
