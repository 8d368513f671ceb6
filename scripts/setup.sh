#!/bin/sh
# SPDX-License-Identifier: MIT
# Install the missing Debian or Ubuntu packages of some groups. Silent when none is missing.
#
#   scripts/setup.sh [GROUP...]     default: all but slurm, mpi and ci
#
# RDT_SKIP_SETUP=1 turns this off, for machines that have the tools from elsewhere. docs/systems.md has
# the tested systems and versions, and the names of the packages on other systems.
set -euf

# "a|b": the first of these that the system has. "?a": optional; if the system does not have it, a
# part is left out (see left_out()).
run='g++|clang make cmake ninja-build pkg-config|pkgconf python3 verilator libsystemc-dev libcli11-dev
     nlohmann-json3-dev libfmt-dev libpugixml-dev zlib1g-dev libbz2-dev ?libmetis-dev'
test="$run libgtest-dev python3-yaml procps ?iverilog ?yosys ?yosys-abc|berkeley-abc ?clang-format-14|clang-format
      ?pyflakes3|python3-pyflakes ?mypy"
build=$test
synth='g++ make python3 verilator yosys yosys-abc|berkeley-abc ?qflow-tech-osu018'
sta='python3 iverilog ?opensta ?qflow-tech-osu050'
layout='?qflow ?graywolf ?qrouter tcsh'
formal='python3 yosys yosys-abc|berkeley-abc ?qflow-tech-osu018'
cov='python3 lcov yosys'
wave='gtkwave xvfb imagemagick'
bench='libbenchmark-dev ?yosys ?yosys-abc|berkeley-abc ?valgrind'
deb='dpkg-dev gzip file'
python='python3-dev python3-numpy pybind11-dev python3-pip python3-venv python3-setuptools python3-wheel'
docs='python3 mkdocs mkdocs-material python3-pymdownx'
browser='?chromium fonts-dejavu-core'
live=emscripten
slurm='python3 slurm-wlm munge'
mpi='python3 openmpi-bin libopenmpi-dev'
ci='?ccache'
programs='python3 ?gcc-riscv64-unknown-elf ?qemu-system-misc ?gdb-multiarch'
most='run test synth sta layout formal cov wave bench deb python docs browser live programs'
groups="$most build slurm mpi ci"

purpose() {
    case $1 in
        run) echo 'building and running rdt' ;;
        test | build) echo 'building and running the tests' ;;
        synth) echo 'synthesis' ;;
        sta) echo 'static timing and power' ;;
        layout) echo 'placement and routing' ;;
        formal) echo 'proofs' ;;
        cov) echo 'coverage' ;;
        wave) echo 'waveforms in GTKWave' ;;
        bench) echo 'benchmarks' ;;
        deb) echo 'Debian packages' ;;
        python) echo 'the Python module' ;;
        docs) echo 'the documentation site' ;;
        browser) echo 'pages in a browser' ;;
        live) echo 'the simulator in a browser' ;;
        slurm) echo 'jobs on a cluster' ;;
        mpi) echo 'traces of MPI programs' ;;
        ci) echo 'copies of the tree that tests build' ;;
        programs) echo 'RISC-V programs on the machine' ;;
    esac
}

left_out() {
    case $1 in
        ccache) echo 'copies of the tree are compiled again' ;;
        libmetis-dev) echo 'bisections are searched from fewer starting cuts' ;;
        iverilog) echo 'the tests in Icarus are left out' ;;
        yosys | yosys-abc*) echo 'the engine of gates, the quick proofs and the mutation test are left out' ;;
        pyflakes3* | mypy) echo 'the Python scripts are not checked' ;;
        clang-format*) echo 'the format of the C++ files is not checked' ;;
        qflow-tech-osu018) echo 'generic cells are used, unless RDT_LIBERTY names a library' ;;
        qflow-tech-osu050) echo 'there are no figures in 0.5 um' ;;
        opensta) echo 'timing is estimated by straight lines' ;;
        qflow | graywolf | qrouter) echo 'there is no layout' ;;
        chromium) echo 'pages are not checked in a browser' ;;
        gcc-riscv64-unknown-elf) echo 'programs are not compiled; examples/program has two' ;;
        qemu-system-misc) echo 'programs are not compared with QEMU' ;;
        valgrind) echo 'instructions are not counted' ;;
        gdb-multiarch) echo 'the gdb server is not tested' ;;
    esac
}

