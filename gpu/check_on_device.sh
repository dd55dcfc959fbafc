#!/usr/bin/env bash
# What only a GPU shows: whether programs mean there what they mean elsewhere, bit by bit, and how
# fast they are.  For the folder that gpu/pack.sh makes.
#
#   ./check_on_device.sh [tests | primitives | bench]…
#
# tests: programs, kernels of each kind, random programs.  primitives: each of them at each type,
# on hundreds of thousands of numbers.  bench: times beside CUDA, CUB and what Python has (in the
# Python that $PYTHON names).  Each takes minutes; each ends with what it found, and all that was
# printed is in $OUT (usually ./results).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here"
export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export SINTER_TEST_DEVICE=gpu
sinter=$here/bin/sinter
out=${OUT:-$here/results}
processes=$(nproc)
mkdir -p "$out"

# at_once NAME SECONDS < COMMANDS: a line each, as many at once as there are processors; what each
# of them prints goes to a file of its own.  (All of it is one group of processes: who ends the script
# ends what it has begun.)
at_once() {
  local name=$1 seconds=$2
  nl -ba -w4 -nrz -s' ' | tr '\n' '\0' |
    xargs -0 -n 1 -P "$processes" bash -c '
      number=${3%% *} command=${3#* }
      { echo "\$ $command"; timeout --foreground "$2" bash -c "exec $command"; code=$?
        [[ $code -eq 0 ]] || echo "FAIL exit code $code: $command"; } >"$0.$1.$number" 2>&1' \
      "$out/part" "$name" "$seconds"
  cat "$out/part.$name".* >"$out/$name.txt"
  rm "$out/part.$name".*
}

# What a file says in all: lines "N passed, N failed", and doctest's.
total() {
  awk -v name="$1" '
    /^[0-9]+ passed, [0-9]+ failed/ { good += $1; bad += $3 }
    /test cases: / { split($0, part, "|"); split(part[2], a, " "); split(part[3], b, " "); good += a[1]; bad += b[1] }
    /^FAIL exit code/ { crashed++ }
    END { printf "%-12s %6d passed, %4d failed, %3d commands ended badly\n", name, good, bad, crashed }
  ' "$out/$1.txt"
}

tests() {
  "$sinter" devices
  local kinds='*primitive*' folder program
  {
    # The longest first.
    for program in tests/programs/library/*.fut; do
      echo "bin/sinter test --mode jit --device gpu $program"
    done
    for case in "maps_test" "reductions_test" "scans_test" "segments_test" "segmented_scans_test" \
      "kernels_test" "placed_test" "tiles_test" "turned_test" "wide_test" "distributed_test" \
      "launches_test" "scratch_test" "kernel_code_test" "programs_test" "running_totals_test"; do
      echo "bin/unit_gpu_backend -sf='*$case*' -tce='$kinds'"
    done
    for folder in tests/programs/*/; do
      [[ $folder == */rejected/ || $folder == */library/ ]] && continue
      echo "bin/sinter test --mode jit --device gpu $folder"
    done
    for ((i = 0; i < processes; ++i)); do
      echo "bin/sinter_differ --gpu --no-shrink --count ${RANDOM_PROGRAMS:-100} --seed $((i * 100000))"
    done
  } | at_once tests "${SECONDS_EACH:-180}"
  [[ -n ${NO_INTERRUPTS:-} ]] ||
    timeout 100 python3 tests/device.py --sinter "$sinter" --gpu 2>&1 | tee -a "$out/tests.txt"
  grep -hE '^FAIL|ERROR: |differ' "$out/tests.txt" | head -40
  total tests
}

primitives() {
  local element
  for element in f64 f32 f16 i64 u64 i32 u32 i16 u16 i8 u8 bool; do
    echo "bin/unit_gpu_backend -tc='each primitive*' -sc=$element"
  done | at_once primitives "${SECONDS_EACH:-180}"
  grep -hE '^FAIL|ERROR: |primitive.name|values: ' "$out/primitives.txt" | head -40
  total primitives
}

# NAME VARIANT N RUNS: those of ours, and those that only others have.
benchmarks() {
  cat <<'END'
saxpy - 268435456 20
sum - 268435456 20
dotp - 268435456 20
mapchain - 268435456 20
scan i32 268435456 20
scan f32 268435456 20
filter filter 268435456 20
filter partition 67108864 20
histogram 256 134217728 20
histogram 65536 134217728 20
radixsort - 33554432 10
blackscholes f32 33554432 20
blackscholes f64 16777216 20
mandelbrot - 3072 20
nbody - 32768 10
matmul - 2048 10
kmeans - 1048576 10
hotspot - 1024 10
srad - 1024 10
conv3x3 conv 8192 20
conv3x3 canny 8192 20
pathfinder - 262144 10
spmv regular 2097152 20
spmv powerlaw 2097152 20
nestedsum regular 8388608 20
nestedsum powerlaw 8388608 20
nestedsum short 33554432 20
md5 - 4194304 20
optionpricing - 2097152 10
tridiag - 65536 10
mriq - 65536 10
nn - 8388608 5
fluid - 2048 10
pagerank - 1048576 10
viterbi - 2048 5
ode - 131072 10
mlp - 100 5
windows - 2097152 10
END
}

bench() {
  local name variant n runs list=$out/benchmarks.txt others=$out/others.txt
  benchmarks >"$list"
  { echo "copy - 268435456 20"; echo "launches stream 1000 20"; cat "$list"
    echo "nbody exact 32768 10"; } >"$others"
  : >"$out/ours.json"
  while read -r name variant n runs; do
    [[ $variant == - ]] && variant=
    timeout "${SECONDS_EACH:-40}" "$sinter" bench --mode jit --device gpu --size "$n" \
      --variant "$variant" --runs "$runs" "tests/bench/core/$name.fut" >>"$out/ours.json" \
      2>>"$out/ours.errors" || echo "FAIL $name $variant $n" >>"$out/ours.errors"
  done <"$list"
  local given=(--ours "$out/ours.json") peer
  for name in references references_exact; do
    [[ -x bin/$name ]] || { echo "no times of $name: not in this package" >&2; continue; }
    timeout 120 "bin/$name" --all "$others" >"$out/$name.json" 2>"$out/$name.errors"
    given+=("--${name/references_/}" "$out/$name.json")
  done
  for peer in ${PEERS:-jax torch cupy}; do
    timeout 120 "${PYTHON:-python3}" tests/bench/device/peers.py "$peer" --all "$others" --budget 1 \
      >"$out/$peer.json" 2>"$out/$peer.errors"
    given+=(--peer "$peer=$out/$peer.json")
  done
  grep -h '^FAIL' "$out/ours.errors"
  "${PYTHON:-python3}" tests/bench/device/table.py "${given[@]}" | tee "$out/table.txt"
}

for what in "${@:-tests primitives bench}"; do
  for step in $what; do
    case $step in
    tests | primitives | bench) "$step" ;;
    *) echo "usage: check_on_device.sh [tests | primitives | bench]…" >&2; exit 2 ;;
    esac
  done
done
