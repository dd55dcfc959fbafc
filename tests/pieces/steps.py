"""Random steps of streams: functions of a state and a chunk that give the same for any cut.

Each takes `xs: [k]i64` or `xs: [k]f32`.  What is carried from chunk to chunk is a number each: sums,
last elements and counts; bins are updated in place.  Floats are computed element by element only:
a sum of floats has other last bits where it is cut.
"""

import random

# What makes an array of integers of one ({v}), alone and with another ({o}).
MAPS = [
    "map (\\x -> x * {c} + 1) {v}",
    "map (\\x -> if x % 2 == 0 then x / 2 else 3 * x + 1) {v}",
    "map2 (\\x y -> x ^ (y >> 1)) {v} {o}",
    "map (\\x -> loop y = x for j < 3 do y * 7 + j) {v}",
    "map (\\x -> i64.sum (map (\\j -> (x + j) % 5) (iota {c}))) {v}",
    "map (\\(x, y) -> i64.max x y) (zip {v} {o})",
]
# The same with a state {s}, and the state behind the chunk; {r} is the result.
CARRIES = [
    ("map (+ {s}) (scan (+) 0 {v})", "if k == 0 then {s} else {r}[k - 1]"),
    ("map (i64.max {s}) (scan i64.max i64.lowest {v})", "if k == 0 then {s} else {r}[k - 1]"),
    ("map2 (\\i x -> i * 3 + x) (map (+ {s}) (iota k)) {v}", "{s} + k"),
    ("tabulate k (\\i -> {v}[i] - (if i == 0 then {s} else {v}[i - 1]))",
     "if k == 0 then {s} else {v}[k - 1]"),
    ("map (\\x -> x + {c}) {v}", "{s} + i64.sum {r}"),
    ("map (\\x -> x * {c}) {v}", "i64.min {s} (i64.minimum {r})"),
    ("map (\\x -> x - {c}) {v}", "{s} + length (filter (\\x -> x % 3 == 1) {r})"),
    ("map (\\x -> x ^ {c}) {v}", "{s} ^ reduce (^) 0 {r}"),
    ("map (\\x -> x ^ {c}) {v}", "loop s = {s} for x in {r} do s * 31 + x"),
]
FLOAT_MAPS = [
    "map (\\x -> x * 0.25 + 1) {v}",
    "map (\\x -> f32.sqrt (f32.abs x)) {v}",
    "map (\\x -> loop y = x for j < 3 do y * 0.5 + f32.i64 j) {v}",
    "map (\\x -> if x > 0.5 then f32.sin x else x - 1) {v}",
]
# Results of a chunk, of what lies in {v}.
RESULTS = ["{v}", "filter (\\x -> x % 3 == 0) {v}", "map (% 1000) (filter (> 10) {v})", "rotate 0 {v}"]
BINS = 16


class RandomStep:
    """`text` has the definitions; `carried` is how many numbers the state has, `element` the type of
    an element, `keeps_bins` whether the state has bins behind the numbers."""

    def __init__(self, chance: random.Random, name):
        self.element = chance.choice(["i64", "i64", "f32"])
        lines, states, integers = [], [], []
        floats = "xs"
        if self.element == "f32":
            for step in range(chance.randrange(3)):
                lines.append(f"  let f{step} = " + chance.choice(FLOAT_MAPS).format(v=floats))
                floats = f"f{step}"
            lines.append(f"  let whole = map (\\x -> i64.f32 (x * 100)) {floats}")
            integers.append("whole")
        else:
            integers.append("xs")
        for step in range(chance.randrange(1, 5)):
            own, other = chance.choice(integers), chance.choice(integers)
            if chance.random() < 0.6:
                state, made = f"s{len(states)}", f"v{step}"
                form, behind = chance.choice(CARRIES)
                words = {"v": own, "s": state, "r": made, "c": chance.randrange(1, 9)}
                lines.append(f"  let {made} = " + form.format(**words))
                states.append("(" + behind.format(**words) + ")")
            else:
                made = f"v{step}"
                form = chance.choice(MAPS)
                lines.append(f"  let {made} = " +
                             form.format(v=own, o=other, c=chance.randrange(1, 9)))
            integers.append(made)
        self.keeps_bins = chance.random() < 0.3
        self.carried = max(len(states), 1)
        if not states:
            states.append("s0 + k")
        last = chance.choice(integers)
        self.result = chance.choice(RESULTS).format(v=last)
        if self.element == "f32" and chance.random() < 0.4:
            self.result, result_type = floats, "[]f32"
        else:
            result_type = "[]i64"
        if self.keeps_bins:
            lines.append(f"  let bins = reduce_by_index bins (+) 0 (map (% {BINS}) {last}) {last}")
            states.append("bins")
        names = [f"s{i}" for i in range(self.carried)] + ["bins"] * self.keeps_bins
        types = ["i64"] * self.carried + [f"[{BINS}]i64"] * self.keeps_bins
        parameters = f"({', '.join(names)})" if len(names) > 1 else names[0]
        state_type = f"({', '.join(types)})" if len(types) > 1 else types[0]
        star = "*" if self.keeps_bins else ""
        self.init = ", ".join(["0"] * self.carried + [f"replicate {BINS} 0"] * self.keeps_bins)
        after = f"({', '.join(states)})" if len(states) > 1 else states[0]
        chunk, function = f"[k]{self.element}", f"{name}_step"
        pattern = f"{parameters}: {star}{state_type}"
        values = f"({', '.join(names)})" if len(names) > 1 else names[0]
        first = f"({self.init})"
        self.text = "\n".join([
            f"def {function} [k] ({pattern}) (xs: {chunk}): ({star}{state_type}, {result_type}) =",
            *lines,
            f"  in ({after}, {self.result})",
            "",
            # As a stream; as a whole; as a fold over chunks that anybody may cut.
            f"entry {name} [k] (state: {star}{state_type}) (xs: {chunk}): "
            f"({star}{state_type}, {result_type}) = {function} state xs",
            f"entry {name}_state ({pattern}): ({', '.join(types)}) = {values}",
            f"entry {name}_whole [n] (xs: [n]{self.element}): ({', '.join([result_type, *types])}) =",
            f"  let ({parameters}, results) = {function} {first} xs",
            f"  in ({', '.join(['results', *names])})",
            f"entry {name}_fold [n] (xs: [n]{self.element}): ({', '.join(types)}) =",
            f"  fold_stream (\\k (state: {state_type}) (xs: {chunk}) -> "
            f"({function} {'(copy state)' if star else 'state'} xs).0)",
            f"    {first} xs", ""])
