-- ==
-- error: array element differs in type: expected "number", found "bool"
def main = [1, true]
