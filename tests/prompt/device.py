#!/usr/bin/env python3
"""Programs on devices, as people ask for them; ends with "N passed, N failed".

    tests/prompt/device.py --sinter PATH --driver LIBRARY
    tests/prompt/device.py --sinter PATH --gpu

LIBRARY is a pretended driver of NVIDIA's, alone, so that all goes well until code is to run.
With --gpu: what can be asked of a GPU.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time

MEMORY_PROGRAM = """
-- More arrays than a megabyte has room for, all of which the last line reads.
entry main (n: i64) =
  let first = map f64.i64 (iota n)
  let (_, all) = loop (xs, all) = (first, replicate 24 (replicate n 0)) for i < 24 do
    let ys = map (\\x -> x * 1.25 + f64.i64 i) xs
    in (ys, all with [i] = copy ys)
  in map f64.sum (transpose all)
"""

counts = [0, 0]


def check(name, is_right, said=""):
    counts[0 if is_right else 1] += 1
    if not is_right:
        print("FAIL %s\n%s" % (name, said))


def run(sinter, *words, folder=None, text=None):
    """Standard output, standard error, exit code; `folder`: where libraries are looked for first."""
    environment = dict(os.environ)
    if folder:
        environment["LD_LIBRARY_PATH"] = folder
    else:
        environment.pop("LD_LIBRARY_PATH", None)
    done = subprocess.run([sinter, *words], env=environment, input=text, text=True,
                          capture_output=True, check=False, timeout=120)
    return done.stdout, done.stderr, done.returncode


def check_choices(sinter):
    out, err, code = run(sinter, "eval", "--device", "nothing", "1")
    check("an unknown device", code == 2 and err == "sinter: error: `--device nothing` is no device; write "
          "cpu, gpu, gpu:1, emulated or emulated:64M\n", out + err)
    out, err, code = run(sinter, "devices")
    check("devices", code == 0 and out.startswith("--device cpu") and "emulated" in out
          and "256.0 MiB" in out, out + err)
    if "libcuda.so.1` cannot be opened" in out:  # (else there is a driver)
        out, err, code = run(sinter, "eval", "--device", "gpu", "1 + 1")
        check("no driver", code == 2 and out == "" and err ==
              "sinter: error: there is no GPU to be used: NVIDIA's driver is not installed (`libcuda.so.1` "
              "cannot be opened)\n", out + err)


def check_fault(sinter, driver):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(driver), os.path.join(folder, "libcuda.so.1"))
        out, err, code = run(sinter, "devices", folder=folder)
        check("a GPU in the list", code == 0 and "--device gpu" in out and
              "Pretended GPU, compute capability 8.6, 3 multiprocessors, 64.0 MiB" in out, out + err)
        out, err, code = run(sinter, "eval", "--device", "gpu:1", "1 + 1", folder=folder)
        check("a GPU that is not there", code == 2 and "there is no GPU number 1" in err, out + err)
        for mode in ["jit", "auto", "mixed"]:
            out, err, code = run(
                sinter, "eval", "--device", "gpu", "--mode", mode,
                "let xs = map (* 3) (iota 100000) in (reduce (+) 0 xs, xs[7])", folder=folder)
            check("a fault in mode " + mode,
                  code == 0 and out == "(14999850000i64, 21i64)\n" and err.count("\n") <= 1, out + err)
            if mode == "jit":
                check("the line about it", err.startswith("warning: gpu is not used any more: ")
                      and "719" in err, err)
        session = "map (+ 1) (iota 5)\nlet xs = map (* 2) (iota 1000)\nf64.sum (map f64.i64 xs)\n"
        out, err, code = run(sinter, "repl", "--device", "gpu", "--mode", "jit", folder=folder,
                             text=session)
        check("the session lives", code == 0 and "[1, 2, 3, 4, 5]" in out and "999000.0" in out
              and (out + err).count("is not used any more") == 1, out + err)


# Launches that the device has not come to yet; a launch that takes long.
MANY_LAUNCHES = ("(loop xs = map f64.i64 (iota 3000) for i < 1000000 do "
                 "let s = f64.sum xs in map (\\x -> x / s + 1) xs)[0]")
LONG_LAUNCH = ("f64.sum (map (\\i -> loop x = f64.i64 i for _k < 10000000000i64 do x * 0.99 + 1) "
               "(iota 100))")


def check_interruption(sinter, device, program, limit):
    """Gives the seconds that it took, to the end of the process."""
    with subprocess.Popen([sinter, "eval", "--mode", "jit", "--device", device, program],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(2)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            code = process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            code = None
        seconds = time.monotonic() - begin
        check("an interruption", code == 130 and seconds < limit, "%s %s" % (code, seconds))
        return seconds


def check_gpu(sinter):
    """Of a GPU: interruptions, the same bits in each mode, launches that stand in a row."""
    for program, what in [(MANY_LAUNCHES, "loops"), (LONG_LAUNCH, "launches")]:
        seconds = [check_interruption(sinter, "gpu", program, 1) for _ in range(4)]
        print("interrupted %s ended after %.0f ms at most" % (what, 1e3 * max(seconds)))
    stencil = ("let heat = loop u = tabulate 500 (\\i -> tabulate 500 (\\j -> f32.i64 (i * j % 97))) "
               "for _k < 300 do tabulate 500 (\\i -> tabulate 500 (\\j -> "
               "let at (y: i64) (x: i64) = u[i64.max 0 (i64.min 499 y), i64.max 0 (i64.min 499 x)] in "
               "0.25 * (at (i - 1) j + at (i + 1) j + at i (j - 1) + at i (j + 1)))) "
               "in (f32.sum (flatten heat), heat[17, 31])")
    results = [run(sinter, "eval", "--mode", mode, "--device", device, stencil)
               for mode, device in [("jit", "cpu"), ("jit", "gpu"), ("auto", "gpu"), ("mixed", "gpu")]]
    check("the same bits in each mode", all(one[0] == results[0][0] and one[2] == 0 for one in results),
          str(results))
    steps = 20000
    chain = "(loop xs = map f64.i64 (iota 1000) for _k < %d do map (\\x -> x * 0.5 + 1) xs)[3]"
    times = []
    for count in [steps, 6 * steps]:
        begin = time.monotonic()
        out, err, code = run(sinter, "eval", "--mode", "jit", "--device", "gpu", chain % count)
        times.append(time.monotonic() - begin)
        check("launches in a row", code == 0 and out == "2.0f64\n", out + err)
    print("a launch that stands in a row takes %.2f us" % (1e6 * (times[1] - times[0]) / (5 * steps)))


def check_memory(sinter):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "memory.fut")
        with open(program, "w", encoding="utf-8") as file:
            file.write(MEMORY_PROGRAM)
        results = []
        for device in ["cpu", "emulated:1M", "emulated"]:
            out, err, code = run(sinter, "run", program, "--mode", "jit", "--device", device,
                                 text="4000")
            check("memory of " + device, code == 0 and err == "", err)
            results.append(out)
        check("the same bits in little memory", results[0] == results[1] == results[2])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--driver")
    parser.add_argument("--gpu", action="store_true")
    options = parser.parse_args()
    if options.gpu:
        check_gpu(options.sinter)
    else:
        check_choices(options.sinter)
        check_fault(options.sinter, options.driver)
        check_interruption(options.sinter, "emulated", MANY_LAUNCHES, 1)
        check_memory(options.sinter)
    print("%d passed, %d failed" % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
