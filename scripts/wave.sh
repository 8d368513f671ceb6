#!/bin/sh
# SPDX-License-Identifier: MIT
#     wave.sh [options of rdt run]
# Records a short run of the machine in lockstep and opens it in GTKWave; without a display,
# renders it to build/wave/machine.png.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build/wave
build/bin/rdt run "$@" --engine lockstep --warmup 300 --cycles 500 --wave-from 600 \
    --wave build/wave/machine.fst
cd build/wave
if [ -n "${DISPLAY:-}" ]; then
    exec gtkwave --rcvar 'splash_disable 1' machine.gtkw
fi
# GTKWave draws when its window is mapped and gives no sign of it, so the picture is
# taken again until it is no longer one colour.
xvfb-run -a -s '-screen 0 1600x1000x24' sh -c '
    gtkwave --rcvar "splash_disable 1" --rcvar "initial_window_x 1600" \
            --rcvar "initial_window_y 1000" machine.gtkw >gtkwave.log 2>&1 &
    viewer=$!
    tries=0
    while [ $tries -lt 60 ]; do
        tries=$((tries + 1))
        kill -0 $viewer || { cat gtkwave.log >&2; exit 1; }
        import -window root machine.tmp.png 2>/dev/null || continue
        [ "$(identify -format %k machine.tmp.png)" -gt 20 ] && drawn=$((${drawn:-0} + 1))
        [ "${drawn:-0}" -ge 4 ] && break
    done
    kill $viewer
    [ "${drawn:-0}" -ge 4 ]
' || { echo 'make wave: GTKWave drew nothing; see build/wave/gtkwave.log' >&2; exit 1; }
mv machine.tmp.png machine.png
echo 'picture: build/wave/machine.png'
