#!/bin/sh
# SPDX-License-Identifier: MIT
#     wave.sh [options of rdt run]
# Records a run of the machine of blocks, or of another --engine, and opens it in GTKWave; without a
# display, renders it to build/wave/machine.png. The way of the first packet through a chip of blocks is
# drawn in build/wave/crossing.svg.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build/wave
case " $*" in
    *' --engine'*) ;;
    *) set -- "$@" --engine systemc ;;
esac
rm -f build/wave/crossing.svg build/wave/machine.png
build/bin/rdt run "$@" --wave build/wave/machine.fst || {
    echo "make wave: the run ended with exit code $?" >&2
    exit 1
}
cd build/wave

# Whatever ends this script ends the viewer and its display too.
work=$(mktemp -d)
server=
viewer=
trap 'kill $viewer $server 2>/dev/null || :; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
fail() {
    cat "$work/log" >&2
    echo "make wave: $1" >&2
    exit 1
}

# A long recording is left to GTKWave.
rm -f crossing.svg
if grep -q '^-node .* to .*: ' machine.gtkw && [ "$(wc -c <machine.fst)" -lt 4000000 ]; then
    fst2vcd machine.fst >"$work/wave.vcd" 2>"$work/log" || fail 'fst2vcd failed'
    if python3 ../../scripts/wave_picture.py machine.gtkw "$work/wave.vcd" crossing.svg; then
        echo 'picture                   build/wave/crossing.svg'
    fi
fi

# GTKWave that finds no display behind its name ends with exit code 0.
if [ -n "${DISPLAY:-}" ]; then
    gtkwave --rcvar 'splash_disable 1' machine.gtkw >"$work/log" 2>&1 || fail 'GTKWave failed'
    grep -q 'Could not initialize GTK' "$work/log" || exit 0
    echo "make wave: no display at $DISPLAY; a picture instead"
fi

Xvfb -displayfd 3 -screen 0 1280x1080x24 -nolisten tcp 3>"$work/display" 2>"$work/log" &
server=$!
tries=0
until [ -s "$work/display" ]; do
    tries=$((tries + 1))
    kill -0 $server 2>/dev/null && [ $tries -lt 100 ] || fail 'Xvfb did not start'
    sleep 0.1
done
DISPLAY=:$(cat "$work/display")
export DISPLAY

gtkwave --rcvar 'splash_disable 1' --rcvar 'initial_window_x 1280' \
        --rcvar 'initial_window_y 1080' machine.gtkw >"$work/log" 2>&1 &
viewer=$!
# GTKWave draws when its window is mapped and gives no sign of it, so the picture is taken again
# until it is no longer one color, and then a few times more.
tries=0
drawn=0
while [ $drawn -lt 4 ]; do
    tries=$((tries + 1))
    kill -0 $viewer 2>/dev/null || fail 'GTKWave ended early'
    [ $tries -lt 100 ] || fail 'GTKWave drew nothing'
    sleep 0.1
    import -window root "$work/picture.png" 2>/dev/null || continue
    [ "$(identify -format %k "$work/picture.png")" -le 20 ] || drawn=$((drawn + 1))
done
mv "$work/picture.png" machine.png
echo 'picture                   build/wave/machine.png'