[ "${RDT_SKIP_SETUP:-0}" = 1 ] && exit 0
here=$(dirname "$0")
all=
if [ $# -eq 0 ]; then
    all=yes
    set -- $most
fi

# Entries, and the first group that needs each.
needed=
purposes=
for group in "$@"; do
    case " $groups " in
        *" $group "*) ;;
        *) echo "setup: $group: no such group; there are: $groups" >&2; exit 2 ;;
    esac
    eval "entries=\$$group"
    for entry in $entries; do
        case " $needed " in
            *" $entry "*) ;;
            *) needed="$needed $entry" purposes="$purposes $entry=$group" ;;
        esac
    done
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "setup: no apt on this system: install the packages of docs/systems.md, then set RDT_SKIP_SETUP=1" >&2
    exit 2
fi

contains() { case " $1 " in *" $2 "*) return 0 ;; *) return 1 ;; esac; }

# "ii" = installed; a removed package that left its configuration is "rc".
every=
blank=$IFS
for entry in $needed; do
    IFS='|'
    for name in ${entry#\?}; do every="$every $name"; done
    IFS=$blank
done
installed=$(dpkg-query -W -f='${db:Status-Abbrev}|${Package}\n' $every 2>/dev/null |
            sed -n 's/^.i *|//p' | tr '\n' ' ') || true
lacking=
for entry in $needed; do
    IFS='|'
    found=
    for name in ${entry#\?}; do
        if contains "$installed" "$name"; then found=$name; fi
    done
    IFS=$blank
    [ -n "$found" ] || lacking="$lacking $entry"
done

newer() {
    command -v python3 >/dev/null && python3 "$here/tested_versions.py" notice || true
}

if [ -z "$lacking" ]; then
    [ -z "$all" ] || newer
    exit 0
fi

if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo >/dev/null; then
    sudo=sudo
else
    sudo=none
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Exit code 2 if it fails, unless only optional packages are missing.
apt_get() {
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null >"$log" 2>&1 &&
        return
    if [ -z "$install$impossible" ]; then
        echo "setup: notice: apt-get $1 failed; optional packages are not installed:$optional"
        exit 0
    fi
    tail -n 20 "$log" >&2
    echo "setup: $(what_for): apt-get $1 failed; if the tools come from elsewhere, set RDT_SKIP_SETUP=1" >&2
    exit 2
}
# Names of which apt can install a version. A system that has never updated its lists knows none.
ask_apt() {
    candidates=$(LC_ALL=C apt-cache policy $every 2>/dev/null |
                 sed -n -e '/^[^ ]/{s/:$//;h;}' -e '/^  Candidate: [^(]/{x;p;}' | tr '\n' ' ')
}
# Sort missing packages by availability.
choose() {
    install= optional= absent= impossible=
    for entry in $lacking; do
        chosen=
        IFS='|'
        for name in ${entry#\?}; do
            if [ -z "$chosen" ] && contains "$candidates" "$name"; then chosen=$name; fi
        done
        IFS=$blank
        [ -z "$chosen" ] || ! contains "$install $optional" "$chosen" || continue
        case $entry in
            \?*) if [ -n "$chosen" ]; then optional="$optional $chosen"; else absent="$absent $entry"; fi ;;
            *) if [ -n "$chosen" ]; then install="$install $chosen"; else impossible="$impossible $entry"; fi ;;
        esac
    done
}
tell_absent() {
    for entry in $absent; do
        entry=${entry#\?}
        echo "setup: notice: this system has no package $entry: $(left_out "$entry")"
    done
}
what_for() {
    printed=
    for entry in $lacking; do
        case $entry in \?*) [ -z "$install$impossible" ] || continue ;; esac
        for pair in $purposes; do
            case $pair in
                "$entry="*)
                    group=${pair##*=}
                    contains "$printed" "$group" && continue
                    [ -z "$printed" ] || printf ', '
                    purpose "$group" | tr -d '\n'
                    printed="$printed $group" ;;
            esac
        done
    done
}

ask_apt
if [ "$sudo" = none ]; then
    [ -n "$candidates" ] || candidates=$every
    choose
    if [ -z "$install$impossible" ]; then
        tell_absent
        [ -z "$optional" ] || echo "setup: notice: optional packages are not installed:$optional"
        exit 0
    fi
    for entry in $impossible; do install="$install ${entry%%|*}"; done
    echo "setup: $(what_for): neither root nor sudo here; an administrator installs it with:" \
         "apt-get install$install$optional (if the tools come from elsewhere, set RDT_SKIP_SETUP=1)" >&2
    exit 2
fi

choose
if [ -z "$candidates" ] || [ -n "$install$optional$impossible" ]; then
    apt_get update
    ask_apt
    choose
fi
if [ -n "$impossible" ]; then
    echo "setup: $(what_for): this system has no package$impossible; get it from elsewhere (docs/systems.md)" \
         "and set RDT_SKIP_SETUP=1" >&2
    exit 2
fi
tell_absent
if [ -n "$install$optional" ]; then
    echo "setup: $(what_for): installing$install$optional"
    apt_get install --no-install-recommends $install $optional
    newer
fi
