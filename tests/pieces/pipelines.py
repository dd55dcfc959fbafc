"""Random entry points that run in pieces: maps, neighbours and tables in front, any folds behind.

Each takes `xs: [n]f32`, `ks: [n]i64` and a table `ts: [m]f32`, m > 0.
"""

import random

# What makes an array of floats or of integers over n from one ({v}), with the other at hand.
FLOATS = [
    "map (\\x -> x * {c} + 1) {v}",
    "map (\\x -> f32.sqrt (f32.abs x)) {v}",
    "map2 (\\x k -> x + f32.i64 (k % 7)) {v} {o}",
    "map2 (\\i x -> x * f32.i64 (i % 5)) (iota n) {v}",
    "tabulate n (\\i -> {v}[i64.max 0 (i - {d})] - {v}[i64.min (n - 1) (i + {e})])",
    "tabulate n (\\i -> if i >= {d} then {v}[i - {d}] else {c})",
    "map2 (\\x k -> x * ts[k % m]) {v} {o}",
    "map (\\x -> f32.sum (map (* x) ts)) {v}",
    "map (\\x -> loop y = x for j < 3 do y * 0.5 + f32.i64 j) {v}",
    "copy {v}",
]
INTEGERS = [
    "map (\\k -> k * {d} + 1) {v}",
    "map (\\k -> if k % 2 == 0 then k / 2 else 3 * k + 1) {v}",
    "map2 (\\i k -> i ^ k) (iota n) {v}",
    "tabulate n (\\i -> {v}[i64.max 0 (i - {d})] + {v}[i64.min (n - 1) (i + {e})])",
    "map2 (\\k x -> k + i64.bool (x > 0)) {v} {o}",
]
# Results: their types, and what they are of arrays {x} of floats and {k} of integers.
SINKS = [
    ("f32", "f32.sum {x}"),
    ("f32", "f32.sum {x} / f32.i64 n"),
    ("f32", "f32.maximum {x}"),
    ("f32", "reduce (\\a b -> a * 0.5 + b) 0 {x}"),
    ("i64", "i64.sum {k}"),
    ("i64", "reduce (^) 0 {k}"),
    ("i64", "reduce (\\a b -> a * 3 + b) 0 {k}"),
    ("bool", "any (> 3) {x}"),
    ("[n]f32", "{x}"),
    ("[n]i64", "{k}"),
    ("[n]f32", "scan (+) 0 {x}"),
    ("[n]i64", "scan i64.max i64.lowest {k}"),
    ("[]f32", "filter (> 0.5) {x}"),
    ("[]i64", "map (+ 1) (filter (\\k -> k % 3 == 1) {k})"),
    ("f32", "f32.sum (filter (< 0.5) {x})"),
    ("i64", "i64.sum (filter (\\k -> k % 3 == 1) {k})"),
    ("i64", "length (filter (> 0) {x})"),
    ("[16]i64", "hist (+) 0 16 (map (% 16) {k}) {k}"),
    ("[16]f32", "hist (+) 0 16 (map (% 16) {k}) {x}"),
    ("[16]f32", "scatter (replicate 16 0) (map (% 20) {k}) {x}"),
    ("i64", "(reduce (\\(a, i) (b, j) -> if a > b then (a, i) else (b, j)) (-1, -1)\n"
            "    (zip {x} {k})).1"),
    ("[2]f32", "reduce (map2 (+)) [0, 0] (map2 (\\x k -> [x, f32.i64 k]) {x} {k})"),
    ("f32", "f32.sum (map2 (\\x k -> x * f32.i64 k) {x} {k})"),
]


def random_entry(chance: random.Random, name):
    floats, integers, lines = ["xs"], ["ks"], []
    for step in range(chance.randrange(4)):
        is_float = chance.random() < 0.6
        own, other = (floats, integers) if is_float else (integers, floats)
        form = chance.choice(FLOATS if is_float else INTEGERS)
        made = f"v{step}"
        text = form.format(v=chance.choice(own), o=chance.choice(other), d=chance.randrange(1, 9),
                           e=chance.randrange(5), c=chance.choice(["0.25", "-1.5", "3"]))
        lines.append(f"  let {made} = {text}")
        own.append(made)
    sinks = [chance.choice(SINKS) for _ in range(chance.randrange(1, 4))]
    types = ", ".join(kind for kind, _ in sinks)
    results = ", ".join(f"({sink.format(x=chance.choice(floats), k=chance.choice(integers))})"
                        for _, sink in sinks)
    result = f"({types})" if len(sinks) > 1 else types
    head = f"entry {name} [n] [m] (xs: [n]f32) (ks: [n]i64) (ts: [m]f32): {result} ="
    return "\n".join([head, *lines, f"  {'in ' if lines else ''}({results})"]) + "\n"
