#!/bin/sh
# SPDX-License-Identifier: MIT
# instead.sh COMPILER... -- OTHER ARGUMENT...: runs COMPILER with the arguments of OTHER. CMake knows
# one compiler for a language; this stands before it where another one does. Of headers that are to be
# read once for all, clang would take what is there of them from the last time, and ccache what it knows
# of another checkout, where clang then looks for the headers.
other=before
for word; do
  shift
  case $other$word in
    before--) other=now; continue ;;
    now*) other=behind; continue ;;
    behind*.gch) rm -f "$word"; export CCACHE_NAMESPACE="$PWD" ;;
  esac
  set -- "$@" "$word"
done
exec "$@"
