-- A round of PageRank over edges, from a page to a page of 2^18 each: of all edges at once, and edge
-- after edge.  Ranks are integers (in units of 2^-40), whose sums are the same in any order.

def pages : i64 = 262144
def first_ranks : [262144]i64 = tabulate 262144 (\i -> (i * 7919) % 1048576)

def add_to [k] (sums: *[262144]i64) (ranks: [262144]i64) (edges: [k][2]u32) : *[262144]i64 =
  reduce_by_index sums (+) 0 (map (\edge -> i64.u32 (edge[1] % 262144)) edges)
    (map (\edge -> ranks[i64.u32 (edge[0] % 262144)] >> 3) edges)

entry whole [n] (edges: [n][2]u32) : [262144]i64 =
  add_to (replicate 262144 0) first_ranks edges

entry init : ([262144]i64, [262144]i64) = (replicate 262144 0, first_ranks)
entry step [k] ((sums, ranks): (*[262144]i64, [262144]i64)) (edges: [k][2]u32)
  : (*[262144]i64, [262144]i64) =
  (add_to sums ranks edges, ranks)
entry finish (state: ([262144]i64, [262144]i64)) : [262144]i64 = state.0
