#!/usr/bin/env bash
# Makes what a machine with a GPU needs to run gpu/check_on_device.sh, as one archive: such machines
# are had for minutes, and need neither a compiler nor packages.
#
#   gpu/pack.sh BUILD ARCHIVE
#
# BUILD: a folder in which everything has been built.  ARCHIVE: a .tar.xz, of some 35 MB.  Where
# NVIDIA's compiler is installed, the programs that others wrote by hand are in it, compiled.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[[ $# -eq 2 ]] || { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2; exit 2; }
built=$(cd "$1" && pwd)
archive=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/sinter/bin" "$folder/sinter/lib" "$folder/sinter/tests"

programs=(sinter sinter_differ unit_gpu_backend)
for program in "${programs[@]}"; do
  strip -o "$folder/sinter/bin/$program" "$built/$program"
done
for plugin in "$built"/sinter_*.so; do
  case ${plugin##*/} in
  sinter_pretended_driver.so | sinter_faults.so) ;;
  *) strip -o "$folder/sinter/bin/${plugin##*/}" "$plugin" ;;
  esac
done
# Shared libraries that they need, but for the C library, which is the machine's.
ldd "$folder"/sinter/bin/* 2>/dev/null | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u |
  grep -vE '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' | xargs -r cp -Lt "$folder/sinter/lib"

cp -r "$root/tests/programs" "$root/tests/prompt/device.py" "$folder/sinter/tests"
mkdir "$folder/sinter/tests/bench"
cp -r "$root/tests/bench/core" "$root/tests/bench/device" "$folder/sinter/tests/bench"
nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc || true)
if [[ -n $nvcc ]]; then
  make -s -C "$root/tests/bench/device" NVCC="$nvcc" OUT="$folder/references" >&2
  cp "$folder"/references/references{,_exact} "$folder/sinter/bin"
fi
cp "$root/gpu/check_on_device.sh" "$folder/sinter"
tar -C "$folder" -cf - sinter | xz -T0 -6 >"$archive"
ls -l "$archive"
