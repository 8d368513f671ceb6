#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that are missing, and only those. Silent when none is.
#
#   scripts/setup.sh [GROUP...]     default: all but slurm and mpi
#
# RDT_SKIP_SETUP=1 turns this off, for machines that have the tools from elsewhere.
set -eu

build='g++ make cmake ninja-build ccache pkg-config python3 python3-yaml verilator libsystemc-dev libgtest-dev
       libbenchmark-dev libcli11-dev nlohmann-json3-dev libfmt-dev libmetis-dev libpugixml-dev zlib1g-dev libbz2-dev iverilog yosys berkeley-abc
       clang libclang-rt-dev clang-format-14 procps'
synth='g++ make python3 verilator yosys qflow-tech-osu018'
sta='opensta qflow-tech-osu050'
layout='qflow graywolf qrouter tcsh'
formal='python3 yosys berkeley-abc qflow-tech-osu018'
cov='python3 lcov yosys'
wave='gtkwave xvfb imagemagick'
bench=clang
deb='dpkg-dev gzip file'
python='python3-dev python3-numpy pybind11-dev'
docs='python3 mkdocs mkdocs-material python3-pymdownx'
browser='chromium fonts-dejavu-core'
live=emscripten
slurm='python3 slurm-wlm munge'
mpi='python3 openmpi-bin libopenmpi-dev'
most='build synth sta layout formal cov wave bench deb python docs browser live'
groups="$most slurm mpi"

[ "${RDT_SKIP_SETUP:-0}" = 1 ] && exit 0
[ $# -gt 0 ] || set -- $most

wanted=
for group in "$@"; do
    case " $groups " in
        *" $group "*) eval "wanted=\"\$wanted \$$group\"" ;;
        *) echo "setup: no such group: $group ($groups)" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "setup: not a Debian system; install the equivalents of" $wanted "and set RDT_SKIP_SETUP=1" >&2
    exit 2
fi

# "ii" = wanted and installed; a removed package that left its configuration is "rc".
installed=$(dpkg-query -W -f='${db:Status-Abbrev}|${Package}\n' $wanted 2>/dev/null \
            | sed -n 's/^.i *|//p' | tr '\n' ' ') || true
missing=
for package in $wanted; do
    case " $installed $missing " in
        *" $package "*) ;;
        *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo >/dev/null; then
    sudo=sudo
else
    echo "setup: neither root nor sudo here; install as root: apt-get install$missing" >&2
    exit 2
fi

echo "setup: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt_get() {
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null >"$log" 2>&1 && return
    status=$?
    tail -n 20 "$log" >&2
    echo "setup: apt-get $1 failed; needed:$missing" >&2
    exit $status
}
apt_get update
apt_get install --no-install-recommends $missing
